#pragma once
// Tables of slices: all of them, GPU activity, annotations. Rows are the slices themselves in their lanes; nothing is
// copied.
//
//   condition on   is looked up by
//   id             the slice's lane: O(log lanes)
//   rank, track    the lanes
//   start, end     a binary search in each lane: O(log slices); start < b AND end > a finds what overlaps a window
//   category       a comparison of one byte per slice
//   name           an index, 8 bytes per slice, built when first needed, which also serves GROUP BY name; above
//                  kMostIndexed slices, a comparison per slice
//
// Rows come in the order of ids: rank, lane, start.
#include <memory>
#include <optional>
#include <vector>

#include "core/sql/part_table.hpp"

namespace warpscope::sql {

/// A lane of a table.
struct LaneRef {
  const trace::Rank* rank;
  const trace::Lane* lane;
  std::uint32_t rank_index;
  std::uint32_t lane_index;
  std::uint32_t track;
};

class LaneTable : public PlainTable<LaneTable> {
 public:
  static constexpr double kMostIndexed = 64e6;

  enum class Kind : std::uint8_t { slices, gpu_activity, annotations };
  LaneTable(Context& context, Kind kind);

  /// Columns that all tables of slices start with, in this order.
  enum Common : std::uint32_t { kId, kRank, kTrack, kLane, kDepth, kStart, kDur, kEnd, kName, kCategory };

  struct Search {
    IndexRange ranks{};       ///< indices
    IndexRange parts{};       ///< lanes, or names of the index
    IndexRange one{};         ///< if `by_id`: the only row
    Bounds start{};           ///< absolute
    Bounds end{};             ///< absolute
    std::int64_t track = -1;  ///< of `ranks`, which is one rank; -1: all
    bool by_id = false;
    bool by_name = false;
    std::vector<char> names{};       ///< by NameId, if not empty: whether it is wanted
    std::vector<char> categories{};  ///< by CategoryId, if not empty: same
  };
  [[nodiscard]] Search search(const Query& query) const;
  [[nodiscard]] IndexRange parts(const Search& search) const { return search.parts; }
  [[nodiscard]] IndexRange rows(std::uint32_t part, const Search& search) const;
  [[nodiscard]] Place place(Place at, const Search& search) const;
  [[nodiscard]] bool keeps(Place at, const Search& search) const;
  [[nodiscard]] std::int64_t id(Place at) const { return slice_id(ref(at)); }
  [[nodiscard]] double size() const { return size_; }
  [[nodiscard]] Estimate estimate(const Plan& plan, const std::vector<Field>& fields) const;

  [[nodiscard]] const LaneRef& lane(Place at) const { return lanes_[at.part]; }
  [[nodiscard]] trace::SliceRef ref(Place at) const {
    const LaneRef& own = lanes_[at.part];
    return {own.rank_index, own.rank->ordinal({own.lane_index, at.row})};
  }
  [[nodiscard]] trace::Role role(Place at) const { return context_.roles()[lane(at).lane->category(at.row)]; }
  /// The host call that launched GPU activity.
  struct Launch {
    const trace::Connection* connection = nullptr;  ///< null: unknown
    trace::SlicePlace place{};
    Interval call{};
  };
  /// Returns a row's launch; the columns of a row share the lookup. O(1) for rows in the order of ids.
  [[nodiscard]] const Launch& launch(Place at) const;
  [[nodiscard]] Context& context() const { return context_; }
  [[nodiscard]] std::string_view name_of(NameId id) const { return profile().names().view(id); }

 private:
  /// Slices by name: sorted by the text of their name, then by id.
  struct NameIndex {
    std::vector<NameId> names;
    std::vector<std::size_t> first;  // by position in `names`: in `ids`; one more at the end
    std::vector<std::int64_t> ids;
  };
  [[nodiscard]] const NameIndex& name_index() const;
  [[nodiscard]] Place find(trace::SliceRef slice) const;
  void search_texts(const Query& query, Search& search) const;
  void search_id(std::int64_t id, Search& search) const;
  [[nodiscard]] IndexRange narrowed(IndexRange rows, const trace::Lane& lane, const Search& search) const;

  Kind kind_;
  std::vector<LaneRef> lanes_;        // by rank, then by lane
  std::vector<std::uint32_t> first_;  // by rank index: in lanes_; one more at the end
  std::vector<char> categories_;      // by category: whether the table has it
  double size_ = 0;
  mutable std::shared_ptr<const NameIndex> by_name_;
  mutable std::optional<trace::Connections::Causes> causes_;  // of the rank of `launched_`
  mutable trace::SliceRef launched_{};                        // whose launch is `launch_`, if there are causes_
  mutable Launch launch_;
};

}  // namespace warpscope::sql
