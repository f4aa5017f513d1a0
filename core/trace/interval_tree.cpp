#include "core/trace/interval_tree.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace warpscope::trace {

namespace {

constexpr std::uint32_t kBlock = TimeColumn::kBlock;

std::uint8_t bit_of(Family family) { return static_cast<std::uint8_t>(1u << static_cast<unsigned>(family)); }

}  // namespace

Family BusyTime::dominant() const {
  const auto greatest = std::max_element(by_family.begin(), by_family.end());
  return static_cast<Family>(greatest - by_family.begin());
}

IntervalTree::IntervalTree(TimeColumn time, std::span<const Family> families)
    : IntervalTree(std::move(time), families,
                   families.empty()
                       ? nullptr
                       : std::make_shared<LabelColumn>(std::vector<NameId>{}, std::vector<CategoryId>{}, families)) {}

IntervalTree::IntervalTree(TimeColumn time, std::span<const Family> families, std::shared_ptr<const LabelColumn> labels)
    : time_(std::move(time)), labels_(std::move(labels)) {
  time_.shrink();
  for (const Family family : families) present_ |= bit_of(family);
  if (families.empty()) present_ = bit_of(Family{});
  number_families();
  add_up(families);
}

IntervalTree::IntervalTree(TimeColumn time, Sums sums, std::shared_ptr<const LabelColumn> labels)
    : time_(std::move(time)),
      labels_(std::move(labels)),
      busy_(std::move(sums.busy)),
      family_busy_(std::move(sums.family_busy)),
      present_(sums.present) {
  number_families();
}

void IntervalTree::number_families() {
  std::uint8_t slots = 0;
  for (std::size_t f = 0; f < kFamilies; ++f)
    if (present_ & (1u << f)) family_slot_[f] = slots++;
}

void IntervalTree::add_up(std::span<const Family> families) {
  const std::uint32_t count = time_.size();
  const std::uint32_t blocks = time_.blocks();
  const auto slots = static_cast<std::size_t>(std::popcount(present_));
  const bool single = single_family();
  busy_.resize(blocks + 1);
  if (!single) family_busy_.resize(slots * (blocks + 1));
  const std::uint32_t* const durations = count > 0 ? time_.arrays().durations.data() : nullptr;
  const bool plain = count == 0 || time_.arrays().duration_escapes.empty();
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const std::uint32_t first = block * kBlock;
    const std::uint32_t last = std::min(first + kBlock, count);
    BusyTime sum;
    if (plain) {
      for (std::uint32_t i = first; i < last; ++i) sum.total += durations[i];
      if (!single)
        for (std::uint32_t i = first; i < last; ++i)
          sum.by_family[static_cast<std::size_t>(families[i])] += durations[i];
    } else {
      for (std::uint32_t i = first; i < last; ++i) {
        const Ns length = std::max<Ns>(0, time_.duration(i));
        sum.total = saturating_add(sum.total, length);
        if (single) continue;
        Ns& of_family = sum.by_family[static_cast<std::size_t>(families[i])];
        of_family = saturating_add(of_family, length);
      }
    }
    busy_[block + 1] = saturating_add(busy_[block], sum.total);
    if (single) continue;
    for (std::size_t f = 0; f < kFamilies; ++f) {
      if (!(present_ & (1u << f))) continue;
      Ns* before = family_busy_.data() + slots * block + family_slot_[f];
      before[slots] = saturating_add(before[0], sum.by_family[f]);
    }
  }
}

std::vector<std::uint32_t> IntervalTree::find_longest() const {
  const std::uint32_t blocks = time_.blocks();
  std::vector<std::uint32_t> longest(2 * static_cast<std::size_t>(blocks), kNone);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    std::uint32_t best = block * kBlock;
    const std::uint32_t last = std::min(best + kBlock, time_.size());
    for (std::uint32_t i = best; i < last; ++i) best = longer(best, i);
    longest[blocks + block] = best;
  }
  for (std::uint32_t node = blocks; node-- > 1;) longest[node] = longer(longest[2 * node], longest[2 * node + 1]);
  return longest;
}

std::uint32_t IntervalTree::longer(std::uint32_t i, std::uint32_t j) const {
  if (i == kNone || j == kNone) return i == kNone ? j : i;
  const Ns length_i = time_.duration(i);
  const Ns length_j = time_.duration(j);
  if (length_i == length_j) return std::min(i, j);
  return length_i > length_j ? i : j;
}

IndexRange IntervalTree::overlapping(Ns a, Ns b) const {
  if (b <= a) return {};
  std::uint32_t first = time_.lower_bound(a);
  // Slices do not overlap, so of those that start before a, only the last can extend past it.
  if (first > 0 && time_.end(first - 1) > a) --first;
  return {first, time_.lower_bound_from(first, b)};
}

std::uint32_t IntervalTree::at(Ns t) const {
  if (t == std::numeric_limits<Ns>::max()) return kNone;
  const std::uint32_t after = time_.lower_bound(t + 1);
  return after > 0 && time_.end(after - 1) > t ? after - 1 : kNone;
}

Ns IntervalTree::busy_before(std::uint32_t i) const {
  Ns sum = busy_[i / kBlock];
  for (std::uint32_t k = i / kBlock * kBlock; k < i; ++k) sum += std::max<Ns>(0, time_.duration(k));
  return sum;
}

Ns IntervalTree::busy(Ns a, Ns b) const {
  const IndexRange range = overlapping(a, b);
  if (range.empty()) return 0;
  Ns sum = busy_before(range.last) - busy_before(range.first);
  sum -= std::max<Ns>(0, a - time_.begin(range.first));
  sum -= std::max<Ns>(0, time_.end(range.last - 1) - b);
  return sum;
}

BusyTime IntervalTree::busy_by_family_before_block(std::uint32_t block) const {
  BusyTime sum;
  sum.total = busy_[block];
  if (single_family()) {
    sum.by_family[static_cast<std::size_t>(family(0))] = sum.total;
    return sum;
  }
  const std::span<const Ns> sums = family_sums_before_block(block);
  for (std::size_t f = 0; f < kFamilies; ++f)
    if (present_ & (1u << f)) sum.by_family[f] = sums[family_slot_[f]];
  return sum;
}

std::uint32_t IntervalTree::longest(IndexRange range) const {
  if (range.empty()) return kNone;
  std::uint32_t best = kNone;
  const auto scan = [&](std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) best = longer(best, i);
  };
  const std::uint32_t first_block = (range.first + kBlock - 1) / kBlock;
  const std::uint32_t last_block = range.last / kBlock;
  if (first_block >= last_block) {
    scan(range.first, range.last);
    return best;
  }
  if (longest_.ready() == nullptr && !time_.whole_resident()) return kNone;
  scan(range.first, first_block * kBlock);
  scan(last_block * kBlock, range.last);
  const std::vector<std::uint32_t>& tree = longest_.get([this] { return find_longest(); });
  const std::uint32_t blocks = time_.blocks();
  for (std::uint32_t low = first_block + blocks, high = last_block + blocks; low < high; low /= 2, high /= 2) {
    if (low & 1u) best = longer(best, tree[low++]);
    if (high & 1u) best = longer(best, tree[--high]);
  }
  return best;
}

std::size_t IntervalTree::resident_bytes() const {
  const std::vector<std::uint32_t>* longest = longest_.ready();
  return time_.resident_bytes() + (busy_.capacity() + family_busy_.capacity()) * sizeof(Ns) +
         (longest != nullptr ? longest->capacity() * sizeof(std::uint32_t) : 0);
}

void IntervalUnion::add(const Interval& next) {
  if (next.end <= next.begin) return;
  if (open_.begin > open_.end || next.begin > open_.end) {
    if (open_.begin < open_.end) time_.push_back(open_.begin, open_.length());
    open_ = next;
  } else {
    open_.end = std::max(open_.end, next.end);
  }
}

IntervalTree IntervalUnion::take() {
  if (open_.begin < open_.end) time_.push_back(open_.begin, open_.length());
  open_ = kEmptySpan;
  return IntervalTree(std::exchange(time_, {}), {});
}

IntervalTree merged_intervals(std::span<const Interval> sorted) {
  IntervalUnion all;
  for (const Interval& each : sorted) all.add(each);
  return all.take();
}

}  // namespace warpscope::trace
