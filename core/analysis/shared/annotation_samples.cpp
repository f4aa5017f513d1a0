#include <array>
#include <map>
#include <optional>
#include <unordered_map>

#include "core/analysis/request/samples.hpp"
#include "core/analysis/shared/annotation_walk.hpp"
#include "core/base/ascii.hpp"
#include "core/trace/annotation_family.hpp"

namespace warpscope::analysis {

using trace::Rank;

namespace {

/// Returns the sample of a slice, unless it crosses an edge of the range.
std::optional<Sample> sample_of(const trace::Profile& profile, const Scope& scope, std::uint32_t r, std::uint32_t l,
                                std::uint32_t i) {
  const Rank& rank = *profile.ranks[r];
  const Interval time{rank.lanes[l].time().begin(i), rank.lanes[l].time().end(i)};
  const bool device = rank.tracks[rank.track_of_lane(l)].kind == trace::TrackKind::stream;
  const auto range = device ? scope.on_gpu(r) : scope.on_host(r);
  if (range && !is_within(time, *range)) return std::nullopt;
  return Sample{{r, rank.ordinal({l, i})}, time.begin, time.length()};
}

/// Users write "step_#N" for all of step_1, step_2, …
std::string family_typed(std::string_view typed) {
  if (!typed.ends_with("#N")) return std::string(typed);
  const std::string numbered = std::string(typed.substr(0, typed.size() - 2)) + "0";
  return std::string(trace::annotation_family(numbered));
}

/// Returns how well a name matches the user's input.
AnnotationMatch match_of(std::string_view name, std::string_view typed, std::string_view family,
                         const std::string& folded) {
  if (trace::annotation_family(name) == family) return AnnotationMatch::family;
  if (name == typed) return AnnotationMatch::name;
  return lower(name).find(folded) != std::string::npos ? AnnotationMatch::part : AnnotationMatch::none;
}

}  // namespace

AnnotationSamples annotation_samples(const trace::Profile& profile, const Scope& scope, std::string_view typed,
                                     Side side, const CancelToken* cancel) {
  AnnotationSamples result;
  if (typed.empty()) return result;
  const std::string family = family_typed(typed);
  const std::string folded = lower(typed);
  std::unordered_map<NameId, AnnotationMatch> known;
  for_each_annotation(profile, scope, side, cancel, [&](std::uint32_t r, std::uint32_t l, std::uint32_t i) {
    const NameId id = profile.ranks[r]->lanes[l].name(i);
    const auto [entry, fresh] = known.try_emplace(id);
    if (fresh) entry->second = match_of(profile.names().view(id), typed, family, folded);
    const AnnotationMatch match = entry->second;
    // Better matches come first in the enumeration and discard worse ones.
    if (match == AnnotationMatch::none || (result.match != AnnotationMatch::none && match > result.match)) return;
    if (match != result.match) result.samples.clear();
    result.match = match;
    if (const auto sample = sample_of(profile, scope, r, l, i)) result.samples.push_back(*sample);
  });
  return result;
}

std::vector<AnnotationFamily> annotation_families(const trace::Profile& profile, const Scope& scope,
                                                  const CancelToken* cancel) {
  std::map<std::string, std::array<std::vector<Sample>, 2>, std::less<>> families;
  for (const Side side : {Side::cpu, Side::gpu}) {
    std::unordered_map<NameId, std::vector<Sample>*> known;
    for_each_annotation(profile, scope, side, cancel, [&](std::uint32_t r, std::uint32_t l, std::uint32_t i) {
      const auto sample = sample_of(profile, scope, r, l, i);
      if (!sample) return;
      const NameId id = profile.ranks[r]->lanes[l].name(i);
      const auto [entry, fresh] = known.try_emplace(id);
      if (fresh)
        entry->second =
            &families[std::string(trace::annotation_family(profile.names().view(id)))][static_cast<std::size_t>(side)];
      entry->second->push_back(*sample);
    });
  }
  std::vector<AnnotationFamily> result;
  for (auto& [family, sides] : families)
    for (const Side side : {Side::cpu, Side::gpu})
      if (auto& samples = sides[static_cast<std::size_t>(side)]; !samples.empty())
        result.push_back({family, side, std::move(samples)});
  return result;
}

}  // namespace warpscope::analysis
