#include <algorithm>
#include <bit>
#include <limits>
#include <memory>
#include <utility>

#include "core/store/rank_head.hpp"
#include "core/store/rows.hpp"
#include "core/store/stored_rank.hpp"

namespace warpscope::store {

namespace {

using trace::LabelColumn;
using trace::TimeColumn;

/// A row and the parts of it that are read together with those of the other rows.
struct OpenRow : RowHead {
  std::vector<Ns> bases{};
  trace::IntervalTree::Sums sums{};
  std::shared_ptr<const trace::BlockSet> blocks{};  ///< null if all blocks are in memory
  TimeColumn::Arrays near_times{};
  LabelColumn::Arrays near_labels{};
};

/// Reads the trees and the near blocks of a rank's rows.
class RowsDecoder {
 public:
  RowsDecoder(std::shared_ptr<const StoredRank> storage, SectionReader& reader)
      : storage_(std::move(storage)), reader_(reader) {}

  void decode(trace::RankRows& rows) {
    const RankPlace& place = storage_->place();
    const std::vector<std::uint8_t> head = reader_.whole(place.head);
    trace::Rank rank;
    if (reader_.ok() && read_head(head, place.length, head_, rank)) {
      rows_.reserve(head_.rows.size());
      for (const RowHead& row : head_.rows) rows_.push_back({row});
      storage_->expect({head_.near, head_.trees});
      if (read_trees() && read_near_blocks()) return assemble(rank.devices.size(), rows);
    }
    reader_.fail("a rank is inconsistent");
  }

 private:
  bool read_trees() {
    std::uint64_t bases = 0;
    std::uint64_t busy = 0;
    std::uint64_t families = 0;
    for (const OpenRow& row : rows_) {
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
    for (OpenRow& row : rows_) {
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
    for (OpenRow& row : rows_) {
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
    for (OpenRow& row : rows_) {
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
    for (const OpenRow& row : rows_) {
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
    for (const OpenRow& row : rows_) {
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
    for (OpenRow& row : rows_) {
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
    for (OpenRow& row : rows_) {
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

  [[nodiscard]] TimeColumn time_of(OpenRow& row) const {
    if (row.whole()) return TimeColumn(std::move(row.bases), std::move(row.near_times));
    return TimeColumn(
        std::move(row.bases), row.size, {row.blocks, std::move(row.near_times)},
        [storage = storage_, ref = row.times, size = row.size] { return storage->load_times(ref, size); });
  }

  [[nodiscard]] std::shared_ptr<const LabelColumn> labels_of(OpenRow& row) const {
    if (row.whole()) return std::make_shared<LabelColumn>(std::move(row.near_labels));
    const auto otherwise = static_cast<trace::Family>(std::countr_zero(row.families));
    return std::make_shared<LabelColumn>(
        row.size, row.several_families(), otherwise, row.blocks, std::move(row.near_labels),
        [storage = storage_, ref = row.labels, size = row.size, several = row.several_families()] {
          return storage->load_labels(ref, size, several);
        });
  }

  void assemble(std::size_t devices, trace::RankRows& rows) {
    rows.lanes.resize(head_.lanes.size());
    for (std::size_t l = 0; l < head_.lanes.size(); ++l) {
      trace::LaneRows& lane = rows.lanes[l];
      OpenRow& row = rows_[head_.lanes[l].row];
      lane.labels = labels_of(row);
      lane.offsets = trace::StoredColumn<trace::OffsetColumn>(
          [storage = storage_, ref = row.offsets, size = row.size] { return storage->load_offsets(ref, size); });
      if (head_.lanes[l].kind == trace::LaneKind::folded) {
        OpenRow& united = rows_[head_.lanes[l].row + 1];
        lane.folded_time = time_of(row);
        lane.tree = trace::IntervalTree(time_of(united), std::move(united.sums), nullptr);
      } else {
        lane.tree = trace::IntervalTree(time_of(row), std::move(row.sums), lane.labels);
      }
    }
    for (auto row = rows_.end() - static_cast<std::ptrdiff_t>(devices); row != rows_.end(); ++row)
      rows.busy.emplace_back(time_of(*row), std::move(row->sums), nullptr);
  }

  std::shared_ptr<const StoredRank> storage_;
  SectionReader& reader_;
  RankHead head_;
  std::vector<OpenRow> rows_;
};

}  // namespace

trace::RankRows StoredRank::load_rows() const {
  return load<trace::RankRows>("rows",
                               [this](SectionReader& reader, trace::RankRows& rows) {
                                 RowsDecoder(shared_from_this(), reader).decode(rows);
                               })
      .value_or(trace::RankRows());
}

}  // namespace warpscope::store
