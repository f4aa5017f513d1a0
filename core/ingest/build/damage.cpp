#include "core/ingest/build/damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/base/format.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::array<std::string_view, kDamages> kCodes{"negative-duration", "absurd-duration", "begins-at-zero",
                                                        "stray-slice",       "kernel-overflow", "run-without-duration",
                                                        "overlapping-slices"};

}  // namespace

Possible::Possible(Interval bulk) {
  const bool any = bulk.begin <= bulk.end;
  if (any) begins = bulk;
  // Durations over 100 times the range of all starts result from a counter overflow.
  const Ns stretch = any ? saturating_difference(bulk.end, bulk.begin) : 0;
  longest = stretch > kLongestDuration / 100 ? kLongestDuration : std::max(kZeroBeginGap, stretch * 100);
  begins_elsewhere = any && (bulk.begin > kZeroBeginGap || bulk.end < -kZeroBeginGap);
}

void drop_stray_samples(PendingRank& pending, const TimeBulk& slices, const std::string& file,
                        Diagnostics& diagnostics) {
  if (pending.counters.empty() && pending.memory.empty()) return;
  TimeBulk times;
  times.add(slices);
  for (const PendingCounter& counter : pending.counters)
    for (const auto& [time, value] : counter.samples) times.add(time);
  for (const MemorySample& sample : pending.memory) times.add(sample.time);
  const Interval bulk = times.bulk();
  const auto drop = [&](auto& samples, std::string_view name, auto time_of) {
    std::erase_if(samples, [&](const auto& sample) {
      const Ns time = time_of(sample);
      const bool stray = time < bulk.begin || time > bulk.end;
      if (stray && !diagnostics.add_known("stray-sample", file))
        diagnostics.add("stray-sample", Severity::warning, file, Diagnostic::kNoOffset,
                        fmt::format("{} (time {} ns)", name.substr(0, 80), time));
      return stray;
    });
  };
  for (PendingCounter& counter : pending.counters)
    drop(counter.samples, counter.name, [](const auto& sample) { return sample.first; });
  drop(pending.memory, "memory", [](const MemorySample& sample) { return sample.time; });
  std::erase_if(pending.counters, [](const PendingCounter& counter) { return counter.samples.empty(); });
}

void note_gaps(const TimeBulk& times, const std::string& file, Diagnostics& diagnostics) {
  constexpr Ns kNearlyAll = 10;  // less than 1/10 is not in gaps
  const Interval bulk = times.bulk();
  const Ns gaps = bulk.begin <= bulk.end ? times.gaps(bulk) : 0;
  const Ns length = saturating_difference(bulk.end, bulk.begin);
  if (gaps > 0 && length - gaps < length / kNearlyAll)
    diagnostics.add("mostly-gaps", Severity::warning, file, Diagnostic::kNoOffset,
                    fmt::format("{} of {}", format_duration(gaps), format_duration(length)));
}

void DamageReport::add(Damage damage, const PendingSlice& slice, Ns begin, Ns duration) {
  Case& known = cases_[static_cast<std::size_t>(damage)];
  if (known.count++ == 0 || slice.offset() < known.offset)
    known = {known.count, slice.offset(), begin, duration, slice.name()};
}

void DamageReport::add(const DamageReport& other) {
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const Case& more = other.cases_[i];
    if (more.count == 0) continue;
    Case& known = cases_[i];
    const std::uint64_t count = known.count + more.count;
    if (known.count == 0 || more.offset < known.offset) known = more;
    known.count = count;
  }
}

void DamageReport::write(Diagnostics& diagnostics, const std::string& file, const Interner& names) const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < cases_.size(); ++i)
    if (cases_[i].count > 0) order.push_back(i);
  std::ranges::sort(order, {}, [&](std::size_t i) { return cases_[i].offset; });
  for (const std::size_t i : order) {
    const Case& found = cases_[i];
    const std::string_view name = names.view(found.name).substr(0, 80);
    if (i >= static_cast<std::size_t>(Damage::run_without_duration))
      diagnostics.add(kCodes[i], Severity::info, file, found.offset, name, found.count);
    else
      diagnostics.add(kCodes[i], Severity::warning, file, found.offset,
                      fmt::format("{} (start {} ns, duration {} ns)", name, found.begin, found.duration), found.count);
  }
}

}  // namespace warpscope::ingest
