#include "core/trace/partial_ranks.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::trace {

namespace {

struct EndKind {
  std::string_view code;
  EarlyEnd why;
  std::string_view of_one;
  std::string_view of_several;
};

// If a file has several of these codes, the first one in this list is the reason.
constexpr std::array<EndKind, 4> kEndKinds{{
    {"still-written", EarlyEnd::still_written, "is still being written and ends", "are still being written and end"},
    {"cancelled", EarlyEnd::reading_stopped, "was only partly read and ends", "were only partly read and end"},
    {"truncated", EarlyEnd::truncated, "is truncated", "are truncated"},
    {"input-damaged", EarlyEnd::damaged, "is corrupt and ends", "are corrupt and end"},
}};

/// Returns why each file ends early, as an index into kEndKinds.
std::unordered_map<std::string_view, std::size_t> early_ends(const Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, std::size_t> ends;
  for (const Diagnostic& one : diagnostics.all()) {
    const auto found = std::ranges::find(kEndKinds, std::string_view(one.code), &EndKind::code);
    if (found == kEndKinds.end()) continue;
    const auto index = static_cast<std::size_t>(found - kEndKinds.begin());
    const auto [entry, fresh] = ends.try_emplace(one.file, index);
    if (!fresh) entry->second = std::min(entry->second, index);
  }
  return ends;
}

std::optional<Ns> end_on_devices(const Rank& rank) {
  std::optional<Ns> end;
  for (const Device& device : rank.devices) {
    const TimeColumn& time = device.busy.get().time();
    if (time.size() > 0) end = std::max(end.value_or(std::numeric_limits<Ns>::min()), time.end(time.size() - 1));
  }
  return end;
}

/// Uses starts rather than ends, because an enclosing event is written before the events it encloses and extends past
/// the truncation.
std::optional<Ns> last_start_on_host(const Rank& rank) {
  std::optional<Ns> last;
  for (const Track& track : rank.tracks) {
    if (track.kind != TrackKind::thread) continue;
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
      const TimeColumn& time = rank.lanes[l].time();
      if (time.size() == 0 || rank.rows_of(l) == LaneKind::damaged) continue;
      last = std::max(last.value_or(std::numeric_limits<Ns>::min()), time.begin(time.size() - 1));
    }
  }
  return last;
}

Ns end_of(const Profile& profile, const Rank& rank) {
  if (const auto end = end_on_devices(rank)) return *end;
  if (const auto last = last_start_on_host(rank)) return *last;
  return rank.span.begin <= rank.span.end ? rank.span.end : profile.span.begin;
}

std::string words(EarlyEnd why, bool several) {
  const EndKind& kind = *std::ranges::find(kEndKinds, why, &EndKind::why);
  return std::string(several ? kind.of_several : kind.of_one);
}

constexpr std::size_t kListed = 3;  // ranks listed with their own time; beyond that, the count and the earliest

}  // namespace

CoveredTime::CoveredTime(const Profile& profile) : profile_(profile) {
  const auto ends = early_ends(profile.diagnostics);
  if (ends.empty()) return;
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r) {
    const std::string& source = profile.ranks[r]->source.path;
    auto found = ends.find(source);
    if (found == ends.end() && is_group(source))
      found = std::ranges::find_if(ends, [&](const auto& end) { return in_group(source, end.first); });
    if (found != ends.end()) partial_.push_back({r, kEndKinds[found->second].why, end_of(profile, *profile.ranks[r])});
  }
}

const PartialRank* CoveredTime::find(std::uint32_t rank) const {
  const auto found = std::ranges::lower_bound(partial_, rank, {}, &PartialRank::rank);
  return found != partial_.end() && found->rank == rank ? &*found : nullptr;
}

Interval CoveredTime::of(std::uint32_t rank, Interval time) const {
  const PartialRank* partial = find(rank);
  if (partial == nullptr) return time;
  return {time.begin, std::clamp(partial->until, time.begin, std::max(time.begin, time.end))};
}

Interval CoveredTime::of(const Gpu& gpu, Interval time) const {
  if (partial_.empty() || gpu.parts.empty()) return time;
  const auto last = std::ranges::max_element(
      gpu.parts, {}, [&](const GpuPart& part) { return profile_.ranks[part.rank]->span.begin; });
  return of(last->rank, time);
}

std::string partial_note(const Profile& profile, std::span<const std::uint32_t> ranks, Ns until) {
  std::array<std::vector<PartialRank>, kEndKinds.size()> by_reason;
  const CoveredTime covered(profile);
  for (const PartialRank& each : covered.partial())
    if (each.until < until && (ranks.empty() || std::ranges::find(ranks, each.rank) != ranks.end()))
      by_reason.at(static_cast<std::size_t>(each.why)).push_back(each);
  const auto after = [&](const PartialRank& each) {
    return " after " + format_duration(saturating_difference(each.until, profile.span.begin));
  };
  std::string text;
  std::size_t count = 0;
  const auto add = [&](const std::string& words) { text += (text.empty() ? "" : "; ") + words; };
  for (std::vector<PartialRank>& some : by_reason) {
    if (some.empty()) continue;
    count += some.size();
    if (some.size() <= kListed) {
      for (const PartialRank& each : some)
        add("rank " + std::to_string(profile.ranks[each.rank]->number) + " " + words(each.why, false) + after(each));
    } else {
      add(format_count(static_cast<std::int64_t>(some.size())) + " ranks " + words(some[0].why, true) + ", the first" +
          after(*std::ranges::min_element(some, {}, &PartialRank::until)));
    }
  }
  if (text.empty()) return text;
  text.front() = text.front() == 'r' ? 'R' : text.front();
  return text + (count == 1 ? "; values cover only that part." : "; values cover only those parts.");
}

std::string partial_note(const Profile& profile) { return partial_note(profile, {}, std::numeric_limits<Ns>::max()); }

}  // namespace warpscope::trace
