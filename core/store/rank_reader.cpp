#include "core/store/rank_reader.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "core/store/byte_stream.hpp"
#include "core/store/rank_head.hpp"
#include "core/store/rank_writer.hpp"
#include "core/store/rows.hpp"
#include "core/store/stored_rank.hpp"

namespace warpscope::store {

namespace {

using trace::LabelColumn;
using trace::TimeColumn;

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
    if (!read_trees() || !read_near_blocks() || !read_counters()) return contradiction();
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

  bool read_trees() {
    std::uint64_t bases = 0;
    std::uint64_t busy = 0;
    std::uint64_t families = 0;
    for (const RowHead& row : head_.rows) {
      const std::uint64_t blocks = blocks_of(row.size);
      bases += blocks;
      if (row.has_sums) busy += blocks;
      families += blocks * row.family_columns;
    }
    if (!reader_.open(head_.trees) || !reader_.expect(head_.trees, bases + busy + families)) return false;
    std::vector<std::uint64_t> values(bases);
    if (!reader_.column(std::span(values)) || !take_bases(values)) return false;
    values.resize(busy);
    if (!reader_.column(std::span(values)) || !take_busy(values)) return false;
    values.resize(families);
    return reader_.column(std::span(values)) && !reader_.more() && take_family_sums(values);
  }

  bool take_bases(std::span<const std::uint64_t> steps) {
    for (RowHead& row : head_.rows) {
      row.bases.resize(blocks_of(row.size));
      Ns base = 0;
      bool ascend = true;
      for (std::size_t block = 0; block < row.bases.size(); ++block) {
        const Ns before = base;
        base = wrapping_sum(base, unzigzag(steps[block]));
        ascend &= block == 0 || base >= before;
        row.bases[block] = base;
      }
      if (!ascend) return false;
      steps = steps.subspan(row.bases.size());
    }
    return true;
  }

  bool take_busy(std::span<const std::uint64_t> steps) {
    for (RowHead& row : head_.rows) {
      if (!row.has_sums) continue;
      row.sums.present = row.families;
      row.sums.busy.resize(row.bases.size() + 1);
      std::uint64_t sum = 0;
      for (std::size_t block = 0; block < row.bases.size(); ++block) {
        if (steps[block] > static_cast<std::uint64_t>(std::numeric_limits<Ns>::max()) - sum) return false;
        sum += steps[block];
        row.sums.busy[block + 1] = static_cast<Ns>(sum);
      }
      steps = steps.subspan(row.bases.size());
    }
    return true;
  }

  bool take_family_sums(std::span<const std::uint64_t> steps) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Ns>::max());
    for (RowHead& row : head_.rows) {
      if (row.family_columns == 0) continue;
      const auto slots = static_cast<std::size_t>(std::popcount(row.families));
      std::vector<Ns>& sums = row.sums.family_busy;
      sums.resize(slots * (row.bases.size() + 1));
      for (std::size_t block = 0; block < row.bases.size(); ++block) {
        const Ns* before = sums.data() + slots * block;
        Ns* after = sums.data() + slots * (block + 1);
        const bool rest = row.family_columns < slots;
        std::uint64_t left = rest ? static_cast<std::uint64_t>(row.sums.busy[block + 1]) : 0;
        for (std::size_t f = 0; f < row.family_columns; ++f) {
          const std::uint64_t step = steps[block * row.family_columns + f];
          const auto sum = static_cast<std::uint64_t>(before[f]);
          if (step > (rest ? left : kMost) || sum > (rest ? left : kMost) - step) return false;
          after[f] = static_cast<Ns>(sum + step);
          if (rest) left -= sum + step;
        }
        if (!rest) continue;
        if (left < static_cast<std::uint64_t>(before[slots - 1])) return false;
        after[slots - 1] = static_cast<Ns>(left);
      }
      steps = steps.subspan(row.bases.size() * row.family_columns);
    }
    return true;
  }

  bool read_near_blocks() {
    std::uint64_t blocks = 0;
    std::uint64_t slices = 0;
    std::uint64_t labelled = 0;
    for (const RowHead& row : head_.rows) {
      if (!row.whole()) blocks += row.near;
      slices += slices_near(row.near, row.size);
      if (row.of_lane) labelled += slices_near(row.near, row.size);
    }
    if (!reader_.open(head_.near) || !reader_.expect(head_.near, blocks + 2 * slices + labelled)) return false;
    std::vector<std::uint32_t> steps(blocks);
    if (!reader_.column(std::span(steps)) || !take_near_lists(steps)) return false;
    TimeColumn::Arrays times;
    times.begins.resize(slices);
    times.durations.resize(slices);
    std::vector<std::uint32_t> numbers(labelled);
    if (!reader_.column(std::span(times.begins)) || !reader_.column(std::span(times.durations)) ||
        !reader_.column(std::span(numbers)))
      return false;
    std::size_t at = 0;
    for (const RowHead& row : head_.rows) {
      const std::size_t count = slices_near(row.near, row.size);
      const auto begins = std::span(times.begins).subspan(at, count);
      gaps_to_begins(begins, std::span(times.durations).subspan(at, count));
      if (!begins_ascend(begins)) return false;
      at += count;
    }
    return take_escapes(reader_, times) && share_near(times, numbers);
  }

  bool take_near_lists(std::span<const std::uint32_t> steps) {
    std::vector<std::uint32_t> list;
    for (RowHead& row : head_.rows) {
      if (row.whole()) continue;
      list.clear();
      std::uint64_t block = 0;
      for (std::uint32_t k = 0; k < row.near; ++k) {
        if (k > 0 && steps[k] == 0) return false;
        block += steps[k];
        if (block >= blocks_of(row.size)) return false;
        list.push_back(static_cast<std::uint32_t>(block));
      }
      // The last block must be in the list, because the number of slices is computed from it.
      if (list.back() + 1 != blocks_of(row.size)) return false;
      row.blocks = std::make_shared<trace::BlockSet>(list, blocks_of(row.size));
      steps = steps.subspan(row.near);
    }
    return true;
  }

  // Distributes the slices of near blocks to their rows.
  bool share_near(const TimeColumn::Arrays& times, std::span<const std::uint32_t> numbers) {
    std::size_t at = 0;
    std::size_t begin_escape = 0;
    std::size_t duration_escape = 0;
    const auto escapes_of = [&](std::uint32_t count, const TimeColumn::Escapes& all, std::size_t& next) {
      TimeColumn::Escapes out;
      for (; next < all.size() && all[next].first < at + count; ++next)
        out.emplace_back(static_cast<std::uint32_t>(all[next].first - at), all[next].second);
      return out;
    };
    for (RowHead& row : head_.rows) {
      const std::uint32_t count = slices_near(row.near, row.size);
      const auto piece = [&](const BigVector<std::uint32_t>& all) {
        const auto first = all.begin() + static_cast<std::ptrdiff_t>(at);
        return BigVector<std::uint32_t>(first, first + count);
      };
      row.near_times.begins = piece(times.begins);
      row.near_times.durations = piece(times.durations);
      row.near_times.begin_escapes = escapes_of(count, times.begin_escapes, begin_escape);
      row.near_times.duration_escapes = escapes_of(count, times.duration_escapes, duration_escape);
      at += count;
      if (!row.of_lane) continue;
      if (!resolve_labels(numbers.first(count), storage_->labels(), row.several_families(), row.near_labels))
        return false;
      numbers = numbers.subspan(count);
    }
    return true;
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

  [[nodiscard]] TimeColumn time_of(RowHead& row) const {
    if (row.whole()) return TimeColumn(std::move(row.bases), std::move(row.near_times));
    return TimeColumn(std::move(row.bases), row.size, {row.blocks, std::move(row.near_times)},
                      [storage = std::shared_ptr<const StoredRank>(storage_), ref = row.times, size = row.size] {
                        return storage->load_times(ref, size);
                      });
  }

  [[nodiscard]] std::shared_ptr<const LabelColumn> labels_of(RowHead& row) const {
    if (row.whole()) return std::make_shared<LabelColumn>(std::move(row.near_labels));
    const auto otherwise = static_cast<trace::Family>(std::countr_zero(row.families));
    return std::make_shared<LabelColumn>(
        row.size, row.several_families(), otherwise, row.blocks, std::move(row.near_labels),
        [storage = std::shared_ptr<const StoredRank>(storage_), ref = row.labels, size = row.size,
         several = row.several_families()] { return storage->load_labels(ref, size, several); });
  }

  void assemble() {
    const std::shared_ptr<const StoredRank> storage = storage_;
    rank_->lanes.reserve(head_.lanes.size());
    for (const LaneHead& head : head_.lanes) {
      RowHead& row = head_.rows[head.row];
      trace::Lane::Stored lane;
      lane.size = row.size;
      lane.labels = labels_of(row);
      lane.load_offsets = [storage, ref = row.offsets, size = row.size] { return storage->load_offsets(ref, size); };
      if (head.kind == trace::LaneKind::folded) {
        RowHead& united = head_.rows[head.row + 1];
        lane.folded_time = time_of(row);
        lane.tree = trace::IntervalTree(time_of(united), std::move(united.sums), nullptr);
      } else {
        lane.tree = trace::IntervalTree(time_of(row), std::move(row.sums), lane.labels);
      }
      rank_->lanes.emplace_back(head.kind, head.depth, std::move(lane));
    }
    std::size_t device_row = head_.rows.size() - rank_->devices.size();
    for (trace::Device& device : rank_->devices) {
      RowHead& row = head_.rows[device_row++];
      device.busy = trace::IntervalTree(time_of(row), std::move(row.sums), nullptr);
    }
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
    rank_->storage = storage;
  }

  std::shared_ptr<StoredRank> storage_;
  SectionReader reader_;
  std::shared_ptr<trace::Rank> rank_;
  RankHead head_;
};

}  // namespace

std::optional<ByteRange> opening_range(const StoreBytes& bytes, const RankPlace& place) {
  SectionReader reader(bytes, place.base, place.base + place.length, true);
  const std::vector<std::uint8_t> content = reader.whole(place.head);
  RankHead head;
  trace::Rank rank;
  if (!reader.ok() || !read_head(content, place.length, head, rank)) return std::nullopt;
  std::uint64_t first = place.head.offset;
  for (const SectionRef& section : {head.strings, head.trees, head.near, head.counters})
    if (!section.none()) first = std::min(first, section.offset);
  return ByteRange{place.base + first, place.length - first};
}

Result<std::shared_ptr<const trace::Rank>> read_rank(std::shared_ptr<const StoreBytes> bytes, const RankPlace& place,
                                                     std::shared_ptr<trace::Dictionary> dictionary, bool checked) {
  return RankDecoder(std::make_shared<StoredRank>(std::move(bytes), place, std::move(dictionary), checked)).decode();
}

}  // namespace warpscope::store
