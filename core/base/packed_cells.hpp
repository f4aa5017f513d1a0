#pragma once
// A full block of table cells, stored column by column. The values of a column are usually close to each other
// (consecutive times, durations, indices of repeated strings), so a column stores distances from its minimum. All
// distances use as many whole bytes as the largest one needs, or none if all values are equal. Cell types take two bits
// each and are stored only if they differ. Packing shrinks a table of launches to a quarter of its size.
//
// This is "frame of reference" encoding, as used by column stores. Blocks are immutable; cell access is O(1).
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpscope {

enum class CellType : std::uint8_t { missing, text, integer, real };

class PackedCells {
 public:
  PackedCells() = default;
  /// Packs consecutive rows of `columns` cells each; at most 2^24 cells. Payloads of missing cells are ignored.
  /// O(cells).
  PackedCells(std::span<const std::uint64_t> payloads, std::span<const CellType> types, std::size_t columns);

  [[nodiscard]] CellType type(std::size_t row, std::size_t column) const {
    const Column& of = columns_[column];
    if (of.types == kAlike) return of.type;
    return static_cast<CellType>(std::to_integer<unsigned>(bytes_[of.types + row / 4]) >> (row % 4 * 2) & 3u);
  }
  /// Returns the payload of a cell that is not missing.
  [[nodiscard]] std::uint64_t payload(std::size_t row, std::size_t column) const {
    const Column& of = columns_[column];
    std::uint64_t distance = 0;
    const std::byte* from = bytes_.data() + of.distances + row * of.width;
    for (unsigned i = 0; i < of.width; ++i) distance |= std::to_integer<std::uint64_t>(from[i]) << 8 * i;
    return of.least + distance;
  }

  [[nodiscard]] std::size_t resident_bytes() const {
    return columns_.capacity() * sizeof(Column) + bytes_.capacity() * sizeof(std::byte);
  }

 private:
  static constexpr std::uint32_t kAlike = 0xFFFFFFFFu;

  struct Column {
    std::uint64_t least = 0;       ///< minimum payload, as a signed number
    std::uint32_t distances = 0;   ///< start in bytes_
    std::uint32_t types = kAlike;  ///< start in bytes_; kAlike: all cells are of `type`
    std::uint8_t width = 0;        ///< bytes per distance
    CellType type = CellType::missing;
  };

  std::vector<Column> columns_;
  std::vector<std::byte> bytes_;
};

}  // namespace warpscope
