// Operators that pick elements, or put elements, by index or by mask.
#include "Call.h"

#include <algorithm>

namespace samedevice::runtime {

namespace {

int64_t checkedIndex(double value, int64_t size) {
  const auto index = static_cast<int64_t>(value);
  TORCH_CHECK_INDEX(index >= -size && index < size, "index ", index, " is out of bounds for dimension with size ",
                    size);
  return index < 0 ? index + size : index;
}

/// An array as [outer, dim, inner].
struct Split {
  int64_t outer = 1, length = 1, inner = 1;
  Split(const Sizes &sizes, int64_t dim) {
    for (std::size_t d = 0; d < sizes.size(); ++d)
      (static_cast<int64_t>(d) < dim ? outer : static_cast<int64_t>(d) == dim ? length : inner) *= sizes[d];
  }
  std::size_t at(int64_t o, int64_t k, int64_t i) const {
    return static_cast<std::size_t>((o * length + k) * inner + i);
  }
};

Array picked(const Array &in, int64_t dim, const Array &index) {
  const int64_t d = wrapDim(dim, in.rank());
  const Split from(in.sizes, d);
  Sizes sizes = in.sizes;
  if (!sizes.empty())
    sizes[static_cast<std::size_t>(d)] = static_cast<int64_t>(index.values.size());
  Array out(sizes, in.type);
  const Split to(sizes, d);
  for (int64_t o = 0; o < to.outer; ++o)
    for (int64_t k = 0; k < to.length; ++k)
      for (int64_t i = 0; i < to.inner; ++i)
        out.values[to.at(o, k, i)] =
            in.values[from.at(o, checkedIndex(index.values[static_cast<std::size_t>(k)], from.length), i)];
  return out;
}
Results indexSelect(Call &call) { return call.result(picked(call.self(), call.integer("dim"), call.array("index"))); }

/// Whole slices of `self` along a dimension are changed by those of a source.
template <class Change> Results changeSlices(Call &call, Change change) {
  Array out = call.self();
  const int64_t d = wrapDim(call.integer("dim"), out.rank());
  const Split split(out.sizes, d);
  const Array index = call.array("index");
  const auto count = static_cast<int64_t>(index.values.size());
  for (int64_t o = 0; o < split.outer; ++o)
    for (int64_t k = 0; k < count; ++k)
      for (int64_t i = 0; i < split.inner; ++i)
        change(out.values[split.at(o, checkedIndex(index.values[static_cast<std::size_t>(k)], split.length), i)],
               static_cast<std::size_t>((o * count + k) * split.inner + i));
  return call.result(out);
}
Results indexAdd(Call &call) {
  const Array source = call.array("source");
  const double alpha = call.real("alpha", 1);
  return changeSlices(call, [&](double &x, std::size_t i) { x += alpha * source.values.at(i); });
}
Results indexCopy(Call &call) {
  const Array source = call.array("source");
  return changeSlices(call, [&](double &x, std::size_t i) { x = source.values.at(i); });
}
Results indexFill(Call &call) {
  const double value = call.array("value").values.at(0);
  return changeSlices(call, [&](double &x, std::size_t) { x = value; });
}

/// Visits every place of `index` with the place of `self` that it names.
template <class Visit> void eachIndexed(const Sizes &self, int64_t dim, const Array &index, Visit visit) {
  const Sizes strides = contiguousStrides(self);
  const int64_t d = wrapDim(dim, static_cast<int64_t>(self.size()));
  for (std::size_t i = 0; i < index.values.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i), place = 0;
    for (std::size_t k = index.sizes.size(); k-- > 0;) {
      const int64_t own = rest % index.sizes[k];
      rest /= index.sizes[k];
      place += (static_cast<int64_t>(k) == d ? checkedIndex(index.values[i], self[k]) : own) * strides[k];
    }
    visit(i, static_cast<std::size_t>(place));
  }
}
Results gather(Call &call) {
  const Array in = call.self(), index = call.array("index");
  Array out(index.sizes, in.type);
  eachIndexed(in.sizes, call.integer("dim"), index,
              [&](std::size_t i, std::size_t from) { out.values[i] = in.values[from]; });
  return call.result(out);
}
Results scatter(Call &call) {
  Array out = call.self();
  const Array index = call.array("index"), source = call.array(call.has("src") ? "src" : "value");
  const std::string reduce = call.name() == "scatter_add" ? "add" : call.text("reduce");
  eachIndexed(out.sizes, call.integer("dim"), index, [&](std::size_t i, std::size_t to) {
    const double value = source.values.size() == 1 ? source.values[0] : source.values.at(i);
    double &x = out.values[to];
    x = reduce == "add" || reduce == "sum" ? x + value : reduce == "multiply" || reduce == "prod" ? x * value : value;
  });
  return call.result(out);
}

Results maskedSelect(Call &call) {
  const Array in = call.self();
  const Array mask = broadcast(call.array("mask"), in.sizes);
  Array out({0}, in.type);
  for (std::size_t i = 0; i < in.values.size(); ++i)
    if (mask.values[i] != 0)
      out.values.push_back(in.values[i]);
  out.sizes = {static_cast<int64_t>(out.values.size())};
  return call.result(out);
}
Results maskedFill(Call &call) {
  const Array mask = call.array("mask"), in = call.self();
  Array out = broadcast(in, broadcastShapes(in.sizes, mask.sizes));
  const Array wide = broadcast(mask, out.sizes);
  const double value = call.array("value").values.at(0);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    if (wide.values[i] != 0)
      out.values[i] = value;
  return call.result(out);
}
Results maskedScatter(Call &call) {
  Array out = call.self();
  const Array mask = broadcast(call.array("mask"), out.sizes), source = call.array("source");
  std::size_t next = 0;
  for (std::size_t i = 0; i < out.values.size(); ++i)
    if (mask.values[i] != 0)
      out.values[i] = source.values.at(next++);
  return call.result(out);
}

std::vector<Array> places(const Array &in) {
  std::vector<Array> out(in.sizes.size(), Array({0}, c10::kLong));
  for (std::size_t i = 0; i < in.values.size(); ++i) {
    if (in.values[i] == 0)
      continue;
    int64_t rest = static_cast<int64_t>(i);
    for (std::size_t d = in.sizes.size(); d-- > 0;) {
      out[d].values.push_back(static_cast<double>(rest % in.sizes[d]));
      rest /= in.sizes[d];
    }
  }
  for (Array &column : out)
    column.sizes = {static_cast<int64_t>(column.values.size())};
  return out;
}
Results nonzero(Call &call) {
  const std::vector<Array> columns = places(call.self());
  const int64_t rows = columns.empty() ? 0 : columns[0].sizes[0];
  Array out({rows, static_cast<int64_t>(columns.size())}, c10::kLong);
  for (std::size_t c = 0; c < columns.size(); ++c)
    for (std::size_t r = 0; r < columns[c].values.size(); ++r)
      out.values[r * columns.size() + c] = columns[c].values[r];
  return call.result(out);
}
Results nonzeroColumns(Call &call) {
  std::vector<Tensor> out;
  for (const Array &column : places(call.array(call.has("self") ? "self" : "condition")))
    out.push_back(call.result(column));
  return out;
}

/// The places that x.index({...}) names: masks become the indices of their true elements, all indices one shape.
struct Selection {
  Sizes shape; ///< of the result
  std::vector<std::size_t> from;
};
Selection selectionOf(const Sizes &self, const c10::List<c10::optional<Tensor>> &given) {
  std::vector<c10::optional<Array>> indices;
  for (const auto &index : given) {
    if (!index || !index->defined()) {
      indices.push_back(c10::nullopt);
    } else if (index->scalar_type() == c10::kBool || index->scalar_type() == c10::kByte) {
      for (Array &column : places(read(*index)))
        indices.push_back(std::move(column));
    } else {
      indices.push_back(read(*index));
    }
  }
  indices.resize(self.size());
  Sizes common;
  std::size_t first = self.size();
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (indices[d]) {
      common = broadcastShapes(common, indices[d]->sizes);
      first = std::min(first, d);
    }
  for (auto &index : indices)
    if (index)
      index = broadcast(*index, common);
  Selection selection;
  Sizes dims; // the dimension of self that each dimension of the result walks; -1 for the common ones
  for (std::size_t d = 0; d < self.size(); ++d) {
    if (d == first)
      for (const int64_t size : common) {
        selection.shape.push_back(size);
        dims.push_back(-1);
      }
    if (!indices[d]) {
      selection.shape.push_back(self[d]);
      dims.push_back(static_cast<int64_t>(d));
    }
  }
  const Sizes strides = contiguousStrides(self);
  for (int64_t i = 0; i < countOf(selection.shape); ++i) {
    int64_t rest = i, place = 0, shared = 0, stride = 1;
    for (std::size_t r = selection.shape.size(); r-- > 0;) {
      const int64_t at = rest % selection.shape[r];
      rest /= selection.shape[r];
      if (dims[r] >= 0)
        place += at * strides[static_cast<std::size_t>(dims[r])];
      else {
        shared += at * stride;
        stride *= selection.shape[r];
      }
    }
    for (std::size_t d = 0; d < indices.size(); ++d)
      if (indices[d])
        place += checkedIndex(indices[d]->values[static_cast<std::size_t>(shared)], self[d]) * strides[d];
    selection.from.push_back(static_cast<std::size_t>(place));
  }
  return selection;
}

Results index(Call &call) {
  const Array in = call.self();
  const Selection selection = selectionOf(in.sizes, call.optionalTensors("indices"));
  Array out(selection.shape, in.type);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = in.values[selection.from[i]];
  return call.result(out);
}
Results indexPut(Call &call) {
  Array out = call.self();
  const Selection selection = selectionOf(out.sizes, call.optionalTensors("indices"));
  const Array values = broadcast(call.array("values"), selection.shape);
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    double &x = out.values[selection.from[i]];
    x = call.flag("accumulate") ? x + values.values[i] : values.values[i];
  }
  return call.result(out);
}
Results take(Call &call) {
  const Array in = call.self(), index = call.array("index");
  Array out(index.sizes, in.type);
  for (std::size_t i = 0; i < out.values.size(); ++i)
    out.values[i] = in.values[static_cast<std::size_t>(checkedIndex(index.values[i], countOf(in.sizes)))];
  return call.result(out);
}

Results oneHot(Call &call) {
  const Array in = call.self();
  int64_t classes = call.integer("num_classes", -1);
  if (classes < 0)
    classes = in.values.empty() ? 0 : static_cast<int64_t>(*std::max_element(in.values.begin(), in.values.end())) + 1;
  Sizes sizes = in.sizes;
  sizes.push_back(classes);
  Array out(sizes, c10::kLong);
  for (std::size_t i = 0; i < in.values.size(); ++i)
    out.values[i * static_cast<std::size_t>(classes) + static_cast<std::size_t>(checkedIndex(in.values[i], classes))] =
        1;
  return call.result(out);
}
Results embedding(Call &call) {
  const Array weight = call.array("weight"), indices = call.array("indices");
  Array out = picked(weight, 0, indices);
  Sizes sizes = indices.sizes;
  sizes.push_back(weight.sizes.at(1));
  out.sizes = sizes;
  return call.result(out);
}
Results isin(Call &call) {
  Array out = call.array(call.has("elements") ? "elements" : "element");
  const Array among = call.array(call.has("test_elements") ? "test_elements" : "test_element");
  for (double &x : out.values)
    x = std::find(among.values.begin(), among.values.end(), x) != among.values.end();
  out.type = c10::kBool;
  return call.result(out);
}
Results fillDiagonal(Call &call) {
  Array out = call.self();
  const auto columns = static_cast<std::size_t>(out.sizes.at(1));
  for (std::size_t i = 0; i * columns + i < out.values.size() && i < columns; ++i)
    out.values[i * columns + i] = call.real("fill_value");
  return call.result(out);
}

const AddKernels add = {
    {"index_select", indexSelect},
    {"index_add", indexAdd},
    {"index_copy", indexCopy},
    {"index_fill", indexFill},
    {"gather", gather},
    {"scatter", scatter},
    {"scatter_add", scatter},
    {"scatter_reduce", scatter},
    {"masked_select", maskedSelect},
    {"masked_fill", maskedFill},
    {"masked_scatter", maskedScatter},
    {"nonzero", nonzero},
    {"argwhere", nonzero},
    {"nonzero_numpy", nonzeroColumns},
    {"index", index},
    {"index_put", indexPut},
    {"take", take},
    {"one_hot", oneHot},
    {"embedding", embedding},
    {"isin", isin},
    {"fill_diagonal", fillDiagonal},
};

} // namespace

} // namespace samedevice::runtime
