// Writes an evaluation as tables.
#include <string>
#include <utility>

#include "core/rules/registry.hpp"

namespace warpscope::rules {

std::string place_words(const Place& place, const trace::Profile& profile) {
  if (!place.rank || *place.rank >= profile.ranks.size()) return place.text;
  return "rank " + std::to_string(profile.ranks[*place.rank]->number) + ": " + place.text;
}

std::vector<Table> tables(const Evaluation& evaluation, const trace::Profile& profile) {
  const std::string each = evaluation.by_steps ? " a step" : "";
  Table findings("findings", "Findings",
                 {{"finding", "", ColumnKind::text},
                  {"rule", "", ColumnKind::text},
                  {"cost" + each, "", ColumnKind::duration},
                  {"cost share", "", ColumnRole::share},
                  {"saves at most" + each, "", ColumnKind::duration},
                  {"share saved at most", "", ColumnKind::share},
                  {"advice", "", ColumnKind::text},
                  {"rank", "", ColumnRole::rank},
                  {"device", "", ColumnRole::device},
                  {"begin", "", ColumnRole::start},
                  {"duration", "", ColumnRole::duration}});
  Table places("places", "Where to look",
               {{"rule", "", ColumnKind::text},
                {"place", "", ColumnKind::text},
                {"rank", "", ColumnRole::rank},
                {"device", "", ColumnRole::device},
                {"begin", "", ColumnRole::start},
                {"duration", "", ColumnRole::duration}});
  for (const Ranked& ranked : evaluation.findings) {
    const Finding& finding = ranked.finding;
    std::vector<Cell> cells{finding.sentence, ranked.rule->name,  ranked.cost,   ranked.cost_share,
                            ranked.bound,     ranked.bound_share, finding.advice};
    for (const Place& place : finding.places) {
      const std::vector<Cell> where{place.rank ? Cell(profile.ranks[*place.rank]->number) : Cell(), place.device,
                                    place.time.begin - profile.span.begin, place.time.length()};
      if (&place == &finding.places.front()) cells.insert(cells.end(), where.begin(), where.end());
      places.add_row({ranked.rule->name, place.text, where[0], where[1], where[2], where[3]});
    }
    findings.add_row(cells);
  }
  findings.note = summary(evaluation) + " " + evaluation.window;
  Table rules("rules", "All rules",
              {{"rule", "", ColumnKind::text},
               {"verdict", "", ColumnKind::text},
               {"why", "", ColumnKind::text},
               {"about", "", ColumnKind::text}});
  for (const Evaluated& rule : evaluation.rules)
    rules.add_row({rule.rule->name, to_string(rule.outcome.verdict), rule.outcome.why, rule.rule->about});
  return {std::move(findings), std::move(places), std::move(rules)};
}

}  // namespace warpscope::rules
