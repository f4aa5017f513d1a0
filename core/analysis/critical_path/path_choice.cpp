#include "core/analysis/critical_path/path_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/what_is_there.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis {
namespace {

std::vector<std::string_view> pieces_of(std::string_view list) {
  std::vector<std::string_view> pieces;
  for (const std::string_view part : parts_of(list, ","))
    if (!trimmed(part).empty()) pieces.push_back(trimmed(part));
  return pieces;
}

/// Finds the enumerator named by this word among the first `count`.
template <class Kind>
std::optional<std::size_t> find_word(std::string_view word, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    if (!word.empty() && word_of(static_cast<Kind>(k)) == word) return k;
  return std::nullopt;
}

std::optional<double> factor_of(std::string_view text) {
  const auto value = parse_number<double>(text);
  return value && std::isfinite(*value) && *value >= 0 ? value : std::nullopt;
}

}  // namespace

Result<WhatIf> parse_what_if(std::string_view scale, std::string_view without) {
  WhatIf what_if;
  for (const std::string_view piece : pieces_of(scale)) {
    const std::size_t equals = piece.find('=');
    const auto bound = find_word<BoundBy>(trimmed(piece.substr(0, std::min(equals, piece.size()))), kBounds);
    const auto factor = equals == piece.npos ? std::nullopt : factor_of(trimmed(piece.substr(equals + 1)));
    if (!bound || !factor)
      return Error{"scale", fmt::format("cannot be \"{}\"", piece),
                   "use NAME=FACTOR, such as compute=0.5; NAME is cpu, data_loading, compute, communication, memory, "
                   "launch or gap; FACTOR must not be negative"};
    what_if.scale[*bound] = *factor;
  }
  for (const std::string_view piece : pieces_of(without)) {
    const auto kind = find_word<EdgeKind>(piece, kEdgeKinds);
    if (!kind)
      return Error{"without", fmt::format("cannot be \"{}\"", piece),
                   "use a comma-separated list of operator, dependency, launch, kernel or sync"};
    what_if.without[*kind] = true;
  }
  return what_if;
}

Interval looked_at(const trace::Rank& rank, Interval window, const HtaSteps* steps, bool rounding) {
  if (const auto last = steps != nullptr ? steps->last_begin(rank) : std::nullopt)
    window.end = std::min(window.end, saturating_add(*last, -1));
  return rounding ? hta_rounded(window) : window;
}

PathWindow path_window(const trace::Profile& profile, std::uint32_t rank_index, std::string_view annotation,
                       std::uint64_t instance, const std::optional<Interval>& range) {
  const trace::Rank& rank = *profile.ranks[rank_index];
  const auto missing = [&](std::string_view what, std::size_t count) {
    return count == 0 ? fmt::format("No annotation or call on this rank matches {}. Available annotations: {}.", what,
                                    annotations_there(profile, {&rank_index, 1}))
                      : fmt::format("{} instance {} does not exist; the last one is {}.", what, instance, count - 1);
  };
  if (annotation.empty()) {
    if (range) return {std::string(kRangeWindow), *range, ""};
    if (rank.steps.empty() && rank.span.begin > rank.span.end)
      return {std::string(kWholeWindow), {}, "Nothing was recorded on this rank."};
    if (rank.steps.empty()) return {std::string(kWholeWindow), rank.span, ""};
    if (instance >= rank.steps.size()) return {"", {}, missing("Step", rank.steps.size())};
    const trace::Step& step = rank.steps[instance];
    return {std::string(profile.names().view(step.name)), step.time, ""};
  }
  std::vector<char> matches(profile.names().size());
  for (NameId id = 0; id < matches.size(); ++id)
    matches[id] = profile.names().view(id).find(annotation) != std::string_view::npos ? 1 : 0;
  struct Found {
    Interval time;
    trace::SliceOrdinal slice;
    NameId name;
  };
  std::vector<Found> all;
  for (const trace::Track& track : rank.tracks) {
    if (track.kind != trace::TrackKind::thread) continue;
    for (const std::uint32_t l : recorded_lanes(rank, track)) {
      const trace::Lane& lane = rank.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        if (matches[lane.name(i)] != 0)
          all.push_back({{lane.time().begin(i), lane.time().end(i)}, rank.lane_start[l] + i, lane.name(i)});
    }
  }
  if (instance >= all.size()) return {"", {}, missing(fmt::format("\"{}\"", annotation), all.size())};
  const auto wanted = all.begin() + static_cast<std::ptrdiff_t>(instance);
  std::ranges::nth_element(all, wanted, {}, [](const Found& each) { return std::pair(each.time.begin, each.slice); });
  return {std::string(profile.names().view(wanted->name)), wanted->time, ""};
}

}  // namespace warpscope::analysis
