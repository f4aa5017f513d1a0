#include "core/analysis/shared/memory_bandwidth.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "core/analysis/request/event_numbers.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/memory_operation.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {
namespace {

constexpr Ns kShortest = 1000;
constexpr Ns kWholeUs = 1000;
constexpr std::string_view kBandwidth = "memory bandwidth (GB/s)";
constexpr RoleSet kMoving = role_set(trace::Role::memory_copy, trace::Role::memory_set);

/// Returns HTA's name for a kind of row.
std::string kind_of(std::string_view name) {
  if (name.starts_with("Memset")) return "Memset";
  if (!name.starts_with("Memcpy")) return "Memcpy Unknown";
  return std::string(name.substr(0, std::string_view("Memcpy HtoD").size()));
}

std::string kind_of(std::string_view name, trace::Role role) {
  if (role == trace::Role::memory_set) return "Memset";
  const MemoryOperation operation = copy_direction(name);
  if (operation == MemoryOperation::other_copy) return "Memcpy Unknown";
  return "Memcpy " + std::string(to_string(operation));
}

/// Returns the time of a copy, which is at least kShortest long.
Interval time_of(const GpuRow& row) {
  const Ns length = row.time.length() == 0 ? kShortest : row.time.length();
  return {row.time.begin, saturating_add(row.time.begin, length)};
}

/// True if all durations are whole µs, as in traces of 2024 and before.
bool in_whole_us(const trace::Rank& rank) {
  return std::ranges::all_of(rank.lanes, [](const trace::Lane& lane) {
    const trace::TimeColumn& times = lane.time();
    for (std::uint32_t i = 0; i < lane.size(); ++i)
      if (times.duration(i) % kWholeUs != 0) return false;
    return true;
  });
}

/// Returns, by row, the start of the next row on its stream.
std::vector<Ns> begins_of_next(const std::vector<GpuRow>& rows) {
  std::vector<Ns> next(rows.size(), std::numeric_limits<Ns>::max());
  std::map<std::uint32_t, Ns> begins;  // by stream
  for (std::size_t i = rows.size(); i-- > 0;) {
    const auto [found, first] = begins.try_emplace(rows[i].track, rows[i].time.begin);
    if (first) continue;
    next[i] = std::exchange(found->second, rows[i].time.begin);
  }
  return next;
}

}  // namespace

MemoryBandwidths::MemoryBandwidths(const AnalysisInput& input, const KernelClasses::Choice& choice)
    : input_(input),
      profile_(input.profile),
      hta_(choice.hta),
      // Rows are not clipped: a copy that crosses an edge of the range keeps its bandwidth.
      rows_(profile_, {input.scope.ranks, {}}, {.hta = choice.hta, .rounding = choice.rounding, .host_calls = false},
            input.cancel, input.shared) {}

void MemoryBandwidths::Counts::add(const Counts& other) {
  silent += other.silent;
  by_name += other.by_name;
  named += other.named;
  unfit += other.unfit;
  if (unread.empty()) unread = other.unread;
}

bool MemoryBandwidths::overlaps(const std::optional<Interval>& range, Interval time) {
  return !range || (time.end > range->begin && time.begin < range->end);
}

bool MemoryBandwidths::counts(const std::optional<Interval>& range, const GpuRow& row) const {
  if (hta_ ? row.kind != KernelClass::memory : (kMoving & role_set(row.role)) == 0) return false;
  Interval time = time_of(row);
  if (!hta_) time.end = saturating_add(time.end, kWholeUs);  // it may become longer
  return overlaps(range, time);
}

MemoryBandwidths::Rates MemoryBandwidths::named_rates(const trace::Rank& rank, const std::vector<GpuRow>& rows,
                                                      std::string& unread) const {
  std::vector<trace::SliceOrdinal> copies;
  copies.reserve(rows.size());
  for (const GpuRow& row : rows) copies.push_back(row.slice);
  Rates rates;
  const auto keep = [&](trace::SliceOrdinal slice, double rate) { rates.emplace(slice, rate); };
  if (const Failure failure = read_numbers(input_, rank, copies, kBandwidth, keep))
    unread = fmt::format("Cannot read bandwidths from rank {}'s trace; using {} instead: {}.", rank.number,
                         hta_ ? "none" : "bytes per whole µs", failure->message());
  return rates;
}

/// Uses the recorded bandwidth if there is one. `next`: start of the next row on its stream.
MemoryBandwidths::Moving MemoryBandwidths::moving_of(const GpuRow& row, std::uint64_t bytes, const Rates& named,
                                                     Ns next) const {
  const Interval written = time_of(row);
  const auto found = named.find(row.slice);
  const double rate = found == named.end() ? 0 : found->second;
  if (hta_) return {written, 1e9 * rate, Told::measured};
  const auto moved = static_cast<double>(bytes);
  const Moving measured{written, 1e9 * moved / static_cast<double>(written.length()), Told::measured};
  if (found == named.end()) return measured;
  const double length = rate > 0 ? moved / rate : 0;  // ns
  const auto off = std::abs(length - static_cast<double>(row.time.length()));
  if (!(length >= 1 && off <= static_cast<double>(kWholeUs))) return {measured.time, measured.rate, Told::unfit};
  // The start was rounded down too, so a copy that seems to overlap the next one on its stream ended before that.
  const Ns end = std::min(saturating_add(written.begin, std::llround(length)), std::max(written.end, next));
  return {{written.begin, end}, 1e9 * rate, Told::named};
}

std::shared_ptr<const std::vector<MemoryBandwidth>> MemoryBandwidths::of(std::uint32_t rank) {
  const auto bytes_of = [](const OfRank& found) {
    std::size_t bytes = 0;
    for (const MemoryBandwidth& each : found.bandwidths)
      bytes += each.rate.times.capacity() * sizeof(Ns) + each.rate.values.capacity() * sizeof(double);
    return bytes;
  };
  const std::string what = "bandwidths " + range_key(input_.scope.on_gpu(rank));
  const auto found = rows_.derived(
      what, rank, [&] { return compute(rank); }, bytes_of);
  counts_.add(found->counts);
  return {found, &found->bandwidths};
}

MemoryBandwidths::OfRank MemoryBandwidths::compute(std::uint32_t r) const {
  OfRank found;
  const trace::Rank& rank = *profile_.ranks[r];
  const std::optional<Interval> range = input_.scope.on_gpu(r);
  struct Moved {
    MemoryBandwidth told{};
    CurveBuilder changes{};
  };
  std::map<std::pair<std::int64_t, std::string>, Moved> kinds;  // by device, merged for HTA
  std::map<std::pair<NameId, trace::Role>, std::string> words;  // looked up once per name
  GpuRows::Rows rows;
  const std::shared_ptr<const GpuRows::Rows> all = rows_.of(r);
  for (const GpuRow& row : *all) {
    if (!hta_ && row.kind == KernelClass::memory && (kMoving & role_set(row.role)) == 0) ++found.counts.by_name;
    if (counts(range, row)) rows.push_back(row);
  }
  const bool ask = !rows.empty() && (hta_ || in_whole_us(rank));
  const Rates named = ask ? named_rates(rank, rows, found.counts.unread) : Rates();
  const std::vector<Ns> next = begins_of_next(rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const GpuRow& row = rows[i];
    const std::optional<std::uint64_t> bytes = rank.bytes(row.slice);
    const Moving moving = moving_of(row, bytes.value_or(0), named, next[i]);
    if (!overlaps(range, moving.time)) continue;
    if (!bytes) ++found.counts.silent;
    if (!bytes && !hta_) continue;
    found.counts.named += moving.told == Told::named;
    found.counts.unfit += moving.told == Told::unfit;
    std::string& word = words[{row.name, row.role}];
    const std::string_view name = profile_.names().view(row.name);
    if (word.empty()) word = hta_ ? kind_of(name) : kind_of(name, row.role);
    Moved& moved = kinds[{hta_ ? 0 : rank.devices[row.device].id, word}];
    if (moved.told.count++ == 0) {
      moved.told.device = row.device;
      moved.told.kind = word;
    }
    moved.changes.add(moving.time.begin, moving.rate);
    moved.changes.add(moving.time.end, -moving.rate);
  }
  for (auto& [key, moved] : kinds) {
    moved.told.rate = within(hta_ ? moved.changes.every_change() : moved.changes.curve(), range);
    if (!moved.told.rate.empty()) found.bandwidths.push_back(std::move(moved.told));
  }
  return found;
}

std::string MemoryBandwidths::note(std::size_t rows) const {
  std::string silent;
  if (counts_.silent > 0)
    silent = fmt::format("Memcpys and memsets excluded because they have no byte count: {}.",
                         format_count(static_cast<std::int64_t>(counts_.silent)));
  if (counts_.by_name > 0)
    silent = joined_notes(
        {silent, fmt::format("GPU activity excluded because it is a memcpy by name only and has no byte count: {}.",
                             format_count(static_cast<std::int64_t>(counts_.by_name)))});
  std::string why;
  if (rows == 0) {
    const bool ran = std::ranges::any_of(ranks(), [&](std::uint32_t r) { return profile_.ranks[r]->counts.runs > 0; });
    why = ran ? silent.empty() && counts_.by_name == 0 ? "No memcpys or memsets in this selection." : ""
              : without_runs_note(ranks().size(), ranks().size());
  }
  std::vector<std::string> rates;
  if (counts_.named > 0)
    rates.push_back(fmt::format("{} memcpys and memsets use the rate recorded in the trace",
                                format_count(static_cast<std::int64_t>(counts_.named))));
  if (counts_.unfit > 0)
    rates.push_back(fmt::format("{} use bytes divided by duration, because the recorded rate contradicts the duration",
                                format_count(static_cast<std::int64_t>(counts_.unfit))));
  std::string said;
  if (!rates.empty()) said = fmt::format("Durations are in whole µs: {}.", fmt::join(rates, "; "));
  return joined_notes({why, said, silent, counts_.unread,
                       impossible_note(count_impossible(profile_, {ranks(), {}}, kMoving), "memory operation")});
}

std::vector<MemoryBandwidth> memory_bandwidths(const trace::Profile& profile, std::uint32_t rank,
                                               const CancelToken* cancel, const ingest::EventLookup* events) {
  const AnalysisInput input{
      .profile = profile, .scope = {{rank}, {}}, .values = {}, .cancel = cancel, .events = events};
  return *MemoryBandwidths(input, {}).of(rank);
}

}  // namespace warpscope::analysis
