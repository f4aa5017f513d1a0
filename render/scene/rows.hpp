#pragma once
// From the track tree to rows on the screen: what is unfolded, pinned, hidden or filtered decides which entries have
// rows; each row knows what it shows and where it stands. Built anew when any of that changes (not per frame); its cost
// follows the entries and the rows, not the slices: some 10 ms for hundreds of ranks with everything unfolded.
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
  header,       ///< a label; nothing on the canvas
  utilisation,  ///< busy share of one device (`item`), or the mean over the entry's devices (`item` == kNone)
  lane,         ///< one lane (`item`, an index into Rank::lanes)
  summary,      ///< a folded track or a folded group of tracks: its outermost lanes in one row
  counter,      ///< one counter: see counter_of_row()
  heat,         ///< a folded metric of all cores or GPUs: a line of colours for each, see series_of_row()
};

struct Row {
  static constexpr std::uint32_t kNone = trace::TreeEntry::kNone;

  RowKind kind = RowKind::header;
  bool foldable = false;        ///< shows a fold mark
  bool open = false;            ///< what the mark shows
  bool first = true;            ///< first of its entry: bears the entry's label (others: a muted sub-label, or "")
  bool pinned = false;          ///< stands in the pinned block
  std::uint16_t level = 0;      ///< indent
  std::uint32_t entry = kNone;  ///< into TrackTree::entries
  std::uint32_t rank = kNone;
  std::uint32_t item = kNone;
  int y = 0;  ///< px from the top of its block
  int height = 0;
  std::string_view label;  ///< lives as long as the profile
  std::string note;        ///< muted, after the label
};

/// Row heights of 1× pixels; multiplied by the scale.
enum class Density : std::uint8_t { compact = 12, normal = 20, roomy = 28 };

/// What the user did to the tree, by TreeEntry::key, so that it survives a fuller profile.
struct TrackState {
  std::unordered_map<std::uint64_t, bool> open;  ///< where it differs from TreeEntry::opens
  std::vector<std::uint64_t> pinned;             ///< in the order of pinning
  std::unordered_set<std::uint64_t> hidden;
  std::string filter;  ///< part of a label or note, case does not matter; "" = all
  /// Groups that were folded or unfolded while the filter was `filtered_for`: it folds what only its own name matches.
  std::unordered_map<std::uint64_t, bool> filtered_open;
  std::string filtered_for;
  Density density = Density::normal;
  float scale = 1;

  [[nodiscard]] bool is_open(const trace::TreeEntry& entry) const;
  /// What was done to the entry under this filter.
  [[nodiscard]] const bool* open_under_filter(const trace::TreeEntry& entry) const;
  /// Folds or unfolds; `with_descendants` needs the tree.
  void set_open(const trace::TrackTree& tree, std::uint32_t entry, bool open, bool with_descendants = false);
  [[nodiscard]] bool is_pinned(std::uint64_t key) const;
  void toggle_pinned(std::uint64_t key);
};

/// Immutable; shared with whatever was drawn from it.
class Layout {
 public:
  static constexpr std::uint32_t kNone = Row::kNone;

  Layout() = default;
  Layout(const trace::Profile& profile, const TrackState& state);

  /// The rows that scroll, top to bottom, and the pinned ones above them; y counts from the top of either block.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  [[nodiscard]] const std::vector<Row>& pinned() const { return pinned_; }
  [[nodiscard]] int height() const { return height_; }
  [[nodiscard]] int pinned_height() const { return pinned_height_; }
  [[nodiscard]] bool any_hidden() const { return any_hidden_; }

  /// Index into rows() of the row at y px from the top of the block, or kNone. O(log rows).
  [[nodiscard]] std::uint32_t row_at(int y) const { return find(rows_, y); }
  [[nodiscard]] std::uint32_t pinned_at(int y) const { return find(pinned_, y); }
  /// Index into rows() of an entry's first row, or of its nearest ancestor that has one; kNone if none has (all
  /// hidden).
  [[nodiscard]] std::uint32_t row_of_entry(std::uint32_t entry) const;
  /// Index into rows() of the row that shows a lane: its own, else the nearest ancestor's. `rank` is an index. O(log).
  [[nodiscard]] std::uint32_t row_of_lane(const trace::Profile& profile, std::uint32_t rank, std::uint32_t lane) const;
  /// The entry of a track, or kNone.
  [[nodiscard]] std::uint32_t entry_of_track(std::uint32_t rank, std::uint32_t track) const;

 private:
  [[nodiscard]] static std::uint32_t find(const std::vector<Row>& rows, int y);

  std::vector<Row> rows_;
  std::vector<Row> pinned_;
  int height_ = 0;
  int pinned_height_ = 0;
  bool any_hidden_ = false;
  std::vector<std::uint32_t> row_of_entry_;         // first row, or kNone
  std::vector<std::uint32_t> parent_;               // of each entry
  std::vector<std::uint32_t> first_track_of_rank_;  // into entry_of_track_, ranks + 1
  std::vector<std::uint32_t> entry_of_track_;
};

/// The tracks below (or of) an entry, as indices into the rank's tracks.
[[nodiscard]] std::vector<std::uint32_t> tracks_of_entry(const trace::TrackTree& tree, std::uint32_t entry);

/// The lanes that a folded track shows in its one row: the outermost, and those that overflowed beside it.
[[nodiscard]] std::vector<std::uint32_t> outermost_lanes(const trace::Rank& rank, const trace::Track& track);

/// What a counter row shows: a counter or a computed curve of a rank, a metric of a node, or the mean of a group of
/// metrics. Of a heat row the mean.
[[nodiscard]] const trace::Counter& counter_of_row(const trace::Profile& profile, const Row& row);
/// What a heat row shows, top to bottom; nothing of others.
[[nodiscard]] std::span<const trace::MetricSeries> series_of_row(const trace::Profile& profile, const Row& row);

/// A device of a rank: indices into Profile::ranks and Rank::devices.
struct DeviceRef {
  std::uint32_t rank = 0;
  std::uint32_t device = 0;

  friend bool operator==(const DeviceRef&, const DeviceRef&) = default;
};
/// The devices that a utilisation row is the mean of.
[[nodiscard]] std::vector<DeviceRef> devices_of_entry(const trace::Profile& profile, std::uint32_t entry);

}  // namespace warpscope::scene
