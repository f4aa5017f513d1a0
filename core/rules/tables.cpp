// Writes an evaluation as tables.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/rules/aws_report.hpp"
#include "core/rules/registry.hpp"

namespace warpscope::rules {

std::string place_words(const Place& place, const trace::Profile& profile) {
  if (!place.rank || *place.rank >= profile.ranks.size()) return place.text;
  return "rank " + std::to_string(profile.ranks[*place.rank]->number) + ": " + place.text;
}

namespace {

/// Returns an id that is unique among all rules.
std::string id_of(const Rule& rule, const Table& table) { return fmt::format("{}-{}", lower(rule.name), table.id); }

}  // namespace

Table rules_table(const Evaluation& evaluation) {
  Table table(std::string(kRulesTable), "All rules",
              {{"rule", "", ColumnKind::text},
               {"verdict", "", ColumnKind::text},
               {"triggered", "", ColumnKind::integer},
               {"violations", "", ColumnKind::integer},
               {"datapoints", "", ColumnKind::integer},
               {"why", "", ColumnKind::text},
               {"parameters", "", ColumnKind::text},
               {"recommendation", "", ColumnKind::text},
               {"about", "", ColumnKind::text}});
  for (const Evaluated& rule : evaluation.rules) {
    const Outcome& outcome = rule.outcome;
    std::vector<Cell> cells{rule.rule->name, to_string(outcome.verdict)};
    if (const auto& counts = outcome.counts ? outcome.counts : outcome.aws)
      cells.insert(cells.end(), {counts->triggered, counts->violations, counts->datapoints});
    else
      cells.insert(cells.end(), {static_cast<std::int64_t>(outcome.findings.size()), Cell(), Cell()});
    const std::string about = description(*rule.rule);
    cells.insert(cells.end(), {outcome.why, rule.parameters, rule.rule->advice, about});
    table.add_row(cells);
  }
  return table;
}

std::optional<Table> aws_table(const Evaluation& evaluation, const trace::Profile& profile) {
  const std::vector<AwsReport> reports = aws_reports(profile);
  if (reports.empty()) return std::nullopt;
  Table table("aws-report", "AWS's report",
              {{"rule", "", ColumnKind::text},
               {"triggered by AWS", "", ColumnKind::integer},
               {"violations by AWS", "", ColumnKind::integer},
               {"datapoints of AWS", "", ColumnKind::integer},
               {"verdict here", "", ColumnKind::text},
               {"triggered here", "", ColumnKind::integer},
               {"violations here", "", ColumnKind::integer},
               {"datapoints here", "", ColumnKind::integer},
               {"AWS's parameters", "", ColumnKind::text}});
  for (const AwsReport& report : reports) {
    const auto own = std::ranges::find_if(
        evaluation.rules, [&](const Evaluated& each) { return lower(each.rule->name) == lower(report.rule); });
    std::vector<Cell> cells{report.rule, report.counts.triggered, report.counts.violations, report.counts.datapoints};
    cells.resize(8);
    cells.push_back(report.parameters);
    if (own != evaluation.rules.end()) {
      cells[4] = to_string(own->outcome.verdict);
      const AwsCounts here = own->outcome.aws.value_or(AwsCounts());
      cells[5] = here.triggered;
      cells[6] = here.violations;
      cells[7] = here.datapoints;
    }
    table.add_row(cells);
  }
  table.note = evaluation.aws
                   ? "Counts in the \"here\" columns use AWS's arithmetic and the parameters from its report."
                   : "Counts in the \"here\" columns use AWS's arithmetic and your parameters; --aws uses those from "
                     "the report. Verdicts avoid AWS's bugs.";
  return table;
}

namespace {

/// Returns the cells for node, rank, device, start and duration.
std::vector<Cell> where_of(const Place& place, const trace::Profile& profile) {
  const std::uint32_t node = place.metric ? place.metric->node
                             : place.rank ? profile.node_of_rank[*place.rank]
                                          : trace::Node::kNone;
  return {node < profile.nodes.size() ? Cell(profile.nodes[node].label) : Cell(),
          place.rank ? Cell(profile.ranks[*place.rank]->number) : Cell(), place.device,
          place.time.begin - profile.span.begin, place.time.length()};
}

}  // namespace

std::vector<Table> tables(const Evaluation& evaluation, const trace::Profile& profile) {
  const std::string each = evaluation.by_steps ? " a step" : "";
  const std::string per_step = evaluation.by_steps ? " per step" : "";
  Table findings("findings", "Findings",
                 {Column("finding", ColumnKind::text).csv("headline"),
                  {"rule", "", ColumnKind::text},
                  Column("cost" + each, ColumnKind::duration).labeled("cost" + per_step).csv("cost_per_step_ns"),
                  {"cost share", "", ColumnRole::share},
                  Column("saving" + each, ColumnKind::duration).labeled("saving" + per_step).csv("saving_per_step_ns"),
                  {"saving share", "", ColumnKind::share},
                  Column("advice", ColumnKind::text).csv("action"),
                  {"node", "", ColumnRole::node},
                  {"rank", "", ColumnRole::rank},
                  {"device", "", ColumnRole::device},
                  Column("start", ColumnRole::start),
                  Column("duration", ColumnRole::duration),
                  {"code", "", ColumnKind::text},
                  {"evidence", "", ColumnKind::text}});
  Table places(std::string(kPlacesTable), "Where to look",
               {{"rule", "", ColumnKind::text},
                {"place", "", ColumnKind::text},
                {"node", "", ColumnRole::node},
                {"rank", "", ColumnRole::rank},
                {"device", "", ColumnRole::device},
                Column("start", ColumnRole::start),
                Column("duration", ColumnRole::duration)});
  for (const Ranked& ranked : evaluation.findings) {
    const Finding& finding = ranked.finding;
    const bool timed = finding.cost > 0;  // rules for system metrics report no cost
    std::vector<Cell> cells{finding.headline,
                            ranked.rule->name,
                            timed ? Cell(ranked.cost) : Cell(),
                            timed ? Cell(ranked.cost_share) : Cell(),
                            timed ? Cell(ranked.saving) : Cell(),
                            timed ? Cell(ranked.saving_share) : Cell(),
                            finding.advice};
    if (!finding.places.empty()) {
      const std::vector<Cell> where = where_of(finding.places.front(), profile);
      cells.insert(cells.end(), where.begin(), where.end());
    }
    cells.resize(findings.columns().size() - 2);
    cells.push_back(finding.code.empty() ? Cell() : Cell(finding.code));
    const std::string lines = fmt::format("{}", fmt::join(finding.evidence_lines, " "));  // cells refer to it
    cells.push_back(lines.empty() ? Cell() : Cell(lines));
    findings.add_row(cells);
  }
  // Lists the first place of each finding, then the second, and so on, so the first rows cover all findings.
  for (std::size_t i = 0; i < kMostPlaces; ++i)
    for (const Ranked& ranked : evaluation.findings) {
      if (i >= ranked.finding.places.size()) continue;
      const Place& place = ranked.finding.places[i];
      std::vector<Cell> cells{ranked.rule->name, place.text};
      const std::vector<Cell> where = where_of(place, profile);
      cells.insert(cells.end(), where.begin(), where.end());
      places.add_row(cells);
    }
  Table evidence("evidence", "Figures behind the findings",
                 {{"rule", "", ColumnKind::text},
                  {"chart", "", ColumnKind::text},
                  {"item", "", ColumnKind::text},
                  {"time", "", ColumnKind::duration},
                  {"share", "", ColumnKind::share}});
  for (const Ranked& ranked : evaluation.findings) {
    const Evidence& of = ranked.finding.evidence;
    for (const Evidence::Bar& bar : of.bars) {
      std::vector<Cell> cells{ranked.rule->name, of.title, bar.label, Cell(), Cell()};
      cells[of.kind == ColumnKind::duration ? 3 : 4] = bar.value;
      evidence.add_row(cells);
    }
  }
  findings.note = summary(evaluation) + " " + evaluation.window;
  std::vector<Table> all;
  all.push_back(std::move(findings));
  all.push_back(std::move(places));
  if (evidence.rows() > 0) all.push_back(std::move(evidence));
  if (auto aws = aws_table(evaluation, profile)) all.push_back(std::move(*aws));
  for (const Evaluated& rule : evaluation.rules)
    for (const Detail& detail : rule.outcome.details) {
      all.push_back(detail.table);
      all.back().id = id_of(*rule.rule, detail.table);
    }
  all.push_back(rules_table(evaluation));
  return all;
}

}  // namespace warpscope::rules
