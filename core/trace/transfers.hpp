#pragma once
// Number of bytes moved by each memcpy and memset of a rank, if recorded in the trace. Stored in a separate table
// because few slices are memcpys or memsets. The table takes 12 bytes per entry and is loaded from a store on first
// use. Threads that must not load it (ResidentOnly) see an empty table.
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
  /// The slices in ascending order, and the number of bytes each one moved.
  struct Columns {
    std::vector<SliceOrdinal> slices;
    std::vector<std::uint64_t> bytes;
  };
  struct Transfer {
    SliceOrdinal slice = 0;
    std::uint64_t bytes = 0;
  };
  /// Loads the columns; nullopt on failure. Called once, from any thread; may outlive the transfers.
  using Load = std::function<std::optional<Columns>()>;

  Transfers() = default;
  /// `transfers` may be in any order, with at most one per slice. O(n log n).
  explicit Transfers(std::vector<Transfer> transfers);
  /// Holds `size` transfers, which `load` loads on first use. Empty if loading fails.
  Transfers(std::size_t size, Load load);

  [[nodiscard]] std::size_t size() const { return size_; }
  /// Both columns have size() entries, or none if loading failed.
  [[nodiscard]] std::span<const SliceOrdinal> slices() const { return columns().slices; }
  [[nodiscard]] std::span<const std::uint64_t> bytes() const { return columns().bytes; }
  /// Returns the number of bytes moved by `slice`, if known. O(log n).
  [[nodiscard]] std::optional<std::uint64_t> of(SliceOrdinal slice) const;
  /// Bytes in memory.
  [[nodiscard]] std::size_t resident_bytes() const;
  /// Size of all transfers in bytes, loaded or not.
  [[nodiscard]] std::size_t whole_bytes() const { return size_ * (sizeof(SliceOrdinal) + sizeof(std::uint64_t)); }

 private:
  [[nodiscard]] const Columns& columns() const;

  StoredColumn<Columns> columns_;
  std::size_t size_ = 0;
};

}  // namespace warpscope::trace
