// Operators that look at the same values in another shape, or put tensors together and apart.
#include "Call.h"

#include <algorithm>
#include <numeric>

namespace samedevice::runtime {

namespace {

Sizes inferred(Sizes sizes, int64_t count) {
  int64_t known = 1;
  for (const int64_t size : sizes)
    known *= size < 0 ? 1 : size;
  for (int64_t &size : sizes)
    if (size < 0)
      size = known == 0 ? 0 : count / known;
  TORCH_CHECK(countOf(sizes) == count, "shape '[", sizes.empty() ? 0 : sizes[0],
              ", ...]' is invalid for input of size ", count);
  return sizes;
}

Tensor reshaped(const Call &call, const Tensor &self, Sizes sizes) {
  sizes = inferred(std::move(sizes), self.numel());
  if (self.is_contiguous())
    return viewOf(self, sizes, contiguousStrides(sizes));
  Array array = read(self);
  array.sizes = sizes;
  return call.result(array);
}

Results reshape(Call &call) {
  const Tensor self = call.tensor("self"), other = call.tensor("other");
  if (other.defined())
    return reshaped(call, self, other.sizes().vec());
  if (call.has("dtype")) {
    const Tensor view = viewOf(self, self.sizes().vec(), self.strides().vec());
    view.unsafeGetTensorImpl()->type = *call.type();
    return view;
  }
  return reshaped(call, self, call.ints(call.has("shape") ? "shape" : "size"));
}

Results flatten(Call &call) {
  const Tensor self = call.tensor("self");
  const int64_t from = wrapDim(call.integer("start_dim"), self.dim()),
                to = wrapDim(call.integer("end_dim", -1), self.dim());
  Sizes sizes;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d > from && d <= to)
      sizes.back() *= self.size(d);
    else
      sizes.push_back(self.size(d));
  }
  return reshaped(call, self, sizes.empty() ? Sizes{1} : sizes);
}
Results unflatten(Call &call) {
  const Tensor self = call.tensor("self");
  const int64_t dim = wrapDim(call.integer("dim"), self.dim());
  Sizes sizes = self.sizes().vec();
  const Sizes parts = inferred(call.ints("sizes"), sizes[static_cast<std::size_t>(dim)]);
  sizes.erase(sizes.begin() + dim);
  sizes.insert(sizes.begin() + dim, parts.begin(), parts.end());
  return reshaped(call, self, sizes);
}
Results ravel(Call &call) { return reshaped(call, call.tensor("self"), {-1}); }

/// In-place forms of views change the tensor itself.
Results asView(Call &call, Sizes sizes, Sizes strides, int64_t offset) {
  const Tensor self = call.tensor("self");
  if (!call.isInPlace())
    return viewOf(self, std::move(sizes), std::move(strides), offset);
  c10::TensorImpl &impl = *self.unsafeGetTensorImpl();
  impl.sizes = std::move(sizes);
  impl.strides = std::move(strides);
  return self;
}

Results permuted(Call &call, const Sizes &order) {
  const Tensor self = call.tensor("self");
  Sizes sizes, strides;
  for (const int64_t dim : order) {
    const int64_t d = wrapDim(dim, self.dim());
    sizes.push_back(self.size(d));
    strides.push_back(self.stride(d));
  }
  return asView(call, sizes, strides, self.storage_offset());
}
Sizes identity(int64_t rank) {
  Sizes order(static_cast<std::size_t>(rank));
  std::iota(order.begin(), order.end(), 0);
  return order;
}
Results permute(Call &call) { return permuted(call, call.ints("dims")); }
Results swapped(Call &call, int64_t a, int64_t b) {
  const int64_t rank = call.tensor("self").dim();
  Sizes order = identity(rank);
  if (rank > 1)
    std::swap(order[static_cast<std::size_t>(wrapDim(a, rank))], order[static_cast<std::size_t>(wrapDim(b, rank))]);
  return permuted(call, order);
}
Results transpose(Call &call) {
  const char *first = call.has("axis0") ? "axis0" : "dim0", *second = call.has("axis1") ? "axis1" : "dim1";
  return swapped(call, call.integer(first), call.integer(second));
}
Results t(Call &call) { return swapped(call, 0, -1); }
Results mT(Call &call) { return swapped(call, -2, -1); }
Results numpyT(Call &call) {
  Sizes order = identity(call.tensor("self").dim());
  std::reverse(order.begin(), order.end());
  return permuted(call, order);
}
Results movedim(Call &call) {
  const int64_t rank = call.tensor("self").dim();
  const Sizes from = call.ints("source"), to = call.ints("destination");
  Sizes order(static_cast<std::size_t>(rank), -1);
  std::vector<bool> used(static_cast<std::size_t>(rank));
  for (std::size_t i = 0; i < from.size(); ++i) {
    order[static_cast<std::size_t>(wrapDim(to[i], rank))] = wrapDim(from[i], rank);
    used[static_cast<std::size_t>(wrapDim(from[i], rank))] = true;
  }
  int64_t next = 0;
  for (int64_t &dim : order)
    if (dim < 0) {
      while (used[static_cast<std::size_t>(next)])
        ++next;
      dim = next++;
    }
  return permuted(call, order);
}

Results squeeze(Call &call) {
  const Tensor self = call.tensor("self");
  Sizes sizes, strides;
  for (int64_t d = 0; d < self.dim(); ++d)
    if (self.size(d) != 1 || (call.has("dim") && wrapDim(call.integer("dim"), self.dim()) != d)) {
      sizes.push_back(self.size(d));
      strides.push_back(self.stride(d));
    }
  return asView(call, sizes, strides, self.storage_offset());
}
Results unsqueeze(Call &call) {
  const Tensor self = call.tensor("self");
  const int64_t d = wrapDim(call.integer("dim"), self.dim() + 1);
  Sizes sizes = self.sizes().vec(), strides = self.strides().vec();
  strides.insert(strides.begin() + d,
                 d < self.dim() ? sizes[static_cast<std::size_t>(d)] * strides[static_cast<std::size_t>(d)] : 1);
  sizes.insert(sizes.begin() + d, 1);
  return asView(call, sizes, strides, self.storage_offset());
}
Results atLeast(Call &call) {
  Tensor self = call.tensor("self");
  const int64_t rank = call.name() == "atleast_2d" ? 2 : 1;
  Sizes sizes = self.sizes().vec();
  while (static_cast<int64_t>(sizes.size()) < rank)
    sizes.insert(sizes.begin(), 1);
  return reshaped(call, self, sizes);
}

Tensor expanded(const Tensor &self, Sizes sizes) {
  const int64_t extra = static_cast<int64_t>(sizes.size()) - self.dim();
  Sizes strides(sizes.size(), 0);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const int64_t d = static_cast<int64_t>(i) - extra;
    const int64_t own = d < 0 ? 1 : self.size(d);
    sizes[i] = sizes[i] < 0 ? own : sizes[i];
    TORCH_CHECK(own == 1 || own == sizes[i], "The expanded size of the tensor (", sizes[i],
                ") must match the existing size (", own, ") at non-singleton dimension ", i);
    strides[i] = d < 0 || (own == 1 && sizes[i] != 1) ? 0 : self.stride(d);
  }
  return viewOf(self, sizes, strides);
}
Results expand(Call &call) {
  const Tensor other = call.tensor("other");
  return expanded(call.tensor("self"), other.defined() ? other.sizes().vec() : call.ints("size"));
}
Results broadcastTensors(Call &call) {
  const std::vector<Tensor> tensors = call.tensors("tensors");
  Sizes shape;
  for (const Tensor &tensor : tensors)
    shape = broadcastShapes(shape, tensor.sizes());
  std::vector<Tensor> out;
  for (const Tensor &tensor : tensors)
    out.push_back(expanded(tensor, shape));
  return out;
}

Tensor sliced(const Tensor &self, int64_t dim, int64_t start, int64_t end, int64_t step) {
  const int64_t d = wrapDim(dim, self.dim()), size = self.size(d);
  const auto clipped = [&](int64_t at) { return std::clamp<int64_t>(at < 0 ? at + size : at, 0, size); };
  start = clipped(start);
  end = std::max(clipped(end), start);
  Sizes sizes = self.sizes().vec(), strides = self.strides().vec();
  const int64_t offset = self.storage_offset() + start * strides[static_cast<std::size_t>(d)];
  sizes[static_cast<std::size_t>(d)] = (end - start + step - 1) / step;
  strides[static_cast<std::size_t>(d)] *= step;
  return viewOf(self, sizes, strides, offset);
}
Results slice(Call &call) {
  return sliced(call.tensor("self"), call.integer("dim"), call.integer("start", 0),
                call.isGiven("end") ? call.integer("end") : INT64_MAX, call.integer("step", 1));
}
Results narrow(Call &call) {
  const int64_t start = static_cast<int64_t>(call.array("start").values.at(0));
  const Tensor self = call.tensor("self");
  const int64_t size = self.size(wrapDim(call.integer("dim"), self.dim()));
  const int64_t from = start < 0 ? start + size : start;
  TORCH_CHECK(from + call.integer("length") <= size, "start (", start, ") + length (", call.integer("length"),
              ") exceeds dimension size (", size, ").");
  return sliced(self, call.integer("dim"), from, from + call.integer("length"), 1);
}
Tensor selected(const Tensor &self, int64_t dim, int64_t index) {
  TORCH_CHECK_INDEX(self.dim() > 0, "select() cannot be applied to a 0-dim tensor.");
  const int64_t d = wrapDim(dim, self.dim()), size = self.size(d);
  TORCH_CHECK_INDEX(index >= -size && index < size, "index ", index, " is out of bounds for dimension ", dim,
                    " with size ", size);
  Sizes sizes = self.sizes().vec(), strides = self.strides().vec();
  const int64_t offset =
      self.storage_offset() + (index < 0 ? index + size : index) * strides[static_cast<std::size_t>(d)];
  sizes.erase(sizes.begin() + d);
  strides.erase(strides.begin() + d);
  return viewOf(self, sizes, strides, offset);
}
Results select(Call &call) { return selected(call.tensor("self"), call.integer("dim"), call.integer("index")); }
Results unbind(Call &call) {
  const Tensor self = call.tensor("self");
  std::vector<Tensor> out;
  for (int64_t i = 0; i < self.size(wrapDim(call.integer("dim"), self.dim())); ++i)
    out.push_back(selected(self, call.integer("dim"), i));
  return out;
}

Results pieces(Call &call, const Sizes &lengths) {
  std::vector<Tensor> out;
  int64_t at = 0;
  for (const int64_t length : lengths) {
    out.push_back(sliced(call.tensor("self"), call.integer("dim"), at, at + length, 1));
    at += length;
  }
  return out;
}
Results equalPieces(Call &call, int64_t length) {
  const Tensor self = call.tensor("self");
  const int64_t size = self.size(wrapDim(call.integer("dim"), self.dim()));
  Sizes lengths;
  for (int64_t at = 0; at < size; at += std::max<int64_t>(length, 1))
    lengths.push_back(std::min(length, size - at));
  return pieces(call, lengths);
}
Results split(Call &call) {
  if (call.schema() == "split.Tensor")
    return equalPieces(call, call.integer("split_size"));
  return pieces(call, call.ints(call.has("split_sizes") ? "split_sizes" : "split_size"));
}
Results chunk(Call &call) {
  const Tensor self = call.tensor("self");
  const int64_t size = self.size(wrapDim(call.integer("dim"), self.dim())), chunks = call.integer("chunks");
  return equalPieces(call, (size + chunks - 1) / chunks);
}
Results tensorSplit(Call &call) {
  const Tensor self = call.tensor("self");
  const int64_t size = self.size(wrapDim(call.integer("dim"), self.dim()));
  Sizes lengths;
  if (call.has("sections")) {
    const int64_t sections = call.integer("sections");
    for (int64_t i = 0; i < sections; ++i)
      lengths.push_back(size / sections + (i < size % sections));
  } else {
    int64_t at = 0;
    for (const int64_t index : call.ints("indices")) {
      lengths.push_back(index - at);
      at = index;
    }
    lengths.push_back(size - at);
  }
  return pieces(call, lengths);
}

Results joined(Call &call, std::vector<Tensor> tensors, int64_t dim) {
  TORCH_CHECK(!tensors.empty(), "torch.cat(): expected a non-empty list of Tensors");
  const auto isPlaceholder = [](const Tensor &tensor) { return tensor.dim() == 1 && tensor.numel() == 0; };
  if (tensors.size() > 1)
    tensors.erase(std::remove_if(tensors.begin(), tensors.end() - 1, isPlaceholder), tensors.end() - 1);
  const int64_t d = wrapDim(dim, tensors[0].dim());
  Sizes sizes = tensors[0].sizes().vec();
  c10::ScalarType type = tensors[0].scalar_type();
  int64_t length = 0;
  for (const Tensor &tensor : tensors) {
    TORCH_CHECK(tensor.dim() == tensors[0].dim(), "Tensors must have same number of dimensions: got ", tensors[0].dim(),
                " and ", tensor.dim());
    length += tensor.size(d);
    type = promote(type, tensor.scalar_type());
  }
  sizes[static_cast<std::size_t>(d)] = length;
  const Tensor out = makeTensor(sizes, type, call.resultDevice());
  int64_t at = 0;
  for (const Tensor &tensor : tensors) {
    write(sliced(out, d, at, at + tensor.size(d), 1), read(tensor));
    at += tensor.size(d);
  }
  return out;
}
Results cat(Call &call) { return joined(call, call.tensors("tensors"), call.integer("dim")); }
Tensor withDim(const Tensor &tensor, int64_t dim) {
  Sizes sizes = tensor.sizes().vec(), strides = tensor.strides().vec();
  sizes.insert(sizes.begin() + dim, 1);
  strides.insert(strides.begin() + dim, 1);
  return viewOf(tensor, sizes, strides);
}
Results stack(Call &call) {
  std::vector<Tensor> tensors = call.tensors("tensors");
  TORCH_CHECK(!tensors.empty(), "stack expects a non-empty TensorList");
  const int64_t d = wrapDim(call.integer("dim"), tensors[0].dim() + 1);
  for (Tensor &tensor : tensors)
    tensor = withDim(tensor, d);
  return joined(call, tensors, d);
}
Results rowsJoined(Call &call) {
  std::vector<Tensor> tensors = call.tensors("tensors");
  const bool vertical = call.name() == "vstack";
  for (Tensor &tensor : tensors) {
    if (tensor.dim() == 0)
      tensor = withDim(tensor, 0);
    if (tensor.dim() == 1 && call.name() != "hstack")
      tensor = withDim(tensor, vertical ? 0 : 1);
  }
  return joined(call, tensors, vertical || tensors.at(0).dim() == 1 ? 0 : 1);
}

Results meshgrid(Call &call) {
  const std::vector<Tensor> tensors = call.tensors("tensors");
  Sizes shape;
  for (const Tensor &tensor : tensors)
    shape.push_back(tensor.numel());
  std::vector<Tensor> out;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    Sizes strides(shape.size(), 0);
    strides[i] = tensors[i].dim() == 0 ? 0 : tensors[i].stride(0);
    out.push_back(viewOf(tensors[i], shape, strides));
  }
  return out;
}

/// Each place of the result says which place it comes from.
template <class From> Results gathered(Call &call, const Sizes &sizes, From from) {
  const Array in = call.self();
  const Sizes strides = contiguousStrides(in.sizes);
  Array out(sizes, in.type);
  Sizes index(sizes.size(), 0);
  for (std::size_t i = 0; i < out.values.size(); ++i) {
    int64_t rest = static_cast<int64_t>(i);
    for (std::size_t d = sizes.size(); d-- > 0;) {
      index[d] = rest % sizes[d];
      rest /= sizes[d];
    }
    const Sizes source = from(index);
    int64_t place = 0;
    for (std::size_t d = 0; d < source.size(); ++d)
      place += source[d] * strides[d];
    out.values[i] = in.values[static_cast<std::size_t>(place)];
  }
  return call.result(out);
}
Results repeat(Call &call) {
  const Tensor self = call.tensor("self");
  Sizes times = call.ints(call.has("repeats") ? "repeats" : "dims"), own = self.sizes().vec();
  times.insert(times.begin(), std::max<std::size_t>(own.size(), times.size()) - times.size(), 1);
  own.insert(own.begin(), times.size() - own.size(), 1);
  Sizes sizes;
  for (std::size_t d = 0; d < times.size(); ++d)
    sizes.push_back(own[d] * times[d]);
  const std::size_t extra = own.size() - static_cast<std::size_t>(self.dim());
  return gathered(call, sizes, [&](const Sizes &index) {
    Sizes source;
    for (std::size_t d = extra; d < index.size(); ++d)
      source.push_back(index[d] % own[d]);
    return source;
  });
}
Results flip(Call &call) {
  const Tensor self = call.tensor("self");
  Sizes dims = call.ints("dims");
  if (call.name() == "fliplr" || call.name() == "flipud")
    dims = {call.name() == "fliplr" ? 1 : 0};
  return gathered(call, self.sizes().vec(), [&](Sizes index) {
    for (const int64_t dim : dims) {
      const int64_t d = wrapDim(dim, self.dim());
      index[static_cast<std::size_t>(d)] = self.size(d) - 1 - index[static_cast<std::size_t>(d)];
    }
    return index;
  });
}
Results roll(Call &call) {
  const Tensor self = call.tensor("self");
  const Sizes shifts = call.ints("shifts"), dims = call.ints("dims");
  return gathered(call, self.sizes().vec(), [&](Sizes index) {
    for (std::size_t i = 0; i < dims.size(); ++i) {
      const int64_t d = wrapDim(dims[i], self.dim()), size = self.size(d);
      int64_t &at = index[static_cast<std::size_t>(d)];
      at = ((at - shifts[i]) % size + size) % size;
    }
    return index;
  });
}
Results repeatInterleave(Call &call) {
  const Tensor self = call.tensor("self").defined() ? call.tensor("self") : call.tensor("repeats");
  const int64_t d = call.isGiven("dim") ? wrapDim(call.integer("dim"), self.dim()) : 0;
  const Array repeats = call.array("repeats");
  std::vector<int64_t> sources;
  for (int64_t i = 0; i < self.size(d); ++i)
    sources.insert(sources.end(),
                   static_cast<std::size_t>(repeats.values.size() == 1 ? repeats.values[0]
                                                                       : repeats.values[static_cast<std::size_t>(i)]),
                   i);
  Sizes sizes = self.sizes().vec();
  sizes[static_cast<std::size_t>(d)] = static_cast<int64_t>(sources.size());
  return gathered(call, sizes, [&](Sizes index) {
    index[static_cast<std::size_t>(d)] = sources[static_cast<std::size_t>(index[static_cast<std::size_t>(d)])];
    return index;
  });
}

template <bool Upper> Results triangle(Call &call) {
  Array array = call.self();
  const int64_t columns = array.sizes.back(), rows = array.sizes.at(array.sizes.size() - 2),
                diagonal = call.integer("diagonal");
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    const int64_t column = static_cast<int64_t>(i) % columns, row = static_cast<int64_t>(i) / columns % rows;
    if (Upper ? column - row < diagonal : column - row > diagonal)
      array.values[i] = 0;
  }
  return call.result(array);
}
Results diagonal(Call &call) {
  const Tensor self = call.tensor("self");
  if (self.dim() == 1) {
    const int64_t n = self.size(0);
    const Array in = read(self);
    Array out({n, n}, in.type);
    for (int64_t i = 0; i < n; ++i)
      out.values[static_cast<std::size_t>(i * n + i)] = in.values[static_cast<std::size_t>(i)];
    return call.result(out);
  }
  return viewOf(self, {std::min(self.size(0), self.size(1))}, {self.stride(0) + self.stride(1)});
}
Results unfold(Call &call) {
  const Tensor self = call.tensor("self");
  const int64_t d = wrapDim(call.integer("dimension"), self.dim()), size = call.integer("size"),
                step = call.integer("step");
  Sizes sizes = self.sizes().vec(), strides = self.strides().vec();
  sizes.push_back(size);
  strides.push_back(strides[static_cast<std::size_t>(d)]);
  sizes[static_cast<std::size_t>(d)] = (sizes[static_cast<std::size_t>(d)] - size) / step + 1;
  strides[static_cast<std::size_t>(d)] *= step;
  return viewOf(self, sizes, strides);
}
Results asStrided(Call &call) {
  const Tensor self = call.tensor("self");
  return viewOf(self, call.ints("size"), call.ints("stride"), call.integer("storage_offset", self.storage_offset()));
}
Results resizeInPlace(Call &call) {
  const Tensor self = call.tensor("self"), other = call.tensor("the_template");
  resize(self, other.defined() ? other.sizes().vec() : call.ints("size"));
  return self;
}
Results pad(Call &call) {
  const Tensor self = call.tensor("self");
  const Sizes amounts = call.ints(call.has("pad") ? "pad" : "padding");
  Sizes sizes = self.sizes().vec(), begin(sizes.size(), 0);
  for (std::size_t i = 0; i * 2 < amounts.size(); ++i) {
    const std::size_t d = sizes.size() - 1 - i;
    begin[d] = amounts[2 * i];
    sizes[d] += amounts[2 * i] + amounts[2 * i + 1];
  }
  const Tensor out = makeTensor(Array(sizes, self.scalar_type(), call.real("value")), call.resultDevice());
  Tensor inner = out;
  for (std::size_t d = 0; d < sizes.size(); ++d)
    inner = sliced(inner, static_cast<int64_t>(d), begin[d], begin[d] + self.size(static_cast<int64_t>(d)), 1);
  write(inner, read(self));
  return out;
}
Results pixelShuffle(Call &call) {
  const Tensor self = call.tensor("self");
  const int64_t r = call.integer("upscale_factor");
  Sizes sizes = self.sizes().vec();
  const std::size_t n = sizes.size();
  sizes[n - 3] /= r * r, sizes[n - 2] *= r, sizes[n - 1] *= r;
  return reshaped(call, self, sizes);
}

const AddKernels add = {
    {"reshape", reshape},
    {"reshape_as", reshape},
    {"view", reshape},
    {"view_as", reshape},
    {"flatten", flatten},
    {"unflatten", unflatten},
    {"ravel", ravel},
    {"squeeze", squeeze},
    {"unsqueeze", unsqueeze},
    {"atleast_1d", atLeast},
    {"atleast_2d", atLeast},
    {"transpose", transpose},
    {"swapaxes", transpose},
    {"swapdims", transpose},
    {"t", t},
    {"mT", mT},
    {"adjoint", mT},
    {"numpy_T", numpyT},
    {"permute", permute},
    {"movedim", movedim},
    {"moveaxis", movedim},
    {"expand", expand},
    {"expand_as", expand},
    {"broadcast_to", expand},
    {"broadcast_tensors", broadcastTensors},
    {"repeat", repeat},
    {"tile", repeat},
    {"flip", flip},
    {"fliplr", flip},
    {"flipud", flip},
    {"roll", roll},
    {"narrow", narrow},
    {"slice", slice},
    {"select", select},
    {"split", split},
    {"split_with_sizes", split},
    {"chunk", chunk},
    {"tensor_split", tensorSplit},
    {"unbind", unbind},
    {"cat", cat},
    {"concat", cat},
    {"stack", stack},
    {"hstack", rowsJoined},
    {"vstack", rowsJoined},
    {"column_stack", rowsJoined},
    {"meshgrid", meshgrid},
    {"repeat_interleave", repeatInterleave},
    {"tril", triangle<false>},
    {"triu", triangle<true>},
    {"diag", diagonal},
    {"diagonal", diagonal},
    {"diagflat", diagonal},
    {"diag_embed", diagonal},
    {"unfold", unfold},
    {"as_strided", asStrided},
    {"resize", resizeInPlace},
    {"resize_as", resizeInPlace},
    {"pad", pad},
    {"constant_pad_nd", pad},
    {"reflection_pad1d", pad},
    {"reflection_pad2d", pad},
    {"replication_pad1d", pad},
    {"replication_pad2d", pad},
    {"pixel_shuffle", pixelShuffle},
};

} // namespace

} // namespace samedevice::runtime
