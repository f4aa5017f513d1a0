#pragma once
// How much the copies and sets of a rank moved, as far as its trace says: a table beside the slices, for few of them
// are copies. 12 bytes an entry; that of a store comes in when it is first asked.
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "core/trace/connections.hpp"
#include "core/trace/lazy.hpp"

namespace warpscope::trace {

class Transfers {
 public:
  /// The slices, ascending, and beside each its bytes.
  struct Columns {
    std::vector<SliceOrdinal> slices;
    std::vector<std::uint64_t> bytes;
  };
  struct Transfer {
    SliceOrdinal slice = 0;
    std::uint64_t bytes = 0;
  };
  /// Brings the columns, or nothing if they cannot be had. Called once, from any thread.
  using Load = std::function<std::optional<Columns>()>;

  Transfers() = default;
  /// In any order, each slice once. O(n log n).
  explicit Transfers(std::vector<Transfer> transfers);
  /// `size` transfers that `load` brings. If it brings nothing, there are none for whoever asks.
  Transfers(std::size_t size, Load load);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Both columns are size() long, or empty if they could not be brought in.
  [[nodiscard]] std::span<const SliceOrdinal> slices() const { return columns().slices; }
  [[nodiscard]] std::span<const std::uint64_t> bytes() const { return columns().bytes; }
  /// Bytes that `slice` moved, if it says so. O(log n).
  [[nodiscard]] std::optional<std::uint64_t> of(SliceOrdinal slice) const;
  /// Of what is in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Of all transfers, brought in or not.
  [[nodiscard]] std::size_t whole_bytes() const { return size_ * (sizeof(SliceOrdinal) + sizeof(std::uint64_t)); }

 private:
  [[nodiscard]] const Columns& columns() const {
    return columns_.get([this] { return bring(); });
  }
  [[nodiscard]] Columns bring() const;

  Lazy<Columns> columns_;
  std::size_t size_ = 0;
  Load load_;
};

}  // namespace warpscope::trace
