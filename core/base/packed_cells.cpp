#include "core/base/packed_cells.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace warpscope {

PackedCells::PackedCells(std::span<const std::uint64_t> payloads, std::span<const CellType> types, std::size_t columns)
    : columns_(columns) {
  const std::size_t rows = columns == 0 ? 0 : payloads.size() / columns;
  std::size_t size = 0;
  for (std::size_t c = 0; c < columns; ++c) {
    Column& column = columns_[c];
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    bool alike = true;
    column.type = rows == 0 ? CellType::missing : types[c];
    for (std::size_t cell = c; cell < rows * columns; cell += columns) {
      alike &= types[cell] == column.type;
      if (types[cell] == CellType::missing) continue;
      const auto payload = static_cast<std::int64_t>(payloads[cell]);
      least = std::min(least, payload);
      most = std::max(most, payload);
    }
    if (least <= most) {
      column.least = static_cast<std::uint64_t>(least);
      const auto bits = std::bit_width(static_cast<std::uint64_t>(most) - column.least);
      column.width = static_cast<std::uint8_t>((bits + 7) / 8);
    }
    column.distances = static_cast<std::uint32_t>(size);
    size += rows * column.width;
    if (alike) continue;
    column.types = static_cast<std::uint32_t>(size);
    size += (rows + 3) / 4;
  }

  bytes_.resize(size);
  for (std::size_t c = 0; c < columns; ++c) {
    const Column& column = columns_[c];
    std::byte* to = bytes_.data() + column.distances;
    for (std::size_t row = 0, cell = c; row < rows; ++row, cell += columns) {
      const std::uint64_t distance = types[cell] == CellType::missing ? 0 : payloads[cell] - column.least;
      for (unsigned i = 0; i < column.width; ++i) *to++ = static_cast<std::byte>(distance >> 8 * i);
      if (column.types != kAlike)
        bytes_[column.types + row / 4] |= static_cast<std::byte>(static_cast<unsigned>(types[cell]) << row % 4 * 2);
    }
  }
}

}  // namespace warpscope
