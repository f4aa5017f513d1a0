#include "app/cli/report/report_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "app/cli/report/report_style.hpp"
#include "app/cli/report/report_table.hpp"
#include "core/base/format.hpp"
#include "render/plots/analysis_plot.hpp"
#include "render/plots/evidence_chart.hpp"

namespace warpscope::cli {
namespace {

constexpr float kChartWidth = 1180;
constexpr float kChartHeight = 320;  // for charts without a natural height
constexpr float kMostHeight = 640;
constexpr float kEvidenceWidth = 560;

/// Writes the chart of a table in both themes and sets the row order to match; false if it has no chart.
bool write_chart(std::string& out, charts::SvgColors& colors, std::string_view analysis,
                 const std::vector<Table>& tables, std::size_t index, std::vector<std::uint32_t>& order) {
  charts::Drawing drawings[2];
  for (const scene::Theme theme : {scene::Theme::light, scene::Theme::dark}) {
    const plots::AnalysisDrawing plot = plots::plot_of(analysis, tables, index, theme);
    if (std::holds_alternative<std::monostate>(plot.chart)) {
      if (!plot.words.empty()) fmt::format_to(std::back_inserter(out), "<p class=\"note\">{}</p>\n", html(plot.words));
      return false;
    }
    order = plot.order;
    const charts::ChartStyle style = charts::svg_style(theme);
    drawings[scene::is_dark(theme) ? 1 : 0] = plots::draw(
        plot.chart, kChartWidth, std::min(plots::bars_height(plot.chart, kChartHeight), kMostHeight), style);
  }
  charts::write_svg(out, drawings[0], drawings[1], colors, tables[index].title);
  out += '\n';
  return true;
}

}  // namespace

void ReportPage::begin(std::string_view id, std::string_view title) {
  fmt::format_to(std::back_inserter(contents_), "<li><a href=\"#{}\">{}</a></li>\n", id, html(title));
  fmt::format_to(std::back_inserter(body_), "<section id=\"{}\"><h2>{}</h2>\n", id, html(title));
}

void ReportPage::add_part(std::string_view id, std::string_view title, const std::vector<Table>& tables) {
  begin(id, title);
  for (const Table& table : tables) write_html(body_, table, rows_);
  body_ += "</section>\n";
}

void ReportPage::add_findings(const rules::Evaluation& evaluation, const std::vector<Table>& tables) {
  begin("findings", "Findings");
  auto out = std::back_inserter(body_);
  fmt::format_to(out, "<p>{} {}</p>\n", html(rules::summary(evaluation)), html(evaluation.window));
  for (const bool hint : {false, true}) {
    const std::string_view list = hint ? "ul" : "ol";
    fmt::format_to(out, "<{}>\n", list);
    for (const rules::Ranked& each : evaluation.findings)
      if (each.finding.hint == hint) write_finding(evaluation, each);
    fmt::format_to(out, "</{}>\n", list);
  }
  for (const Table& table : tables_below(tables)) write_html(body_, table, rows_);
  body_ += "</section>\n";
}

void ReportPage::write_finding(const rules::Evaluation& evaluation, const rules::Ranked& ranked) {
  const std::string saving = saving_words(evaluation, ranked);
  fmt::format_to(std::back_inserter(body_), "<li><strong>{}</strong>{}{}<br>{}<p class=\"note\">{}</p>\n",
                 html(ranked.rule->title), saving.empty() ? "" : ": ", html(saving), html(ranked.finding.sentence),
                 html(ranked.finding.advice));
  const rules::Evidence& evidence = ranked.finding.evidence;
  if (!evidence.bars.empty())
    charts::write_svg(body_, plots::draw_evidence(evidence, kEvidenceWidth, charts::svg_style(scene::Theme::light)),
                      plots::draw_evidence(evidence, kEvidenceWidth, charts::svg_style(scene::Theme::dark)), colors_,
                      evidence.title);
  body_ += "</li>\n";
}

void ReportPage::add(const ReportSection& section) {
  begin(section.analysis->name, section.analysis->title);
  fmt::format_to(std::back_inserter(body_), "<p>{}</p>\n", html(analysis::description(*section.analysis)));
  if (!section.tables) {
    fmt::format_to(std::back_inserter(body_), "<p class=\"note\">{}</p>\n", html(section.tables.error().message()));
  } else {
    bool drawn = false;
    for (std::size_t i = 0; i < section.tables->size(); ++i) {
      std::vector<std::uint32_t> order;
      if (!drawn) drawn = write_chart(body_, colors_, section.analysis->name, *section.tables, i, order);
      Table table = (*section.tables)[i];
      if (!order.empty()) table.reorder(order);
      write_html(body_, table, rows_);
    }
  }
  body_ += "</section>\n";
}

std::string ReportPage::text() {
  std::string out(kReportBegin);
  fmt::format_to(std::back_inserter(out),
                 "<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                 "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                 "<title>{0} – Warpscope report</title>\n<style>{1}</style></head>\n<body><main>\n<h1>{0}</h1>\n",
                 html(title_), report_style(colors_));
  fmt::format_to(std::back_inserter(out), "<p class=\"note\">Written by Warpscope {}{}</p>\n", WARPSCOPE_VERSION,
                 rows_ == 0 ? "." : fmt::format("; the first {} rows of long tables.", rows_));
  out += "<nav aria-label=\"Contents\"><ul>\n" + contents_ + "</ul></nav>\n" + body_ + "</main></body></html>\n";
  return out;
}

}  // namespace warpscope::cli
