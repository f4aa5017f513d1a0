#pragma once
// The cells of a full block of a table, column by column. The figures of a column are mostly near each other (times
// that follow one another, durations, numbers of texts that come again), so a column keeps the distances from the least
// of them, in as many whole bytes as the largest distance needs: none where all are equal. What types its cells are of
// it keeps only where they differ, in two bits each. A table of launches comes to a quarter of what its rows were.
//
// "Frame of reference", as column stores do it; made once and never changed, each cell found in O(1).
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpscope {

/// What a cell holds.
enum class CellType : std::uint8_t { missing, text, integer, real };

class PackedCells {
 public:
  PackedCells() = default;
  /// Rows of `columns` cells each, one after the other: up to 2^24 cells. Payloads of missing cells do not matter.
  /// O(cells).
  PackedCells(std::span<const std::uint64_t> payloads, std::span<const CellType> types, std::size_t columns);

  [[nodiscard]] CellType type(std::size_t row, std::size_t column) const {
    const Column& of = columns_[column];
    if (of.types == kAlike) return of.type;
    return static_cast<CellType>(std::to_integer<unsigned>(bytes_[of.types + row / 4]) >> (row % 4 * 2) & 3u);
  }
  /// Of one that is not missing.
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
    std::uint64_t least = 0;       ///< payload, as a signed number
    std::uint32_t distances = 0;   ///< where they begin in bytes_
    std::uint32_t types = kAlike;  ///< where they begin in bytes_; kAlike: all cells are of `type`
    std::uint8_t width = 0;        ///< bytes of a distance
    CellType type = CellType::missing;
  };

  std::vector<Column> columns_;
  std::vector<std::byte> bytes_;
};

}  // namespace warpscope
