// what_if_ranks: how much faster the job would be if a late rank were as fast as its peers.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "core/analysis/ranks/job_replay.hpp"
#include "core/analysis/ranks/late_explanation.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::what_if_ranks {

namespace {

constexpr std::string_view kCandidates = "candidates";
constexpr std::array kParameters{
    integer_parameter(kCandidates, "number of ranks to replay, most expensive first", "4", 1, 4096), kClocksParameter,
    kKernelClassParameter};
constexpr double kAccurate = 0.001;
constexpr double kLeastGain = 0.01;
constexpr double kShownAsOne = 0.9995;  // slowdowns have three decimals
constexpr double kLarge = 1.05;         // slowdown of the job
constexpr double kExplained = 0.3;      // share of it that the best single rank should explain

double ratio(Ns part, Ns whole) { return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0; }

/// Returns the most expensive ranks, then the others by index.
std::vector<std::uint32_t> candidates(const LateExplanation& explanation, const JobReplay& replay, std::size_t most) {
  std::map<std::uint32_t, double> lost;
  for (const Blame& blame : explanation.sum.causes) lost[blame.rank] += blame.lost;
  std::vector<std::uint32_t> ranks = replay.ranks();
  std::ranges::stable_sort(ranks, std::greater(), [&](std::uint32_t r) { return lost[r]; });
  ranks.resize(std::min(ranks.size(), most));
  return ranks;
}

struct Answer {
  std::uint32_t rank = 0;
  Ns gain = 0;
  Ns alone = 0;  // span if only this rank were as slow as recorded
};

std::string note_of(const trace::Profile& profile, const JobReplay& replay, Ns span, Ns ideal,
                    const std::vector<Answer>& answers, std::size_t ranks) {
  const double slowdown = ratio(span, ideal);
  const Answer& best = answers.front();
  std::string text;
  if (slowdown >= kLarge && static_cast<double>(best.gain) < kExplained * static_cast<double>(span - ideal))
    text = fmt::format(
        "No single rank is to blame: if all ranks were as fast as the median rank, the job would take {} instead of "
        "{}, but fixing one rank would save at most {}. Delays that move from rank to rank, such as host stalls, cause "
        "most of the loss.",
        format_duration(ideal), format_duration(span), format_duration(best.gain));
  else if (ratio(best.gain, span) >= kLeastGain)
    text = fmt::format("If rank {} were as fast as its peers, the job would take {} instead of {} ({} less).",
                       profile.ranks[best.rank]->number, format_duration(span - best.gain), format_duration(span),
                       format_share(ratio(best.gain, span)));
  else
    text = fmt::format("No single rank matters: fixing one would save at most {} of {}.",
                       format_duration(std::max<Ns>(0, best.gain)), format_duration(span));
  const std::string ideal_text =
      fmt::format("If all ranks were as fast as their peers, the job would take {}; slowdown {:.3f}.",
                  format_duration(ideal), slowdown);
  const Ns least =
      std::min(span, std::ranges::min_element(answers, {}, &Answer::alone)->alone);  // with the smallest slowdown shown
  const std::string below_one =
      ratio(least, ideal) < kShownAsOne
          ? "Slowdowns can be below 1, because this replay also slows down ranks that are faster than their peers."
          : "";
  const Ns error = std::abs(span - replay.recorded_span());
  const std::string uncertain =
      replay.broken() > 0 || ratio(error, replay.recorded_span()) > kAccurate
          ? fmt::format(
                "Recorded times contradict each other: the unchanged replay takes {} instead of {}, so gains are "
                "estimates.",
                format_duration(span), format_duration(replay.recorded_span()))
          : "";
  const std::string fewer =
      answers.size() < ranks ? fmt::format("Replayed the {} most expensive of {} ranks.", answers.size(), ranks) : "";
  return joined_notes({text, ideal_text, below_one, uncertain, fewer});
}

/// The replay keeps the start of each rank, so it cannot remove earlier delays.
std::string before_note(const trace::Profile& profile, const BlameSum& sum) {
  for (const Blame& blame : sum.causes)
    if (blame.stands_out && blame.cause == CauseClass::before)
      return fmt::format(
          "Rank {} starts late because of something outside the recording or step; a replay cannot remove this delay.",
          profile.ranks[blame.rank]->number);
  return "";
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  Table table("what-if-ranks", "If a rank were as fast as its peers",
              {{"rank", "", ColumnRole::rank},
               {"gain", "", ColumnRole::delay_caused},
               {"gain share", "", ColumnRole::share},
               {"span", "", ColumnRole::duration},
               {"slowdown alone", "", ColumnKind::real},
               {"span with all above", "", ColumnKind::duration}});
  Table job("job", "Job",
            {{"case", "", ColumnRole::name}, {"span", "", ColumnRole::duration}, {"slowdown", "", ColumnKind::real}});
  const auto explanation = explain_late_ranks(input);
  const RankComparison& comparison = *explanation->comparison;
  if (comparison.matches().compared.size() < 2 || comparison.matches().collectives.empty()) {
    table.note =
        joined_notes({comparison.matches().compared.size() < 2 ? too_few_ranks(input.profile, "Comparing ranks")
                                                               : "No collectives match across ranks.",
                      comparison.match_note()});
    job.note = table.note;
    return std::vector{std::move(table), std::move(job)};
  }
  JobReplay replay(input, comparison, explanation->finder->forest());
  const Ns span = replay.identity_span();
  const Ns ideal = replay.ideal_span();
  std::vector<Answer> answers;
  const auto most = static_cast<std::size_t>(input.values.integer(kCandidates));
  for (const std::uint32_t r : candidates(*explanation, replay, most)) {
    if (cancelled(input.cancel)) break;
    answers.push_back({r, span - replay.span_with(std::array{r}), replay.span_without(r)});
  }
  std::ranges::stable_sort(answers, std::greater(), &Answer::gain);
  std::vector<std::uint32_t> fixed;
  for (const Answer& answer : answers) {
    if (cancelled(input.cancel)) break;
    fixed.push_back(answer.rank);
    const Ns with_all = fixed.size() == 1 ? span - answer.gain : replay.span_with(fixed);
    table.add_row({input.profile.ranks[answer.rank]->number, answer.gain, share_of(answer.gain, span),
                   span - answer.gain, ratio(answer.alone, ideal), with_all});
  }
  job.add_row({"as recorded", replay.recorded_span(), ratio(replay.recorded_span(), ideal)});
  job.add_row({"replayed without changes", span, ratio(span, ideal)});
  job.add_row({"all ranks as fast as their peers", ideal, 1.0});
  if (!answers.empty())
    table.note = job.note =
        joined_notes({note_of(input.profile, replay, span, ideal, answers, replay.ranks().size()),
                      before_note(input.profile, explanation->sum),
                      input.scope.range ? "The range is ignored: the whole recording is replayed." : "",
                      comparison.clock_note(clock_choice(input.values)), comparison.match_note()});
  return std::vector{std::move(table), std::move(job)};
}

}  // namespace

extern const Analysis kAnalysis{
    "what_if_ranks", "If a rank were as fast as its peers",
    "Estimated job speedup if one of the most expensive ranks were as fast as the median rank with the same role. "
    "Replays the recording with the peers' durations for kernels and for host work between launches; communication "
    "keeps its recorded transfer times. Slowdown alone compares two replays: one in which only this rank is as slow as "
    "recorded, and one in which all ranks are as fast as their peers. The last column assumes that all ranks up to "
    "that row are as fast as their peers.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::what_if_ranks
