#include "outbox.h"

void Counter::count(const Parcel& parcel) {
  const auto rows = parcel.boxes.accessor<float, 2>();
  for (int64_t i = 0; i < rows.size(0); ++i) total_ += rows[i][4] > 0.5f;
}
