// what_if: what costs the job time, and what a step would take without it. The Findings page shows the same faults.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/analysis/causes/fault_text.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::what_if {

namespace {

constexpr std::array kParameters{kKernelClassParameter};
constexpr double kAccurate = 0.001;

std::string note_of(const AnalysisInput& input, const RankComparison& comparison, const JobFaults& faults) {
  if (!faults.reason.empty()) return faults.reason;
  const std::string_view a_step = faults.by_steps ? "a step" : "the recording";
  const bool at_best = std::ranges::any_of(
      faults.faults, [](const Fault& fault) { return fault.low < std::max(fault.saving, fault.most); });
  const std::string answer =
      faults.faults.empty() ? fmt::format("Nothing stands out: no cause reaches its limit of 3 to 10 % of {} ({}).",
                                          a_step, format_duration(faults.step_time))
                            : fmt::format("{}. Without {}, {} takes {} instead of {}{}.",
                                          fault_headline(input.profile, comparison, faults, *largest_fault(faults)),
                                          faults.faults.size() == 1 ? "it" : "all of these", a_step,
                                          format_duration(faults.fixed_step_time), format_duration(faults.step_time),
                                          at_best ? " at best" : "");
  const std::string uncertain =
      faults.broken == 0
          ? ""
          : fmt::format("{} GPU activities start before what they depend on ends; the replay moves them.",
                        format_count(static_cast<std::int64_t>(faults.broken)));
  return joined_notes({answer, uncertain,
                       input.scope.range ? "The range is ignored: all evaluated steps are replayed." : "",
                       comparison.matches().compared.size() < 2 ? "" : comparison.match_note()});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto comparison = compare_ranks(input);
  const auto faults = shared_faults(input);
  Table table("what-if", "What a step would take without each cause",
              {{"culprit", "", ColumnRole::name},
               {"cause", "", ColumnRole::answer},
               {"ranks", "", ColumnKind::text},
               {"cost", "", ColumnRole::delay_caused},
               {"saving alone", "", ColumnKind::duration},
               {"saving", "", ColumnRole::total},
               {"saving share", "", ColumnRole::share},
               {"most", "", ColumnKind::duration},
               {"step with all above fixed", "", ColumnRole::duration}});
  for (const Fault& fault : faults->faults) {
    const Culprit culprit = culprit_of(input.profile, *comparison, fault);
    const std::string who = culprit_text(culprit);
    const std::string cause = cause_text(input.profile, fault);
    const std::string ranks = fmt::format("{}", fmt::join(culprit.ranks, " "));
    table.add_row({who.empty() ? std::string_view("whole job") : who, cause, ranks,
                   fault.cost > 0 ? Cell(fault.cost) : Cell(), fault.alone, fault.saving,
                   share_of(fault.saving, faults->step_time), fault.most > fault.saving ? Cell(fault.most) : Cell(),
                   fault.step_time});
  }
  table.note = note_of(input, *comparison, *faults);
  return std::vector{std::move(table)};
}

constexpr std::array kCharts{ChartSpec{.table = "what-if",
                                       .kind = ChartKind::rows,
                                       .title = "Saving per step",
                                       .x = ColumnRole::answer,
                                       .y = ColumnRole::total,
                                       .whole = "All of these"}};

}  // namespace

extern const Analysis kAnalysis{
    "what_if",
    "What if",
    "What costs the job time, and what a step would take without it: slow ranks, nodes, pipeline stages and links, "
    "host pauses, data loading, launches, exposed communication. The recording is replayed without each cause. Causes "
    "with a remedy of their own come first, then limits of the whole job, each time the largest saving first. Each "
    "saving is on top of those above, so they add up. Cost is the extra time on the rank that has most of it; other "
    "work may hide part of it. For pipeline stages, \"most\" is the saving if the host did not delay launches.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::what_if
