// The report as a self-contained HTML page without network access or scripts. It follows the reader's dark or light
// system theme and prints well.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/report/report_document.hpp"
#include "app/cli/report/report_style.hpp"
#include "app/cli/report/report_table.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"
#include "render/charts/svg_writer.hpp"
#include "render/plots/analysis_plot.hpp"
#include "render/plots/evidence_chart.hpp"

namespace warpscope::cli {
namespace {

constexpr float kChartWidth = 1180;
constexpr float kHalfWidth = 578;    // two charts side by side
constexpr float kChartHeight = 320;  // for charts without a natural height
constexpr float kHalfHeight = 220;
constexpr float kMostHeight = 640;
constexpr float kEvidenceWidth = 560;

constexpr std::string_view kJobGroup = "Job";
constexpr std::string_view kRulesGroup = "Rules";

using MakePlot = std::function<plots::AnalysisDrawing(scene::Theme)>;

struct WrittenChart {
  bool drawn = false;
  bool histogram = false;
  std::vector<std::uint32_t> order{};  ///< row order for the table, to match the chart
};

/// Writes a chart for both themes.
WrittenChart write_chart(std::string& out, charts::SvgColors& colors, const Table& table, float width, float height,
                         const MakePlot& make) {
  charts::Drawing drawings[2];
  WrittenChart written;
  for (const scene::Theme theme : {scene::Theme::light, scene::Theme::dark}) {
    const plots::AnalysisDrawing plot = make(theme);
    if (std::holds_alternative<std::monostate>(plot.chart)) {
      if (!plot.words.empty()) fmt::format_to(std::back_inserter(out), "<p class=\"note\">{}</p>\n", html(plot.words));
      return {};
    }
    written = {true, std::holds_alternative<charts::HistogramChart>(plot.chart), plot.order};
    drawings[scene::is_dark(theme) ? 1 : 0] = plots::draw(
        plot.chart, width, std::min(plots::bars_height(plot.chart, height), kMostHeight), charts::svg_style(theme));
  }
  charts::write_svg(out, drawings[0], drawings[1], colors, table.title);
  out += '\n';
  return written;
}

/// Returns the verdict as a colored label, such as "issues found".
std::string verdict_label(rules::Verdict verdict) {
  const bool issue = verdict == rules::Verdict::issues_found;
  return fmt::format("<span class=\"verdict{}\">{}</span>",
                     issue                                  ? " issue"
                     : verdict == rules::Verdict::no_issues ? " good"
                                                            : "",
                     rules::to_string(verdict));
}

std::string rule_id(const rules::Rule& rule) { return html(fmt::format("rule-{}", rule.name)); }

std::string count_cell(const std::optional<std::int64_t>& count) {
  return fmt::format("<td class=\"figure\">{}</td>", count ? html(format_count(*count)) : "–");
}

/// Escapes text and keeps its line breaks.
std::string escaped_lines(std::string_view text) {
  std::string out;
  for (const std::string_view line : parts_of(text, "\n")) out += charts::escaped(line) + '\n';
  return out;
}

/// Returns the parameters, one per line.
std::string lines_of(std::string_view parameters) {
  std::string lines;
  while (!parameters.empty()) {
    const std::size_t comma = std::min(parameters.find(", "), parameters.size());
    lines += (lines.empty() ? "" : "<br>") + html(parameters.substr(0, comma));
    parameters.remove_prefix(std::min(parameters.size(), comma + 2));
  }
  return lines;
}

class ReportPage final : public ReportDocument {
 public:
  ReportPage(std::string title, std::size_t rows) : title_(std::move(title)), rows_(rows) {}

  void add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) override {
    begin(kJobGroup, id, title);
    for (const Table& table : tables) write_html(body_, table, rows_);
    body_ += "</section>\n";
  }

  void add_findings(const rules::Evaluation& evaluation, const trace::Profile& profile) override {
    begin(kJobGroup, "findings", "Findings");
    auto out = std::back_inserter(body_);
    fmt::format_to(out, "<p>{} {}</p>\n", html(rules::summary(evaluation)), html(evaluation.window));
    for (const bool hint : {false, true}) {
      if (std::ranges::none_of(evaluation.findings,
                               [&](const rules::Ranked& each) { return each.finding.hint == hint; }))
        continue;
      const std::string_view list = hint ? "ul" : "ol";
      fmt::format_to(out, "<{} class=\"findings\">\n", list);
      for (const rules::Ranked& each : evaluation.findings)
        if (each.finding.hint == hint) write_finding(evaluation, each);
      fmt::format_to(out, "</{}>\n", list);
    }
    if (const Table places = places_table(evaluation, profile); places.rows() > 0) {
      fmt::format_to(out, "<details><summary>{}: {}</summary>\n", html(places.title),
                     counted(places.rows(), "place", "places"));
      write_html(body_, places, rows_);
      body_ += "</details>\n";
    }
    body_ += "</section>\n";
  }

  void add_rules(const rules::Evaluation& evaluation, const trace::Profile& profile) override {
    begin(kRulesGroup, "rules", "Rules summary");
    fmt::format_to(std::back_inserter(body_), "<p>{}</p>\n", html(rules_lead(evaluation)));
    write_rules_table(evaluation);
    if (const auto aws = rules::aws_table(evaluation, profile)) write_html(body_, *aws, rows_);
    body_ += "</section>\n";
    for (const rules::Evaluated& rule : evaluation.rules)
      if (!rule.outcome.details.empty()) write_rule(rule);
  }

  void add(const ReportSection& section) override {
    begin(section.leads ? kJobGroup : analysis::group_of(*section.analysis), section.analysis->name,
          section.analysis->title);
    fmt::format_to(std::back_inserter(body_), "<p>{}</p>\n", html(analysis::description(*section.analysis)));
    if (!section.tables) {
      fmt::format_to(std::back_inserter(body_), "<p class=\"note\">{}</p>\n", html(section.tables.error().message()));
    } else {
      bool drawn = false;
      for (std::size_t i = 0; i < section.tables->size(); ++i) {
        WrittenChart chart;
        if (!drawn)
          chart = write_chart(body_, colors_, (*section.tables)[i], kChartWidth, kChartHeight, [&](scene::Theme theme) {
            return plots::plot_of(section.analysis->name, *section.tables, i, theme);
          });
        drawn = drawn || chart.drawn;
        Table table = (*section.tables)[i];
        if (!chart.order.empty()) table.reorder(chart.order);
        write_html(body_, table, rows_);
      }
    }
    body_ += "</section>\n";
  }

  [[nodiscard]] std::string text() override {
    std::string out(kReportBegin);
    fmt::format_to(std::back_inserter(out),
                   "<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                   "<title>{0} – Warpscope report</title>\n<style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n",
                   html(title_), report_style(colors_));
    fmt::format_to(std::back_inserter(out), "<p class=\"note\">Generated by Warpscope {}{}</p>\n", WARPSCOPE_VERSION,
                   rows_ == 0 ? "." : fmt::format("; long tables show their first {} rows.", rows_));
    out += "<nav aria-label=\"Contents\">\n";
    for (const auto& [group, links] : contents_)
      fmt::format_to(std::back_inserter(out), "<div><h3>{}</h3><ul>\n{}</ul></div>\n", html(group), links);
    out += "</nav>\n" + body_ + "</main></body></html>\n";
    return out;
  }

 private:
  /// Starts a section and adds it to a group in the table of contents.
  void begin(std::string_view group, std::string_view id, std::string_view title, std::string_view after_title = {}) {
    auto known = std::ranges::find(contents_, group, [](const auto& each) { return std::string_view(each.first); });
    if (known == contents_.end()) known = contents_.insert(contents_.end(), {std::string(group), {}});
    fmt::format_to(std::back_inserter(known->second), "<li><a href=\"#{}\">{}</a></li>\n", id, html(title));
    fmt::format_to(std::back_inserter(body_), "<section id=\"{}\"><h2>{}{}</h2>\n", id, html(title), after_title);
  }

  void write_rules_table(const rules::Evaluation& evaluation) {
    auto out = std::back_inserter(body_);
    const std::vector<const rules::Evaluated*> ordered = by_triggers(evaluation);
    const auto start_row = [&](const rules::Evaluated& rule, std::string_view between) {
      const std::string title = html(rule.rule->title);
      const std::string name =
          rule.outcome.details.empty() ? title : fmt::format("<a href=\"#{}\">{}</a>", rule_id(*rule.rule), title);
      fmt::format_to(out, "<tr><td><b>{}</b>{}<span class=\"note\">{}</span></td><td>{}</td>", name, between,
                     html(rule.rule->name), verdict_label(rule.outcome.verdict));
    };
    body_ +=
        "<div class=\"table\"><table class=\"rules\"><thead><tr><th>Rule</th><th>Verdict</th>"
        "<th class=\"figure\">Times<br>triggered</th><th class=\"figure\">Data points</th><th>Reason</th>"
        "<th>Recommendation</th><th>Parameters</th></tr></thead><tbody>\n";
    for (const rules::Evaluated* each : ordered) {
      if (!times_triggered(*each)) continue;
      start_row(*each, "<br>");
      fmt::format_to(out, "{}{}<td class=\"words\">{}</td><td class=\"words\">{}</td><td class=\"note\">{}</td></tr>\n",
                     count_cell(times_triggered(*each)), count_cell(datapoints_of(*each)), html(each->outcome.why),
                     html(each->rule->advice), lines_of(each->parameters));
    }
    body_ += "</tbody></table></div>\n";
    if (std::ranges::all_of(ordered, [](const rules::Evaluated* each) { return times_triggered(*each).has_value(); }))
      return;
    body_ +=
        "<h3>Rules that could not be evaluated</h3>\n<div class=\"table\"><table class=\"rules\"><thead><tr>"
        "<th>Rule</th><th>Verdict</th><th class=\"figure\">Data "
        "points</th><th>Reason</th><th>Parameters</th></tr></thead>"
        "<tbody>\n";
    for (const rules::Evaluated* each : ordered) {
      if (times_triggered(*each)) continue;
      start_row(*each, " ");
      fmt::format_to(out, "{}<td>{}</td><td class=\"note\">{}</td></tr>\n", count_cell(datapoints_of(*each)),
                     html(each->outcome.why), html(each->parameters));
    }
    body_ += "</tbody></table></div>\n";
  }

  void write_rule(const rules::Evaluated& rule) {
    const rules::Outcome& outcome = rule.outcome;
    begin(kRulesGroup, rule_id(*rule.rule), rule.rule->title, verdict_label(outcome.verdict));
    auto out = std::back_inserter(body_);
    fmt::format_to(out, "<p>{}</p>\n", html(outcome.why));
    if (outcome.verdict == rules::Verdict::issues_found && !rule.rule->advice.empty())
      fmt::format_to(out, "<p>{}</p>\n", html(rule.rule->advice));
    fmt::format_to(out, "<p class=\"note\">{}{}</p>\n", html(rules::description(*rule.rule)),
                   rule.parameters.empty() ? "" : html(" Parameters: " + rule.parameters + "."));
    std::string beside;  // histograms, without their tables of bins
    std::string below;
    std::vector<Table> tables;
    for (const rules::Detail& detail : outcome.details) tables.push_back(detail.table);
    for (std::size_t i = 0; i < tables.size(); ++i) {
      const auto plot = [&](scene::Theme theme) {
        return plots::plot_of(outcome.details[i].chart, {tables[i]}, 0, theme);
      };
      std::string chart;
      if (tables[i].find_role(ColumnRole::bin_start)) {
        write_chart(chart, colors_, tables[i], kHalfWidth, kHalfHeight, plot);
        fmt::format_to(std::back_inserter(beside), "<div><h3>{}</h3>\n{}</div>\n", html(tables[i].title), chart);
        continue;
      }
      const WrittenChart written = write_chart(chart, colors_, tables[i], kChartWidth, kChartHeight, plot);
      below += chart;
      if (!written.order.empty()) tables[i].reorder(written.order);
      write_html(below, tables[i], rows_);
    }
    if (!beside.empty()) body_ += "<div class=\"beside\">\n" + beside + "</div>\n";
    body_ += below + "</section>\n";
  }

  void write_finding(const rules::Evaluation& evaluation, const rules::Ranked& ranked) {
    const std::string saving = rules::saving_text(evaluation, ranked);
    fmt::format_to(std::back_inserter(body_), "<li><strong>{}</strong>{}{}<br>{}<p class=\"note\">{}</p>\n",
                   html(ranked.rule->title), saving.empty() ? "" : ": ", html(saving), html(ranked.finding.headline),
                   html(ranked.finding.advice));
    for (const std::string& line : ranked.finding.evidence_lines)
      fmt::format_to(std::back_inserter(body_), "<p class=\"note\">{}</p>\n", html(line));
    if (!ranked.finding.code.empty())
      fmt::format_to(std::back_inserter(body_), "<pre>{}</pre>\n", escaped_lines(ranked.finding.code));
    const rules::Evidence& evidence = ranked.finding.evidence;
    if (!evidence.bars.empty())
      charts::write_svg(body_, plots::draw_evidence(evidence, kEvidenceWidth, charts::svg_style(scene::Theme::light)),
                        plots::draw_evidence(evidence, kEvidenceWidth, charts::svg_style(scene::Theme::dark)), colors_,
                        evidence.title);
    body_ += "</li>\n";
  }

  std::string title_;
  std::size_t rows_;
  std::vector<std::pair<std::string, std::string>> contents_;  // titles of groups, and their lists of links
  std::string body_;
  charts::SvgColors colors_;
};

}  // namespace

std::unique_ptr<ReportDocument> make_page_report(std::string title, std::size_t rows) {
  return std::make_unique<ReportPage>(std::move(title), rows);
}

}  // namespace warpscope::cli
