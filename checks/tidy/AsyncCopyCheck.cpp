#include "AsyncCopyCheck.h"

#include "Words.h"

namespace samedevice::tidy {

std::string AsyncCopyCheck::message(const analysis::Finding &finding, const SourceText &source) const {
  return quoted(source.name(finding.subject), "this tensor") +
         (finding.variant == "overwritten" ? " is overwritten before the asynchronous copy out of it has ended"
                                           : " is read before the asynchronous copy into it has ended");
}

} // namespace samedevice::tidy
