#include "core/store/rank_writer.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "core/store/byte_stream.hpp"
#include "core/store/column_codec.hpp"
#include "core/store/diagnostics_stream.hpp"
#include "core/store/label_table.hpp"
#include "core/store/rows.hpp"

namespace warpscope::store {

namespace {

using trace::TimeColumn;

// A view of the whole rank up to this many pixels wide needs only the blocks read on opening.
constexpr Ns kNearPx = 4096;
// Rows up to this size are read completely on opening: separate sections would cost more.
constexpr std::uint32_t kShortRow = 1024;

struct RowRefs {
  std::vector<std::uint32_t> near;  // blocks read on opening, ascending; if all of them, the row has no sections
  SectionRef times;
  SectionRef labels;
  SectionRef offsets;
};

// Writes a column piece by piece, one chunk per frame.
template <class Word>
class ColumnFrames {
 public:
  explicit ColumnFrames(SectionWriter& sections) : sections_(sections) { values_.reserve(kChunk); }
  ~ColumnFrames() { flush(); }
  ColumnFrames(const ColumnFrames&) = delete;
  ColumnFrames& operator=(const ColumnFrames&) = delete;
  void add(Word value) {
    values_.push_back(value);
    if (values_.size() == kChunk) flush();
  }

 private:
  void flush() {
    if (values_.empty()) return;
    bytes_.clear();
    append_planes(bytes_, std::span<const Word>(values_));
    sections_.frame(bytes_);
    values_.clear();
  }
  SectionWriter& sections_;
  std::vector<Word> values_;
  std::vector<std::uint8_t> bytes_;
};

class RankEncoder {
 public:
  RankEncoder(const trace::Rank& rank, const trace::Dictionary& dictionary, const Packing& packing,
              const CancelToken* cancel)
      : rank_(rank),
        dictionary_(dictionary),
        sections_(packing),
        cancel_(cancel),
        rows_(rows_of(rank)),
        refs_(rows_.size()),
        labels_(rank.lanes) {}

  Result<RankBody> encode() {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (cancel_ != nullptr && cancel_->cancelled()) return Error{rank_.source.path, "was not stored: cancelled", ""};
      refs_[r].near = near_blocks(*rows_[r].time);
      if (rows_[r].lane != nullptr) add_offsets(refs_[r], *rows_[r].lane);
      if (refs_[r].near.size() == rows_[r].time->blocks()) continue;
      add_times(refs_[r], *rows_[r].time);
      if (rows_[r].lane != nullptr) add_labels(refs_[r], *rows_[r].lane);
    }
    launches_ = add_connections(rank_.launches);
    forward_backward_ = add_connections(rank_.forward_backward);
    add_transfers();
    add_counters();
    add_near_blocks();
    add_trees();
    add_strings();
    RankBody body;
    body.head = add_head();
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
        stream.number(index - before);
        stream.signed_number(value);
        before = index;
      }
    }
    sections_.stream(stream.bytes());
  }

  void add_times(RowRefs& refs, const TimeColumn& time) {
    const TimeColumn::Arrays& arrays = time.arrays();
    std::vector<std::uint32_t> gaps;
    std::vector<std::uint8_t> bytes;
    for (std::size_t first = 0; first < arrays.begins.size(); first += kChunk) {
      const std::size_t size = std::min<std::size_t>(kChunk, arrays.begins.size() - first);
      const auto durations = std::span(arrays.durations).subspan(first, size);
      gaps.resize(size);
      begins_to_gaps(std::span(arrays.begins).subspan(first, size), durations, gaps);
      bytes.clear();
      append_planes(bytes, gaps);
      append_planes(bytes, durations);
      sections_.frame(bytes);
    }
    add_escapes(arrays.begin_escapes, arrays.duration_escapes);
    refs.times = sections_.end_section();
  }

  void add_labels(RowRefs& refs, const trace::Lane& lane) {
    {
      ColumnFrames<std::uint32_t> column(sections_);
      for (std::uint32_t i = 0; i < lane.size(); ++i) column.add(labels_.number(lane, i));
    }
    refs.labels = sections_.end_section();
  }

  void add_offsets(RowRefs& refs, const trace::Lane& lane) {
    {
      ColumnFrames<std::uint64_t> column(sections_);
      std::uint64_t before = 0;
      for (std::uint32_t i = 0; i < lane.size(); ++i) {
        const std::uint64_t offset = lane.event(i);
        column.add(zigzag(static_cast<std::int64_t>(offset - before)));
        before = offset;
      }
    }
    refs.offsets = sections_.end_section();
  }

  SectionRef add_connections(const trace::Connections& connections) {
    const std::span<const trace::Connection> pairs = connections.all();
    trace::Connection before;
    std::vector<std::uint32_t> from;
    std::vector<std::uint64_t> to;
    std::vector<std::uint8_t> bytes;
    for (std::size_t first = 0; first < pairs.size(); first += kChunk) {
      from.clear();
      to.clear();
      for (const trace::Connection& pair : pairs.subspan(first, std::min<std::size_t>(kChunk, pairs.size() - first))) {
        from.push_back(pair.from - before.from);
        to.push_back(zigzag(static_cast<std::int64_t>(pair.to) - static_cast<std::int64_t>(before.to)));
        before = pair;
      }
      bytes.clear();
      append_planes(bytes, from);
      append_planes(bytes, to);
      sections_.frame(bytes);
    }
    return sections_.end_section();
  }

  void add_transfers() {
    const std::span<const trace::SliceOrdinal> slices = rank_.transfers.slices();
    const std::span<const std::uint64_t> moved = rank_.transfers.bytes();
    trace::SliceOrdinal before = 0;
    std::vector<std::uint32_t> steps;
    std::vector<std::uint8_t> bytes;
    for (std::size_t first = 0; first < slices.size(); first += kChunk) {
      const std::size_t size = std::min<std::size_t>(kChunk, slices.size() - first);
      steps.clear();
      for (const trace::SliceOrdinal slice : slices.subspan(first, size))
        steps.push_back(slice - std::exchange(before, slice));
      bytes.clear();
      append_planes(bytes, steps);
      append_planes(bytes, moved.subspan(first, size));
      sections_.frame(bytes);
    }
    transfers_ = sections_.end_section();
  }

  void add_counters() {
    {
      ColumnFrames<std::uint64_t> times(sections_);
      for (const trace::Counter& counter : rank_.counters) {
        Ns before = 0;
        for (std::size_t i = 0; i < counter.size(); ++i) {
          times.add(zigzag(wrapping_difference(counter.time(i), before)));
          before = counter.time(i);
        }
      }
    }
    {
      ColumnFrames<std::uint32_t> values(sections_);
      for (const trace::Counter& counter : rank_.counters)
        for (std::size_t i = 0; i < counter.size(); ++i) values.add(std::bit_cast<std::uint32_t>(counter.value(i)));
    }
    counters_ = sections_.end_section();
  }

  template <class Visit>
  void for_each_near_slice(std::size_t r, const Visit& visit) const {
    for (const std::uint32_t block : refs_[r].near)
      for (std::uint32_t i = block * TimeColumn::kBlock;
           i < std::min((block + 1) * TimeColumn::kBlock, rows_[r].time->size()); ++i)
        visit(i);
  }

  void add_near_blocks() {
    TimeColumn::Arrays near;
    std::vector<std::uint32_t> labels;
    {
      ColumnFrames<std::uint32_t> blocks(sections_);
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (refs_[r].near.size() == rows_[r].time->blocks()) continue;
        std::uint32_t before = 0;
        for (const std::uint32_t block : refs_[r].near) {
          blocks.add(block - before);
          before = block;
        }
      }
    }
    std::vector<std::uint32_t> gaps;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      const TimeColumn::Arrays& all = rows_[r].time->arrays();
      const auto escape_at = [](const TimeColumn::Escapes& escapes, std::uint32_t i) {
        return std::lower_bound(escapes.begin(), escapes.end(), std::pair(i, kEmptySpan.end))->second;
      };
      const std::size_t first = near.begins.size();
      for_each_near_slice(r, [&](std::uint32_t i) {
        const auto at = static_cast<std::uint32_t>(near.begins.size());
        if (all.begins[i] == TimeColumn::kEscape) near.begin_escapes.emplace_back(at, escape_at(all.begin_escapes, i));
        if (all.durations[i] == TimeColumn::kEscape)
          near.duration_escapes.emplace_back(at, escape_at(all.duration_escapes, i));
        near.begins.push_back(all.begins[i]);
        near.durations.push_back(all.durations[i]);
        if (rows_[r].lane != nullptr) labels.push_back(labels_.number(*rows_[r].lane, i));
      });
      // Row by row, because blocks of 16 start over in each row.
      gaps.resize(near.begins.size());
      begins_to_gaps(std::span(near.begins).subspan(first), std::span(near.durations).subspan(first),
                     std::span(gaps).subspan(first));
    }
    using Values = std::span<const std::uint32_t>;
    for (const Values values : {Values(gaps), Values(near.durations), Values(labels)}) {
      ColumnFrames<std::uint32_t> column(sections_);
      for (const std::uint32_t value : values) column.add(value);
    }
    add_escapes(near.begin_escapes, near.duration_escapes);
    near_ = sections_.end_section();
  }

  void add_trees() {
    {
      ColumnFrames<std::uint64_t> bases(sections_);
      for (const Row& row : rows_) {
        Ns before = 0;
        for (const Ns base : row.time->bases()) {
          bases.add(zigzag(wrapping_difference(base, before)));
          before = base;
        }
      }
    }
    {
      ColumnFrames<std::uint64_t> busy(sections_);
      for (const Row& row : rows_) {
        if (row.tree == nullptr) continue;
        for (std::uint32_t block = 0; block < row.time->blocks(); ++block)
          busy.add(
              static_cast<std::uint64_t>(row.tree->busy_before_block(block + 1) - row.tree->busy_before_block(block)));
      }
    }
    {
      ColumnFrames<std::uint64_t> families(sections_);
      for (const Row& row : rows_) {
        if (row.tree == nullptr || row.tree->single_family()) continue;
        for (std::uint32_t block = 0; block < row.time->blocks(); ++block) {
          const auto before = row.tree->family_sums_before_block(block);
          const auto after = row.tree->family_sums_before_block(block + 1);
          for (std::size_t f = 0; f < family_columns(*row.tree); ++f)
            families.add(static_cast<std::uint64_t>(after[f] - before[f]));
        }
      }
    }
    trees_ = sections_.end_section();
  }

  /// Sorted by name: ids depend on what was loaded before.
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
    strings_ = sections_.end_section(kMostStreamRatio);
  }

  void write_row(StreamWriter& head, std::size_t r) const {
    head.number(rows_[r].time->size());
    head.number(refs_[r].near.size());
    head.ref(refs_[r].times);
    if (rows_[r].lane == nullptr) return;
    head.ref(refs_[r].labels);
    head.ref(refs_[r].offsets);
  }

  void write_facts(StreamWriter& head) const {
    head.text(rank_.source.path);
    head.number(rank_.source.size);
    head.signed_number(rank_.source.modified_ns);
    head.number(rank_.source.inode);
    head.number(rank_.source.text_bytes);
    head.signed_number(rank_.number);
    head.signed_number(rank_.world_size);
    head.byte(rank_.number_assigned ? 1 : 0);
    head.text(rank_.host);
    head.signed_number(rank_.process);
    head.number(rank_.properties.size());
    for (const auto& [key, json] : rank_.properties) {
      head.text(key);
      head.text(json);
    }
    head.number(rank_.annotations.size());
    for (const auto& [family, count] : rank_.annotations) {
      head.text(family);
      head.number(count);
    }
    head.number(rank_.counts.events);
    head.number(rank_.counts.slices);
    head.number(rank_.counts.runs);
    head.number(rank_.counts.launches);
    head.number(rank_.counts.by_category.size());
    for (const auto& [category, count] : counts_by_name()) {
      head.number(category_numbers_.at(category));
      head.number(count);
    }
    head.signed_number(rank_.span.begin);
    head.signed_number(rank_.span.end);
    write_diagnostics(head, rank_.diagnostics);
  }

  SectionRef add_head() {
    StreamWriter head;
    write_facts(head);
    for (const SectionRef& ref : {strings_, trees_, near_, counters_, launches_, forward_backward_, transfers_})
      head.ref(ref);
    head.number(rank_.launches.size());
    head.number(rank_.forward_backward.size());
    head.number(rank_.transfers.size());

    head.number(rank_.lanes.size());
    std::size_t row = 0;
    for (const trace::Lane& lane : rank_.lanes) {
      head.byte(static_cast<std::uint8_t>(lane.kind()));
      head.number(lane.depth());
      head.byte(lane.tree().families_present());
      head.byte(static_cast<std::uint8_t>(family_columns(lane.tree())));
      write_row(head, row++);
      if (lane.folded()) write_row(head, row++);
    }
    head.number(rank_.tracks.size());
    for (const trace::Track& track : rank_.tracks) {
      head.byte(static_cast<std::uint8_t>(track.kind));
      head.text(track.label);
      head.signed_number(track.process);
      head.signed_number(track.id);
      head.number(track.lane_count);
      head.number(track.launches);
      head.signed_number(track.device);
      head.byte(track.communication ? 1 : 0);
    }
    head.number(rank_.devices.size());
    for (const trace::Device& device : rank_.devices) {
      head.signed_number(device.id);
      head.text(device.model);
      head.number(device.streams.size());
      for (const std::uint32_t stream : device.streams) head.number(stream);
      write_row(head, row++);
    }
    head.number(rank_.counters.size());
    for (const trace::Counter& counter : rank_.counters) {
      head.text(counter.name());
      head.text(counter.unit());
      head.number(counter.size());
    }
    head.number(rank_.steps.size());
    for (const trace::Step& step : rank_.steps) {
      head.number(name_numbers_.at(step.name));
      head.signed_number(step.time.begin);
      head.signed_number(step.time.end);
      head.number(step.slice);
    }
    sections_.stream(head.bytes());
    return sections_.end_section(kMostStreamRatio);
  }

  const trace::Rank& rank_;
  const trace::Dictionary& dictionary_;
  SectionWriter sections_;
  const CancelToken* cancel_;
  std::vector<Row> rows_;
  std::vector<RowRefs> refs_;
  LabelTable labels_;
  std::vector<NameId> names_;
  std::unordered_map<NameId, std::size_t> name_numbers_;
  std::unordered_map<trace::CategoryId, std::size_t> category_numbers_;
  SectionRef strings_, trees_, near_, counters_, launches_, forward_backward_, transfers_;
};

}  // namespace

Result<RankBody> write_rank(const trace::Rank& rank, const trace::Dictionary& dictionary, const Packing& packing,
                            const CancelToken* cancel) {
  if (auto wrong = check_rank(rank)) return *wrong;
  return RankEncoder(rank, dictionary, packing, cancel).encode();
}

}  // namespace warpscope::store
