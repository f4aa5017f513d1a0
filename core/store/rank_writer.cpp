#include "core/store/rank_writer.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/store/byte_stream.hpp"
#include "core/store/column_codec.hpp"
#include "core/store/label_table.hpp"
#include "core/store/rank_head.hpp"
#include "core/store/rows.hpp"

namespace warpscope::store {

namespace {

using trace::TimeColumn;

// A view of the whole rank up to this many pixels wide needs only the blocks read on opening.
constexpr Ns kNearPx = 4096;
// Rows up to this size are read completely on opening, because separate sections would cost more.
constexpr std::uint32_t kShortRow = 1024;

class RankEncoder {
 public:
  RankEncoder(const trace::Rank& rank, const trace::Dictionary& dictionary, const Packing& packing,
              const CancelToken* cancel)
      : rank_(rank),
        dictionary_(dictionary),
        sections_(packing),
        cancel_(cancel),
        rows_(rows_of(rank)),
        near_(rows_.size()),
        labels_(rank.lanes) {
    head_.rows.resize(rows_.size());
  }

  Result<RankBody> encode() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (cancel_ != nullptr && cancel_->cancelled()) return Error{rank_.source.path, "was not stored: cancelled", ""};
      const TimeColumn& time = *rows_[r].time;
      const trace::Lane* const lane = rows_[r].lane;
      if (lane != nullptr && lane->size() != time.size())
        return Error{rank_.source.path, "was not stored: it could not be read from the store it is in", ""};
      RowHead& head = head_.rows[r];
      near_[r] = near_blocks(time);
      head.size = time.size();
      head.near = static_cast<std::uint32_t>(near_[r].size());
      if (lane != nullptr) head.offsets = add_offsets(*lane);
      if (head.whole()) continue;
      head.times = add_times(time);
      if (lane != nullptr) head.labels = add_labels(*lane);
    }
    head_.launch_count = rank_.launches.size();
    head_.launches = add_connections(rank_.launches);
    head_.forward_backward_count = rank_.forward_backward.size();
    head_.forward_backward = add_connections(rank_.forward_backward);
    head_.graph_edge_count = rank_.graph_edges.size();
    head_.graph_edges = add_connections(rank_.graph_edges);
    head_.transfer_count = rank_.transfers.size();
    head_.transfers = add_transfers();
    add_near_blocks();
    add_trees();
    // What opening a rank reads is adjacent.
    add_counters();
    add_strings();
    fill_head();
    RankBody body;
    sections_.stream(write_head(head_, rank_));
    body.head = sections_.end_section(kMostStreamRatio);
    body.slices = rank_.lane_start.empty() ? 0 : rank_.lane_start.back();
    body.bytes = sections_.bytes();
    return body;
  }

 private:
  [[nodiscard]] std::vector<std::uint32_t> near_blocks(const TimeColumn& time) const {
    const std::uint32_t blocks = time.blocks();
    std::vector<std::uint32_t> near;
    const Ns span = rank_.span.begin <= rank_.span.end ? rank_.span.length() : 0;
    if (time.size() > kShortRow) {
      for (std::uint32_t block = 0; block < blocks; ++block) {
        const bool edge = block == 0 || block + 1 == blocks;
        if (edge || wrapping_difference(time.block_begin(block + 1), time.block_begin(block)) > span / kNearPx)
          near.push_back(block);
      }
      if (near.size() < blocks / 2) return near;
    }
    near.resize(blocks);
    for (std::uint32_t block = 0; block < blocks; ++block) near[block] = block;
    return near;
  }

  void add_escapes(const TimeColumn::Escapes& begins, const TimeColumn::Escapes& durations) {
    if (begins.empty() && durations.empty()) return;
    StreamWriter stream;
    for (const TimeColumn::Escapes* escapes : {&begins, &durations}) {
      stream.number(escapes->size());
      std::uint32_t before = 0;
      for (const auto& [index, value] : *escapes) {
        stream.number(index - std::exchange(before, index));
        stream.signed_number(value);
      }
    }
    sections_.stream(stream.bytes());
  }

  SectionRef add_times(const TimeColumn& time) {
    const TimeColumn::Arrays& arrays = time.arrays();
    sections_.columns(
        arrays.begins.size(), [&](std::size_t i) { return gap_at(arrays.begins, arrays.durations, i); },
        [&](std::size_t i) { return arrays.durations[i]; });
    add_escapes(arrays.begin_escapes, arrays.duration_escapes);
    return sections_.end_section();
  }

  SectionRef add_labels(const trace::Lane& lane) {
    sections_.columns(lane.size(), [&](std::size_t i) { return labels_.number(lane, static_cast<std::uint32_t>(i)); });
    return sections_.end_section();
  }

  SectionRef add_offsets(const trace::Lane& lane) {
    std::uint64_t before = 0;
    sections_.columns(lane.size(), [&](std::size_t i) {
      const std::uint64_t offset = lane.event(static_cast<std::uint32_t>(i));
      return zigzag(static_cast<std::int64_t>(offset - std::exchange(before, offset)));
    });
    return sections_.end_section();
  }

  SectionRef add_connections(const trace::Connections& connections) {
    const std::span<const trace::Connection> pairs = connections.all();
    const auto before = [&](std::size_t i) { return i > 0 ? pairs[i - 1] : trace::Connection(); };
    sections_.columns(
        pairs.size(), [&](std::size_t i) { return pairs[i].from - before(i).from; },
        [&](std::size_t i) { return zigzag(std::int64_t{pairs[i].to} - std::int64_t{before(i).to}); });
    return sections_.end_section();
  }

  SectionRef add_transfers() {
    const std::span<const trace::SliceOrdinal> slices = rank_.transfers.slices();
    const std::span<const std::uint64_t> moved = rank_.transfers.bytes();
    sections_.columns(
        slices.size(), [&](std::size_t i) { return slices[i] - (i > 0 ? slices[i - 1] : 0); },
        [&](std::size_t i) { return moved[i]; });
    return sections_.end_section();
  }

  void add_counters() {
    std::vector<std::uint64_t> times;
    std::vector<std::uint32_t> values;
    for (const trace::Counter& counter : rank_.counters) {
      Ns before = 0;
      for (std::size_t i = 0; i < counter.size(); ++i) {
        const Ns time = counter.time(i);
        times.push_back(zigzag(wrapping_difference(time, std::exchange(before, time))));
        values.push_back(std::bit_cast<std::uint32_t>(counter.value(i)));
      }
      head_.counter_heads.push_back({counter.name(), counter.unit(), counter.size()});
    }
    sections_.column(times);
    sections_.column(values);
    head_.counters = sections_.end_section();
  }

  template <class Visit>
  void for_each_near_slice(std::size_t r, const Visit& visit) const {
    for (const std::uint32_t block : near_[r])
      for (std::uint32_t i = block * TimeColumn::kBlock;
           i < std::min((block + 1) * TimeColumn::kBlock, rows_[r].time->size()); ++i)
        visit(i);
  }

  void add_near_blocks() {
    TimeColumn::Arrays near;
    std::vector<std::uint32_t> blocks;
    std::vector<std::uint32_t> gaps;
    std::vector<std::uint32_t> labels;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      std::uint32_t before = 0;
      if (!head_.rows[r].whole())
        for (const std::uint32_t block : near_[r]) blocks.push_back(block - std::exchange(before, block));
      const TimeColumn::Arrays& all = rows_[r].time->arrays();
      const auto escape_at = [](const TimeColumn::Escapes& escapes, std::uint32_t i) {
        return std::lower_bound(escapes.begin(), escapes.end(), std::pair(i, kEmptySpan.end))->second;
      };
      for_each_near_slice(r, [&](std::uint32_t i) {
        const auto at = static_cast<std::uint32_t>(gaps.size());
        if (all.begins[i] == TimeColumn::kEscape) near.begin_escapes.emplace_back(at, escape_at(all.begin_escapes, i));
        if (all.durations[i] == TimeColumn::kEscape)
          near.duration_escapes.emplace_back(at, escape_at(all.duration_escapes, i));
        gaps.push_back(gap_at(all.begins, all.durations, i));
        near.durations.push_back(all.durations[i]);
        if (rows_[r].lane != nullptr) labels.push_back(labels_.number(*rows_[r].lane, i));
      });
    }
    sections_.column(blocks);
    sections_.column(gaps);
    sections_.column(near.durations);
    sections_.column(labels);
    add_escapes(near.begin_escapes, near.duration_escapes);
    head_.near = sections_.end_section();
  }

  void add_trees() {
    std::vector<std::uint64_t> bases;
    std::vector<std::uint64_t> busy;
    std::vector<std::uint64_t> families;
    for (const Row& row : rows_) {
      Ns before = 0;
      for (const Ns base : row.time->bases())
        bases.push_back(zigzag(wrapping_difference(base, std::exchange(before, base))));
      if (row.tree == nullptr) continue;
      const std::size_t columns = family_columns(*row.tree);
      for (std::uint32_t block = 0; block < row.time->blocks(); ++block) {
        busy.push_back(
            static_cast<std::uint64_t>(row.tree->busy_before_block(block + 1) - row.tree->busy_before_block(block)));
        if (columns == 0) continue;
        const auto sums = row.tree->family_sums_before_block(block);
        const auto after = row.tree->family_sums_before_block(block + 1);
        for (std::size_t f = 0; f < columns; ++f) families.push_back(static_cast<std::uint64_t>(after[f] - sums[f]));
      }
    }
    sections_.column(bases);
    sections_.column(busy);
    sections_.column(families);
    head_.trees = sections_.end_section();
  }

  /// Returns the counts sorted by name, because ids depend on what was loaded before.
  [[nodiscard]] std::vector<std::pair<trace::CategoryId, std::uint64_t>> counts_by_name() const {
    std::vector<std::pair<trace::CategoryId, std::uint64_t>> counts(rank_.counts.by_category.begin(),
                                                                    rank_.counts.by_category.end());
    std::ranges::sort(counts, {}, [this](const auto& one) {
      const bool overflow = one.first == trace::Categories::kOverflow;
      return std::pair(overflow, overflow ? std::string_view() : dictionary_.categories.name(one.first));
    });
    return counts;
  }

  std::uint64_t name_number(NameId id) {
    const auto [entry, fresh] = name_numbers_.try_emplace(id, names_.size());
    if (fresh) names_.push_back(id);
    return entry->second;
  }

  void add_strings() {
    StreamWriter stream;
    StreamWriter labels;
    labels.number(labels_.size());
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      const Label& label = labels_[i];
      labels.number(name_number(label.name));
      category_numbers_.try_emplace(label.category, category_numbers_.size());
      labels.number(category_numbers_.at(label.category));
      labels.byte(label.family);
    }
    for (const trace::Step& step : rank_.steps) name_number(step.name);
    for (const auto& [category, count] : counts_by_name())
      category_numbers_.try_emplace(category, category_numbers_.size());

    stream.number(names_.size());
    for (const NameId id : names_) stream.text(dictionary_.names.view(id));
    std::map<std::size_t, trace::CategoryId> categories;
    for (const auto& [category, number] : category_numbers_) categories[number] = category;
    stream.number(categories.size());
    for (const auto& [number, category] : categories) {
      const bool overflow = category == trace::Categories::kOverflow;
      stream.byte(overflow ? 1 : 0);
      stream.text(overflow ? std::string_view{} : dictionary_.categories.name(category));
    }
    sections_.stream(stream.bytes());
    sections_.stream(labels.bytes());
    head_.strings = sections_.end_section(kMostStreamRatio);
  }

  /// Fills in the fields that the add_…() functions do not set.
  void fill_head() {
    for (const auto& [category, count] : counts_by_name())
      head_.by_category.emplace_back(category_numbers_.at(category), count);
    std::size_t row = 0;
    for (const trace::Lane& lane : rank_.lanes) {
      const trace::IntervalTree& tree = lane.tree();
      head_.lanes.push_back(
          {lane.kind(), lane.depth(), tree.families_present(), static_cast<std::uint8_t>(family_columns(tree)), row});
      row += lane.folded() ? 2 : 1;
    }
    head_.curve = trace::busy_curve_of(rank_);
    head_.steps = rank_.steps;
    for (trace::Step& step : head_.steps) step.name = static_cast<NameId>(name_numbers_.at(step.name));
  }

  const trace::Rank& rank_;
  const trace::Dictionary& dictionary_;
  SectionWriter sections_;
  const CancelToken* cancel_;
  std::vector<Row> rows_;
  std::vector<std::vector<std::uint32_t>> near_;  // by row: the blocks read on opening, ascending
  LabelTable labels_;
  std::vector<NameId> names_;
  std::unordered_map<NameId, std::size_t> name_numbers_;
  std::unordered_map<trace::CategoryId, std::size_t> category_numbers_;
  RankHead head_;
};

}  // namespace

Result<RankBody> write_rank(const trace::Rank& rank, const trace::Dictionary& dictionary, const Packing& packing,
                            const CancelToken* cancel) {
  if (auto wrong = check_rank(rank)) return *wrong;
  return RankEncoder(rank, dictionary, packing, cancel).encode();
}

}  // namespace warpscope::store
