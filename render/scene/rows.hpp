#pragma once
// Turns the track tree into rows on the screen. Folding, pinning, hiding and the filter determine which entries have
// rows. Each row has contents and a position. The layout is rebuilt when any of these changes, not per frame. The cost
// depends on the number of entries and rows, not on the number of slices: about 10 ms for hundreds of ranks with
// everything unfolded.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/trace/profile.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::scene {

enum class RowKind : std::uint8_t {
  header,       ///< label only, empty canvas
  utilisation,  ///< busy share of one device (`item`), or the mean over the entry's devices (`item` == kNone)
  lane,         ///< one lane (`item`, an index into Rank::lanes)
  summary,      ///< a folded track or group of tracks: its outermost lanes in one row
  counter,      ///< one counter: see counter_of_row()
  heat,         ///< a folded metric of all cores or GPUs: one colored line for each, see series_of_row()
};

struct Row {
  static constexpr std::uint32_t kNone = trace::TreeEntry::kNone;

  RowKind kind = RowKind::header;
  bool foldable = false;    ///< has a fold mark
  bool open = false;        ///< unfolded
  bool first = true;        ///< first row of its entry, with the entry's label (other rows: a muted sub-label, or "")
  bool pinned = false;      ///< in the pinned block
  bool by_class = false;    ///< utilization of a folded rank or node, split by class
  std::uint16_t level = 0;  ///< indent
  std::uint32_t entry = kNone;  ///< index into TrackTree::entries
  std::uint32_t rank = kNone;
  std::uint32_t item = kNone;
  int y = 0;  ///< px from the top of its block
  int height = 0;
  std::string_view label;  ///< valid as long as the profile
  std::string note;        ///< muted, after the label
};

/// Row heights in pixels at 1×; multiplied by the scale.
enum class Density : std::uint8_t { compact = 12, normal = 20, roomy = 28 };

/// The user's changes to the tree. They are keyed by TreeEntry::key, so they survive loading more of the profile.
struct TrackState {
  std::unordered_map<std::uint64_t, bool> open;  ///< only entries that differ from TreeEntry::opens
  std::vector<std::uint64_t> pinned;             ///< in pinning order
  std::unordered_set<std::uint64_t> hidden;
  std::string filter;  ///< part of a label or note, case-insensitive; "" = all
  /// Groups that the user folded or unfolded while the filter was `filtered_for`. The filter folds groups if only their
  /// own name matches.
  std::unordered_map<std::uint64_t, bool> filtered_open;
  std::string filtered_for;
  Density density = Density::normal;
  float scale = 1;

  [[nodiscard]] bool is_open(const trace::TreeEntry& entry) const;
  /// Returns whether the user unfolded or folded the entry under this filter; nullptr if neither.
  [[nodiscard]] const bool* open_under_filter(const trace::TreeEntry& entry) const;
  /// Folds or unfolds an entry, and with `with_descendants` also all its descendants.
  void set_open(const trace::TrackTree& tree, std::uint32_t entry, bool open, bool with_descendants = false);
  [[nodiscard]] bool is_pinned(std::uint64_t key) const;
  void toggle_pinned(std::uint64_t key);
};

/// Rows on the screen. Immutable; shared by everything drawn from it.
class Layout {
 public:
  static constexpr std::uint32_t kNone = Row::kNone;

  Layout() = default;
  Layout(const trace::Profile& profile, const TrackState& state);

  /// Scrolling rows and the pinned rows above them, top to bottom; y is relative to the top of each block.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Row>& pinned() const { return pinned_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] int pinned_height() const { return pinned_height_; }
  [[nodiscard]] bool any_hidden() const { return any_hidden_; }
  /// True if a note is incomplete because columns were absent (trace::ResidentOnly).
  [[nodiscard]] bool incomplete() const { return incomplete_; }

  /// Returns the index into rows() of the row at y px from the top of the block, or kNone. O(log rows).
  [[nodiscard]] std::uint32_t row_at(int y) const { return find(rows_, y); }
  [[nodiscard]] std::uint32_t pinned_at(int y) const { return find(pinned_, y); }
  /// Returns the index into rows() of the first row of an entry or of its nearest ancestor with rows; kNone if all are
  /// hidden.
  [[nodiscard]] std::uint32_t row_of_entry(std::uint32_t entry) const;
  /// Returns the index into rows() of the row that shows a lane: the lane's own row, or the row of the nearest
  /// ancestor. `rank` is an index. O(log rows).
  [[nodiscard]] std::uint32_t row_of_lane(const trace::Profile& profile, std::uint32_t rank, std::uint32_t lane) const;
  /// Returns the entry of a track, or kNone.
  [[nodiscard]] std::uint32_t entry_of_track(std::uint32_t rank, std::uint32_t track) const;

 private:
  [[nodiscard]] static std::uint32_t find(const std::vector<Row>& rows, int y);

  std::vector<Row> rows_;
  std::vector<Row> pinned_;
  int height_ = 0;
  int pinned_height_ = 0;
  bool any_hidden_ = false;
  bool incomplete_ = false;
  std::vector<std::uint32_t> row_of_entry_;         // first row of each entry, or kNone
  std::vector<std::uint32_t> parent_;               // parent of each entry
  std::vector<std::uint32_t> first_track_of_rank_;  // offsets into entry_of_track_, ranks + 1 entries
  std::vector<std::uint32_t> entry_of_track_;
};

/// Returns the tracks of an entry and its descendants, as indices into the rank's tracks.
[[nodiscard]] std::vector<std::uint32_t> tracks_of_entry(const trace::TrackTree& tree, std::uint32_t entry);

/// Returns the counter of a counter row: a counter or computed curve of a rank, a metric of a node, or the mean of a
/// group of metrics. For a heat row, returns the mean.
[[nodiscard]] const trace::Counter& counter_of_row(const trace::Profile& profile, const Row& row);
/// Returns the series of a heat row, top to bottom; empty for other rows.
[[nodiscard]] std::span<const trace::MetricSeries> series_of_row(const trace::Profile& profile, const Row& row);

/// A device of a rank: indices into Profile::ranks and Rank::devices.
struct DeviceRef {
  std::uint32_t rank = 0;
  std::uint32_t device = 0;

  friend bool operator==(const DeviceRef&, const DeviceRef&) = default;
};
/// Returns the devices averaged by a utilization row.
[[nodiscard]] std::vector<DeviceRef> devices_of_entry(const trace::Profile& profile, std::uint32_t entry);

}  // namespace warpscope::scene
