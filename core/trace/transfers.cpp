#include "core/trace/transfers.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::trace {

Transfers::Transfers(std::vector<Transfer> transfers) : size_(transfers.size()) {
  const auto by_slice = [](const Transfer& a, const Transfer& b) { return a.slice < b.slice; };
  if (!std::is_sorted(transfers.begin(), transfers.end(), by_slice))
    std::sort(transfers.begin(), transfers.end(), by_slice);
  Columns& columns = columns_.edit();
  columns.slices.reserve(size_);
  columns.bytes.reserve(size_);
  for (const Transfer& transfer : transfers) {
    columns.slices.push_back(transfer.slice);
    columns.bytes.push_back(transfer.bytes);
  }
}

Transfers::Transfers(std::size_t size, Load load)
    : columns_([size, load = std::move(load)] {
        if (load)
          if (auto loaded = load(); loaded && loaded->slices.size() == size && loaded->bytes.size() == size)
            return std::move(*loaded);
        return Columns();
      }),
      size_(size) {}

const Transfers::Columns& Transfers::columns() const {
  static const Columns kNone;
  const Columns* columns = columns_.resident();
  return columns != nullptr ? *columns : kNone;
}

std::optional<std::uint64_t> Transfers::of(SliceOrdinal slice) const {
  if (size_ == 0) return std::nullopt;
  const auto& [slices, bytes] = columns();
  const auto found = std::lower_bound(slices.begin(), slices.end(), slice);
  if (found == slices.end() || *found != slice) return std::nullopt;
  return bytes[static_cast<std::size_t>(found - slices.begin())];
}

std::size_t Transfers::resident_bytes() const {
  const Columns* columns = columns_.ready();
  if (columns == nullptr) return 0;
  return columns->slices.capacity() * sizeof(SliceOrdinal) + columns->bytes.capacity() * sizeof(std::uint64_t);
}

}  // namespace warpscope::trace
