#include "core/ingest/build/damage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace warpscope::ingest {

namespace {

constexpr std::array<std::string_view, 5> kCodes{"negative-duration", "absurd-duration", "begins-at-zero",
                                                 "run-without-duration", "overlapping-slices"};

}  // namespace

Possible::Possible(const Begins& begins) {
  const bool any = begins.last >= begins.first_after_zero;
  // Durations over 100 times the range of all starts result from a counter overflow.
  const Ns stretch = any ? begins.last - begins.first_after_zero : 0;
  longest = stretch > kLongestDuration / 100 ? kLongestDuration : std::max(kZeroBeginGap, stretch * 100);
  begins_elsewhere = any && begins.first_after_zero > kZeroBeginGap;
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
