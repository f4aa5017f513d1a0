#pragma once
// The marked time range. Rows are stored as keys in the track tree, so the mark survives folding and loading more files
// from the same directory.
#include <cstdint>
#include <optional>
#include <vector>

#include "app/ui/timeline/panel.hpp"
#include "core/trace/profile.hpp"
#include "render/scene/rows.hpp"

namespace warpscope::ui {

/// A row of the canvas: either an entry of the track tree with all of its lanes, or a single lane of a track.
struct RowKey {
  static constexpr std::uint32_t kWhole = 0xFFFFFFFFu;

  std::uint64_t entry = 0;      ///< TreeEntry::key
  std::uint32_t lane = kWhole;  ///< within the track, 0 on top

  friend bool operator==(const RowKey&, const RowKey&) = default;
};

struct RangeMark {
  Interval time;  ///< ns
  bool all_rows = true;
  std::vector<RowKey> rows;  ///< if not all_rows

  friend bool operator==(const RangeMark&, const RangeMark&) = default;
};

/// Returns the row key for a mark on this row; nullopt for headers of expanded groups, counter rows and heat rows.
[[nodiscard]] std::optional<RowKey> key_of_row(const trace::Profile& profile, const scene::Row& row);

/// True if the mark covers the row.
[[nodiscard]] bool covers(const RangeMark& mark, const trace::Profile& profile, const scene::Row& row);

/// Returns this profile's lanes covered by the mark. O(E + L) for E entries and L lanes.
[[nodiscard]] SelectedRange resolve(const RangeMark& mark, const trace::Profile& profile);

}  // namespace warpscope::ui
