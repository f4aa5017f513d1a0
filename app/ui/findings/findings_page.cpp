#include "app/ui/findings/findings_page.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/small_controls.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/rules/aws_report.hpp"

namespace warpscope::ui {
namespace {

/// Creates a table with one row per rule, using the same titles as the cards. Includes the verdicts from AWS's report
/// if there is one.
Table verdicts_table(const rules::Evaluation& evaluation, const trace::Profile& profile) {
  const std::vector<rules::AwsReport> reports = rules::aws_reports(profile);
  std::vector<Column> columns{{"rule", "", ColumnKind::text}, {"verdict", "", ColumnKind::text}};
  if (!reports.empty()) columns.emplace_back("AWS's report", "", ColumnKind::text);
  columns.emplace_back("why", "", ColumnKind::text);
  Table table("all-rules", "All rules", std::move(columns));
  for (const rules::Evaluated& each : evaluation.rules) {
    std::vector<Cell> cells{each.rule->title, rules::to_string(each.outcome.verdict)};
    const auto report = std::ranges::find_if(
        reports, [&](const rules::AwsReport& of) { return lower(of.rule) == lower(each.rule->name); });
    std::string aws;
    if (report != reports.end())
      aws = report->counts.triggered > 0 ? fmt::format("triggered {} times", format_count(report->counts.triggered))
                                         : std::string("not triggered");
    if (!reports.empty()) cells.emplace_back(aws);
    cells.emplace_back(each.outcome.why);
    table.add_row(cells);
  }
  return table;
}

}  // namespace

FindingsPage::FindingsPage(AppContext& context) : Page(registered::findings::kPage), app_(context) {
  context.findings = this;
  add_commands();
}

bool FindingsPage::available() const {
  const auto& profile = app_.session.profile();
  return profile && (!profile->ranks.empty() || !profile->metrics.empty() || rules::has_aws_reports(*profile));
}

bool FindingsPage::busy() const {
  return work_.running() || (available() && app_.session.profile()->complete && shown_ != app_.session.generation());
}

const rules::Evaluation* FindingsPage::evaluation() const {
  return result_ && result_->evaluation ? &*result_->evaluation : nullptr;
}

std::size_t FindingsPage::shown_findings() const {
  return evaluation() == nullptr ? 0 : std::min(kMostFindings, evaluation()->findings.size());
}

void FindingsPage::add_commands() {
  const CommandGroup add(app_.commands, "Findings", id(), [this] { return shown_findings() > 0; });
  add("findings.next", "Next finding", {"Down"}, [this] { choose(chosen_ ? (*chosen_ + 1) % shown_findings() : 0); });
  add("findings.previous", "Previous finding", {"Up"},
      [this] { choose(((chosen_ ? *chosen_ : 0) + shown_findings() - 1) % shown_findings()); });
  add("findings.show", "Show the finding in the Timeline", {"Enter"}, [this] { show_place(chosen_.value_or(0), 0); });
  add("findings.places", "List the finding's occurrences", {"Space"}, [this] {
    const std::size_t finding = chosen_.value_or(0);
    choose(finding);
    opened_ = opened_ == finding ? std::nullopt : std::optional(finding);
  });
  add("findings.rule", "Show the details of the finding's rule", {"E"},
      [this] { show_rule(*evaluation()->findings[chosen_.value_or(0)].rule); });
  const auto scrolls = [&](const char* command, const char* name, float by, std::string_view key) {
    add(command, name, {key}, [this, by] { scroll_by_ = by; });
  };
  scrolls("findings.page_down", "Scroll down", 1, "PageDown");
  scrolls("findings.page_up", "Scroll up", -1, "PageUp");
  scrolls("findings.end", "Scroll to the list of all rules", 1e6F, "End");
  scrolls("findings.home", "Scroll to the first finding", -1e6F, "Home");
  add("findings.copy", "Copy the findings", {"Ctrl+Shift+C"}, [this] { copy(); });
}

void FindingsPage::show_rule(const rules::Rule& rule) {
  for (const rules::Evaluated& each : evaluation()->rules)
    if (each.rule->name == rule.name) details_.show(each);
  scroll_to_details_ = 2;
}

void FindingsPage::choose(std::size_t finding) {
  if (finding >= shown_findings()) return;
  chosen_ = finding;
  scroll_to_chosen_ = true;
}

void FindingsPage::show_place(std::size_t finding, std::size_t place) {
  const rules::Evaluation* now = evaluation();
  if (now == nullptr || finding >= now->findings.size() || shown_ != app_.session.generation()) return;
  const auto& places = now->findings[finding].finding.places;
  if (place >= places.size()) {
    app_.messages.info("This finding does not have a single location in the Timeline", app_.now);
    return;
  }
  const rules::Place& at = places[place];
  if (at.metric) {
    const trace::Profile& profile = *app_.session.profile();
    const auto all = profile.metrics[profile.nodes[at.metric->node].metrics]->series();
    MetricsRequest rows{at.metric->node, {}};
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (all[i].metric == at.metric->metric && (!at.metric->instance || all[i].instance == *at.metric->instance))
        rows.items.push_back(i);
    RankRequest request{0, {}, at.time, {}, true};
    request.metrics = std::move(rows);
    return show_in_timeline_page(app_, std::move(request));
  }
  if (!at.rank) return show_in_timeline_page(app_, at.time);
  if (at.slice) return show_in_timeline_page(app_, trace::SliceRef{*at.rank, *at.slice});
  RankRequest request{*at.rank, {}, at.time, {}, true};
  const trace::Rank& rank = *app_.session.profile()->ranks[*at.rank];
  for (std::uint32_t t = 0; at.device && t < rank.tracks.size(); ++t)
    if (rank.tracks[t].kind == trace::TrackKind::stream && rank.tracks[t].process == *at.device)
      request.tracks.push_back(t);
  show_in_timeline_page(app_, std::move(request));
}

void FindingsPage::copy() {
  const rules::Evaluation& now = *evaluation();
  std::string words = rules::summary(now) + " " + now.window + "\n";
  for (std::size_t i = 0; i < shown_findings(); ++i) {
    const rules::Ranked& each = now.findings[i];
    words +=
        fmt::format("\n{}\n   {}\n   {}\n", rules::numbered_title(now, i), each.finding.headline, each.finding.advice);
    for (const std::string& line : each.finding.evidence_lines) words += fmt::format("   - {}\n", line);
    words += each.finding.code;
  }
  copy_text(app_, words);
}

void FindingsPage::update() {
  const Session& session = app_.session;
  if (auto result = work_.take(); result && asked_id_ == session.current_id()) {
    shown_ = asked_;
    shown_id_ = asked_id_;
    details_.close();
    result_ = std::move(*result);
    for (ChartView& chart : charts_) chart.changed();
    chosen_ = shown_findings() > 0 ? std::optional<std::size_t>(0) : std::nullopt;
    opened_.reset();
    if (result_) {
      rules_view_.set_table(result_->rules);
      for (const Error& problem : result_->user.problems) app_.messages.error(problem);
    }
  }
  if (shown_id_ != session.current_id()) {
    details_.close();
    result_.reset();
    shown_ = 0;
  }
  const auto& profile = session.profile();
  if (!profile || !profile->complete || shown_ == session.generation() || work_.running()) return;
  asked_ = session.generation();
  asked_id_ = session.current_id();
  work_.start(
      [profile, events = session.events(), rules = app_.settings.kernel_class,
       folder = app_.user_folder](const CancelToken& cancel) {
        auto result = std::make_shared<Evaluated>();
        result->user = settings::read_user_rules(folder);
        analysis::SharedResults shared(*profile);
        result->evaluation =
            rules::evaluate({.profile = *profile,
                             .scope = {},
                             .values = {},
                             .cancel = &cancel,
                             .events = events.get(),
                             .shared = &shared},
                            {.settings = result->user.settings, .custom = result->user.custom, .kernel_rules = rules});
        if (result->evaluation) result->rules = verdicts_table(*result->evaluation, *profile);
        return std::shared_ptr<const Evaluated>(std::move(result));
      },
      app_.wake);
}

bool FindingsPage::escape(AppContext&) {
  return std::exchange(opened_, std::nullopt).has_value() || std::exchange(chosen_, std::nullopt).has_value();
}

void FindingsPage::write_state(JsonWriter& writer) const {
  writer.member("evaluated", evaluation() != nullptr);
  writer.member("summary", evaluation() == nullptr ? std::string() : rules::summary(*evaluation()));
  writer.member("chosen", chosen_ ? static_cast<std::int64_t>(*chosen_) : -1);
  writer.member("details", static_cast<std::int64_t>(details_.tables()));
  writer.member("rule", details_.rule() == nullptr ? std::string_view() : details_.rule()->rule->name);
  write_values(writer, "findings", std::views::iota(std::size_t{0}, shown_findings()),
               [this](std::size_t i) { return evaluation()->findings[i].rule->name; });
}

const PageSpec registered::findings::kPage{"findings", "Findings", Icon::findings, make_page<FindingsPage>};

}  // namespace warpscope::ui
