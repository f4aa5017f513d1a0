#include "core/analysis/ranks/clock_alignment.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

namespace {

constexpr Ns kLeastApart = 20'000;

template <class Stream, class Alignment>
void transfer(Stream& stream, Alignment& alignment) {
  stream.fields(alignment.shifts, alignment.error, alignment.most, alignment.refused);
}

trace::HostAnswer answer_clocks(HostedProfile& profile, store::StreamReader& content, const CancelToken& cancel) {
  const auto asked = profile.read(content);
  if (!asked) return std::optional<std::vector<std::uint8_t>>();
  store::StreamWriter answer;
  const ClockAlignment alignment = align_clocks(*asked->profile, asked->events.get(), cancel);
  transfer(answer, alignment);
  return std::optional(answer.bytes());
}

}  // namespace

const HostQuestionKind kClocksQuestion{"clocks", answer_clocks};

ClockAlignment align_clocks(const AnalysisInput& input) {
  ClockAlignment alignment;
  const auto comparison = compare_ranks(input);
  const ClockFit& fit = comparison->clocks();
  if (fit.components == 0) return alignment;
  if (!fit.safe()) {
    alignment.refused = fit.refused;
    return alignment;
  }
  std::vector<Ns> shifts(input.profile.ranks.size(), 0);
  for (const std::uint32_t r : comparison->matches().compared) {
    const RankClock& clock = fit.ranks[r];
    if (clock.collectives == 0 || !clock.refused.empty()) continue;
    const Ns offset = std::llround(clock.offset);
    shifts[r] = -offset;
    alignment.most = std::max(alignment.most, std::abs(offset));
    alignment.error = std::max<Ns>(alignment.error, std::llround(clock.error));
  }
  if (alignment.most > kLeastApart) alignment.shifts = std::move(shifts);
  return alignment;
}

ClockAlignment align_clocks(const trace::Profile& profile, const ingest::EventLookup* events,
                            const CancelToken& cancel) {
  if (profile.host != nullptr) {
    const auto answer = HostQuestion(profile, {}).ask(kClocksQuestion, &cancel, [](store::StreamReader& stream) {
      ClockAlignment alignment;
      transfer(stream, alignment);
      return alignment;
    });
    if (answer && !*answer) return {.shifts = {}, .refused = answer->error().message()};
    if (answer) return **answer;
  }
  auto values = ParameterValues::parse(find_analysis("rank_clocks")->parameters, {});
  if (!values) return {};
  return align_clocks(
      {.profile = profile, .scope = {}, .values = std::move(*values), .cancel = &cancel, .events = events});
}

}  // namespace warpscope::analysis
