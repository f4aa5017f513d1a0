// late_causes: why ranks arrive late at collectives, and how much GPU time each cause costs.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/analysis/ranks/late_explanation.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis::registered::late_causes {

namespace {

constexpr std::array kParameters{kClocksParameter, kKernelClassParameter};

Cell text_or_nothing(const std::string& text) { return text.empty() ? Cell() : Cell(text); }

Table causes_table(const trace::Profile& profile, const LateExplanation& explanation) {
  Table table("late-causes", "Causes of lateness",
              {{"rank", "", ColumnRole::rank},
               {"cause", "", ColumnRole::wait_cause},
               {"GPU time lost", "", ColumnRole::wait_caused},
               {"share", "", ColumnRole::share},
               {"name", "", ColumnRole::name},
               {"stands out", "", ColumnRole::remark},
               {"sentence", "", ColumnRole::answer}});
  for (const Blame& blame : explanation.sum.causes) {
    const std::string name =
        blame.names.empty() ? "" : name_of(profile, explanation.comparison->matches(), blame.names.front().key);
    table.add_row({profile.ranks[blame.rank]->number, to_string(blame.cause), std::llround(blame.lost),
                   share_of(blame.lost, static_cast<double>(explanation.sum.waited)), text_or_nothing(name),
                   blame.stands_out ? "yes" : "no", blame.sentence});
  }
  return table;
}

Table names_table(const trace::Profile& profile, const LateExplanation& explanation) {
  Table table("names", "Causes of lateness by name",
              {{"rank", "", ColumnRole::rank},
               {"cause", "", ColumnRole::wait_cause},
               {"name", "", ColumnRole::name},
               {"GPU time lost", "", ColumnRole::wait_caused},
               {"share", "", ColumnRole::share},
               {"largest excess", "", ColumnKind::duration},
               {"step", "", ColumnRole::step}});
  for (const Blame& blame : explanation.sum.causes)
    for (const NamedBlame& named : blame.names) {
      const RankComparison& comparison = *explanation.comparison;
      const std::string_view step =
          named.where == kNoIndex ? "" : comparison.step_of(comparison.matches().collectives[named.where]);
      table.add_row({profile.ranks[blame.rank]->number, to_string(blame.cause),
                     text_or_nothing(name_of(profile, comparison.matches(), named.key)), std::llround(named.lost),
                     share_of(named.lost, static_cast<double>(explanation.sum.waited)), named.most,
                     step.empty() ? Cell() : Cell(step)});
    }
  return table;
}

Table leads_table(const trace::Profile& profile, const LateExplanation& explanation) {
  const JobCollectives& matches = explanation.comparison->matches();
  Table table("leads", "Late ranks by collective",
              {{"collective", "", ColumnKind::identifier},
               {"group", "", ColumnKind::text},
               {"kind", "", ColumnRole::kind},
               {"step", "", ColumnRole::step},
               {"ranks", "", ColumnKind::text},
               {"late rank", "", ColumnRole::rank},
               {"reference rank", "", ColumnKind::identifier},
               {"lead", "", ColumnRole::delay_caused},
               {"kernels", "", ColumnKind::duration},
               {"host", "", ColumnKind::duration},
               {"launch", "", ColumnKind::duration},
               {"copies", "", ColumnKind::duration},
               {"transfers", "", ColumnKind::duration},
               {"gaps", "", ColumnKind::duration},
               {"before the step", "", ColumnKind::duration},
               {"largest", "", ColumnKind::text},
               {"host call", "", ColumnKind::text},
               {"host call excess", "", ColumnKind::duration}});
  for (std::size_t l = 0; l < explanation.sum.leads.size(); ++l) {
    const Lead& lead = explanation.sum.leads[l];
    const LeadNames& names = explanation.sum.names[l];
    const JobCollective& collective = matches.collectives[lead.collective];
    const std::string_view step = explanation.comparison->step_of(collective);
    const auto part = [&](CauseClass cause) { return lead.excess[static_cast<std::size_t>(cause)]; };
    const CauseKey* call = nullptr;
    Ns excess = 0;
    for (const auto& [key, time] : names.excess)
      if (key.cause == CauseClass::host &&
          (time > excess ||
           (call != nullptr && time == excess && profile.names().view(key.name) < profile.names().view(call->name)))) {
        call = &key;
        excess = time;
      }
    table.add_row(
        {lead.collective, matches.group(collective).name, to_string(matches.signature(collective).kind),
         step.empty() ? Cell() : Cell(step), rank_list(profile, matches, collective), profile.ranks[lead.late]->number,
         profile.ranks[lead.reference]->number, lead.lead, part(CauseClass::kernel), part(CauseClass::host),
         part(CauseClass::launch), part(CauseClass::memory), part(CauseClass::transfer), part(CauseClass::gap),
         part(CauseClass::before), text_or_nothing(explanation.cause_of(profile, lead, names)),
         call == nullptr ? Cell() : Cell(name_of(profile, matches, *call)), call == nullptr ? Cell() : Cell(excess)});
  }
  return table;
}

std::string note_of(const AnalysisInput& input, const LateExplanation& explanation) {
  const RankComparison& comparison = *explanation.comparison;
  const BlameSum& sum = explanation.sum;
  if (comparison.matches().compared.size() < 2) return too_few_ranks(input.profile, "Finding late ranks");
  std::string why = conclusion(sum);
  if (why.empty()) why = "No collectives match across ranks with the same role.";
  const std::string roles =
      sum.asymmetric == 0 ? ""
                          : fmt::format("Excludes {} between ranks with different roles, such as pipeline stages.",
                                        counted(sum.asymmetric, "collective or transfer", "collectives and transfers"));
  const std::string unnamed = sum.unnamed == 0 ? ""
                                               : fmt::format(
                                                     "Causes are named only for the collectives with the most wait "
                                                     "time; the others ({}) are broken down only by class.",
                                                     format_count(static_cast<std::int64_t>(sum.unnamed)));
  return joined_notes({why, sum.leads.empty() ? "" : comparison.clock_note(clock_choice(input.values)), roles, unnamed,
                       comparison.match_note()});
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const auto explanation = explain_late_ranks(input);
  std::vector<Table> tables;
  tables.push_back(causes_table(input.profile, *explanation));
  tables.push_back(names_table(input.profile, *explanation));
  tables.push_back(leads_table(input.profile, *explanation));
  for (Table& table : tables) table.note = note_of(input, *explanation);
  return tables;
}

}  // namespace

extern const Analysis kAnalysis{
    "late_causes", "Causes of late ranks",
    "Why ranks are late and how much GPU time that costs. Charges the wait time at each collective to the activities "
    "that took longer on its last rank than on the median rank since their last common dependency. Causes are kernels, "
    "host calls, memory operations and transfers, found by following dependencies backward across ranks. Also lists "
    "causes by name and by collective. Ranks that arrive less than 20 µs after the median rank, and waits between "
    "ranks with different roles, are not explained.",
    kParameters, run};

}  // namespace warpscope::analysis::registered::late_causes
