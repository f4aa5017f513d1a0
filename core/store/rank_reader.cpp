#include "core/store/rank_reader.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "core/store/byte_stream.hpp"
#include "core/store/rank_head.hpp"
#include "core/store/rank_writer.hpp"
#include "core/store/stored_rank.hpp"

namespace warpscope::store {

namespace {

/// Size of a lane in memory, see trace::Lane::whole_bytes(). `united`: the row of the union of a folded lane; else
/// null.
std::size_t bytes_of(const RowHead& row, const RowHead* united) {
  const std::size_t labels =
      trace::LabelColumn::bytes_for(row.size, row.several_families()) + row.size * trace::OffsetColumn::kBytes;
  if (united == nullptr)
    return labels + trace::IntervalTree::bytes_for(row.size, static_cast<std::size_t>(std::popcount(row.families)));
  return labels + trace::TimeColumn::bytes_for(row.size) + trace::OverlapIndex::bytes_for(row.size) +
         trace::IntervalTree::bytes_for(united->size, 1);
}

class RankDecoder {
 public:
  RankDecoder(std::shared_ptr<StoredRank> storage)
      : storage_(std::move(storage)), reader_(storage_->sections()), rank_(std::make_shared<trace::Rank>()) {}

  Result<std::shared_ptr<const trace::Rank>> decode() {
    if (!read()) return reader_.why();
    return std::shared_ptr<const trace::Rank>(std::move(rank_));
  }

 private:
  bool read() {
    const std::vector<std::uint8_t> head = reader_.whole(storage_->place().head);
    if (!reader_.ok() || !read_head(head, storage_->place().length, head_, *rank_)) return contradiction();
    const std::vector<std::uint8_t> strings = reader_.whole(head_.strings);
    if (!reader_.ok() || !take_strings(strings)) return contradiction();
    if (!read_counters()) return contradiction();
    assemble();
    if (check_rank(*rank_)) return contradiction();
    return true;
  }

  bool contradiction() { return reader_.fail("a rank is inconsistent"); }

  bool take_strings(std::span<const std::uint8_t> bytes) {
    StreamReader stream(bytes);
    trace::Dictionary& dictionary = storage_->dictionary();
    std::vector<NameId> names;
    for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
      const std::string_view name = stream.text();
      if (stream.ok()) names.push_back(dictionary.names.intern(name));
    }
    std::vector<trace::CategoryId> categories;
    for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
      const bool overflow = stream.flag();
      const std::string_view name = stream.text();
      categories.push_back(overflow ? trace::Categories::kOverflow : dictionary.categories.intern(name));
    }
    std::vector<Label> labels;
    for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
      const std::uint64_t name = stream.number();
      const std::uint64_t category = stream.number();
      const auto family = static_cast<std::uint8_t>(stream.number_to(trace::kFamilies - 1));
      if (!stream.ok() || name >= names.size() || category >= categories.size()) return false;
      labels.push_back({names[name], categories[category], family});
    }
    for (const auto& [category, count] : head_.by_category) {
      if (category >= categories.size()) return false;
      rank_->counts.by_category[categories[category]] += count;
    }
    storage_->set_labels(std::move(labels));
    for (trace::Step& step : head_.steps) {
      if (step.name >= names.size()) return false;
      step.name = names[step.name];
    }
    rank_->steps = std::move(head_.steps);
    return stream.ok() && stream.left() == 0;
  }

  bool read_counters() {
    std::uint64_t samples = 0;
    for (const CounterHead& counter : head_.counter_heads) {
      if (counter.size > head_.counters.content - std::min(samples, head_.counters.content)) return false;
      samples += counter.size;
    }
    if (!reader_.open(head_.counters) || !reader_.expect(head_.counters, 2 * samples)) return false;
    std::vector<std::uint64_t> steps(samples);
    std::vector<std::uint32_t> bits(samples);
    if (!reader_.column(std::span(steps)) || !reader_.column(std::span(bits)) || reader_.more()) return false;
    std::size_t at = 0;
    for (CounterHead& counter : head_.counter_heads) {
      std::vector<Ns> times(counter.size);
      std::vector<float> values(counter.size);
      Ns time = 0;
      for (std::size_t i = 0; i < counter.size; ++i, ++at) {
        const Ns before = time;
        time = wrapping_sum(time, unzigzag(steps[at]));
        if ((i > 0 && time < before) || time < -kFarthest || time > kFarthest) return false;
        times[i] = time;
        values[i] = std::bit_cast<float>(bits[at]);
      }
      rank_->counters.emplace_back(std::move(counter.name), std::move(counter.unit), std::move(times),
                                   std::move(values));
    }
    return true;
  }

  void assemble() {
    const std::shared_ptr<const StoredRank> storage = storage_;
    rank_->lanes.reserve(head_.lanes.size());
    for (const LaneHead& head : head_.lanes) {
      const RowHead* united = head.kind == trace::LaneKind::folded ? &head_.rows[head.row + 1] : nullptr;
      const RowHead& row = head_.rows[head.row];
      rank_->lanes.emplace_back(head.kind, head.depth, row.size, bytes_of(row, united));
    }
    std::size_t device_row = head_.rows.size() - rank_->devices.size();
    for (trace::Device& device : rank_->devices)
      device.busy_bytes = trace::IntervalTree::bytes_for(head_.rows[device_row++].size, 1);
    rank_->set_rows(trace::StoredColumn<trace::RankRows>([storage] { return storage->load_rows(); }));
    const std::uint32_t slices = rank_->lane_start.back();
    const auto connections = [&](const SectionRef& ref, std::uint64_t size, const char* section) {
      if (size == 0) return trace::Connections();
      return trace::Connections(size, [storage, ref, size, slices, section] {
        return storage->load_connections(ref, size, slices, section);
      });
    };
    rank_->launches = connections(head_.launches, head_.launch_count, "launches");
    rank_->forward_backward =
        connections(head_.forward_backward, head_.forward_backward_count, "forward–backward connections");
    rank_->graph_edges = connections(head_.graph_edges, head_.graph_edge_count, "graph dependencies");
    if (head_.transfer_count > 0)
      rank_->transfers =
          trace::Transfers(head_.transfer_count, [storage, ref = head_.transfers, size = head_.transfer_count, slices] {
            return storage->load_transfers(ref, size, slices);
          });
    if (!head_.curve.empty()) rank_->curve = std::make_shared<const trace::BusyCurve>(std::move(head_.curve));
    rank_->storage = storage;
  }

  std::shared_ptr<StoredRank> storage_;
  SectionReader reader_;
  std::shared_ptr<trace::Rank> rank_;
  RankHead head_;
};

}  // namespace

std::vector<ByteRange> opening_ranges(const StoreBytes& bytes, const RankPlace& place) {
  SectionReader reader(bytes, place.base, place.base + place.length, true);
  const std::vector<std::uint8_t> content = reader.whole(place.head);
  RankHead head;
  trace::Rank rank;
  if (!reader.ok() || !read_head(content, place.length, head, rank)) return {};
  std::vector<ByteRange> ranges;
  for (const SectionRef& section : {head.counters, head.strings})
    if (!section.none() && section.offset <= place.length)
      ranges.push_back({place.base + section.offset, std::min(section.stored, place.length - section.offset)});
  return ranges;
}

Result<std::shared_ptr<const trace::Rank>> read_rank(std::shared_ptr<const StoreBytes> bytes, const RankPlace& place,
                                                     std::shared_ptr<trace::Dictionary> dictionary, bool checked) {
  return RankDecoder(std::make_shared<StoredRank>(std::move(bytes), place, std::move(dictionary), checked)).decode();
}

}  // namespace warpscope::store
