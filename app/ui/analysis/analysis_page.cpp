#include "app/ui/analysis/analysis_page.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <array>
#include <utility>

#include "app/ui/analysis/page_words.hpp"
#include "app/ui/analysis/path_target.hpp"
#include "app/ui/analysis/row_target.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/fuzzy.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/table_writers.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {
namespace {

constexpr float kFigureHeight = 480;  // of the chart alone

constexpr std::array<Gesture, 2> kGestures{{
    {"Select a row", "Click"},
    {"Show the row in the Timeline", "Double-click"},
}};

}  // namespace

AnalysisPage::AnalysisPage(AppContext& app) : Page(registered::analysis::kPage), app_(app), results_(app.wake) {
  add_commands();
}

bool AnalysisPage::available() const { return app_.session.profile() != nullptr; }
std::span<const Gesture> AnalysisPage::gestures() const { return kGestures; }

const analysis::Analysis& AnalysisPage::shown() const { return analysis::analyses()[shown_]; }

const std::vector<Table>* AnalysisPage::tables() const {
  return answer_ && answer_->tables.ok() && !answer_->tables->empty() ? &answer_->tables.value() : nullptr;
}

const Table* AnalysisPage::table() const {
  const std::vector<Table>* all = tables();
  if (all == nullptr) return nullptr;
  const auto part = part_.find(shown_);
  return &(*all)[part != part_.end() && part->second < all->size() ? part->second : 0];
}

void AnalysisPage::add_commands() {
  const CommandGroup add(app_.commands, "Analysis", id(), [this] { return available(); });
  add("analysis.next", "Next analysis", {"Down"}, [this] { move(1); }).repeats();
  add("analysis.previous", "Previous analysis", {"Up"}, [this] { move(-1); }).repeats();
  const auto turn = [this](bool back) {
    return [this, back] {
      const auto* all = tables();
      if (all != nullptr) show_part((part_[shown_] + (back ? all->size() - 1 : 1)) % all->size());
    };
  };
  add("analysis.next-table", "Next table of the analysis", {"Right"}, turn(false)).repeats();
  add("analysis.previous-table", "Previous table of the analysis", {"Left"}, turn(true)).repeats();
  add("analysis.copy", "Copy the table as CSV", {"Ctrl+Shift+C"}, [this] { copy_csv(); });
  add("analysis.save-picture", "Save the chart as a picture…", {"Ctrl+S"}, [this] { ask_picture(); });
  add("analysis.follow", "Show the row in the Timeline", {"F", "Enter"}, [this] {
    if (can_follow(chosen_)) follow(chosen_.value_or(0));
  });
  add("analysis.reset", "Reset the parameters", {"Shift+R"}, [this] { parameters_.reset(shown()); });
  for (std::size_t i = 0; i < analysis::analyses().size(); ++i) {
    const analysis::Analysis& each = analysis::analyses()[i];
    if (each.compares) continue;
    add("analysis.show." + std::string(each.name), "Analysis: " + std::string(each.title), {},
        [this, i] {
          show(i);
          app_.show_page(id());
        })
        .keywords(std::string(each.name))
        .everywhere();
  }
}

void AnalysisPage::profile_changed(AppContext& app) {
  const std::shared_ptr<const trace::Profile>& profile = app.session.profile();
  const std::string path = profile ? app.session.path().string() : std::string();
  const bool fresh = path != path_;
  results_.set_profile(profile, app.session.generation(), fresh, app.session.events());
  if (fresh) {
    path_ = path;
    scope_.clear();
    answer_.reset();
    drawing_ = {};
    made_of_.clear();
    chosen_.reset();
  }
  if (profile) scope_.profile_changed(*profile);
}

bool AnalysisPage::escape(AppContext&) {
  if (save_.dialog().is_open()) {
    save_.dialog().close();
  } else if (chosen_) {
    chosen_.reset();
  } else if (scope_.restricted()) {
    scope_.clear();
  } else {
    return false;
  }
  return true;
}

bool AnalysisPage::titled(std::size_t index) const {
  const analysis::Analysis& each = analysis::analyses()[index];
  return has_words(query_, fmt::format("{} {}", each.name, each.title));
}

std::vector<std::size_t> AnalysisPage::listed() const {
  std::vector<std::size_t> listed;
  std::vector<std::size_t> described;
  for (std::size_t i = 0; i < analysis::analyses().size(); ++i) {
    const analysis::Analysis& each = analysis::analyses()[i];
    if (each.compares) continue;  // the page has only one profile
    if (titled(i))
      listed.push_back(i);
    else if (has_words(query_, fmt::format("{} {} {}", each.name, each.title, each.about)))
      described.push_back(i);
  }
  listed.insert(listed.end(), described.begin(), described.end());
  return listed;
}

void AnalysisPage::search(std::string_view query) {
  query_ = query;
  const std::vector<std::size_t> order = listed();
  if (!query_.empty() && !order.empty() && !titled(shown_)) show(order.front());
}

SearchStatus AnalysisPage::status() const {
  SearchStatus status;
  if (query_.empty()) return status;
  const std::vector<std::size_t> order = listed();
  status.count = order.size();
  if (const auto at = std::ranges::find(order, shown_); at != order.end())
    status.current = static_cast<std::size_t>(at - order.begin()) + 1;
  return status;
}

void AnalysisPage::step(int direction) { move(direction); }

void AnalysisPage::move(int by) {
  const std::vector<std::size_t> order = listed();
  if (order.empty()) return;
  const auto at = std::ranges::find(order, shown_);
  if (at == order.end()) return show(order.front());
  const auto now = static_cast<std::size_t>(at - order.begin());
  show(order[(now + (by > 0 ? 1 : order.size() - 1)) % order.size()]);
}

void AnalysisPage::show(std::size_t index) {
  shown_ = index;
  answer_.reset();
  chosen_.reset();
}

void AnalysisPage::show_part(std::size_t part) {
  part_[shown_] = part;
  chosen_.reset();
}

std::vector<analysis::Setting> AnalysisPage::settings() const {
  std::vector<analysis::Setting> settings = parameters_.settings(shown());
  // The kernel rules of the user's settings come after those set on this page.
  if (analysis::has_parameter(shown(), analysis::kKernelClassParameter.name))
    analysis::append_kernel_rules(settings, app_.settings.kernel_class);
  return settings;
}

void AnalysisPage::take() {
  const auto answer = results_.get({std::string(shown().name), settings(), scope_.scope()});
  if (answer) answer_ = answer;
  const Table* now = table();
  if (now == nullptr) return;
  const std::string made_of = fmt::format("{} {} {} {}", answer_->serial, shown_, now->id, app_.theme.dark());
  const auto plot = [&](std::span<const std::uint32_t> order) {
    const auto index = static_cast<std::size_t>(now - tables()->data());
    return plots::plot_of(shown().name, *tables(), index, app_.theme.kind, order);
  };
  if (made_of == made_of_) {
    if (table_view_.sorted() == drawn_sorted_) return;
    // Bars follow the order of the table.
    drawn_sorted_ = table_view_.sorted();
    if (!std::holds_alternative<charts::StackedBars>(drawing_.chart)) return;
    drawing_ = plot(drawn_sorted_ ? table_view_.order() : std::vector<std::uint32_t>());
    chart_.changed();
    return;
  }
  made_of_ = made_of;
  drawing_ = plot({});
  drawn_sorted_.reset();
  chart_.changed();
  table_view_.set_table(*now, drawing_.order);
  if (chosen_ && *chosen_ >= now->rows()) chosen_.reset();
}

void AnalysisPage::ask_picture() {
  const Table* now = table();
  if (now == nullptr || std::holds_alternative<std::monostate>(drawing_.chart)) {
    app_.messages.info("This table has no chart to save", app_.now);
    return;
  }
  save_.dialog().ask(figure_name(app_.session.name(), std::string(shown().name) + "-" + now->id), now->title);
}

void AnalysisPage::save_picture(const std::filesystem::path& path) {
  const Table* now = table();
  if (now == nullptr) return;
  plots::AnalysisDrawing light =
      plots::plot_of(shown().name, *tables(), static_cast<std::size_t>(now - tables()->data()), figure_theme(app_));
  const std::string scope = scope_.text(*app_.session.profile());
  charts::Figure figure;
  figure.title = now->title;
  figure.facts = app_.session.name() + (scope.empty() ? "" : " · " + scope);
  figure.caption = now->note.empty() ? std::string() : note_on_page(now->note);
  figure.axes = plots::take_axis_titles(light.chart);
  figure.make = [&light](float width, float height, const charts::ChartStyle& style) {
    return plots::draw(light.chart, width, height, style);
  };
  save_.save(app_, figure, std::max(kFigureHeight, plots::bars_height(light.chart, kFigureHeight)), path);
}

void AnalysisPage::copy_csv() {
  const Table* now = table();
  if (now == nullptr) return;
  std::string text;
  write_csv(text, *now);
  ImGui::SetClipboardText(text.c_str());
  app_.messages.info("Copied " + format_count(static_cast<std::int64_t>(now->rows())) + " rows of " + now->title,
                     app_.now);
}

bool AnalysisPage::leads_to_path() const { return shown().name == "critical_path"; }

bool AnalysisPage::can_follow(std::optional<std::size_t> row) const {
  const Table* now = table();
  if (now == nullptr || now->rows() == 0 || !app_.session.profile()) return false;
  // The Timeline shows the whole path for any selected row.
  if (leads_to_path()) return true;
  return row && answer_->generation == app_.session.generation() && has_target(*app_.session.profile(), *now, *row);
}

void AnalysisPage::follow(std::size_t row) {
  const Table* now = table();
  const auto& profile = app_.session.profile();
  if (now == nullptr || !profile || row >= now->rows() || answer_->generation != app_.session.generation()) return;
  if (leads_to_path()) {
    if (auto path = path_of_row(*profile, *tables(), *now, row, settings())) {
      show_in_timeline_page(app_, std::move(*path));
      return;
    }
  }
  app_.when_loaded.start([this, row, of = answer_] { return of != answer_ || try_follow(row); });
}

bool AnalysisPage::try_follow(std::size_t row) {
  const Table* now = table();
  const auto& profile = app_.session.profile();
  if (now == nullptr || !profile || row >= now->rows() || answer_->generation != app_.session.generation()) return true;
  auto known = trace::if_resident([&] { return target_of(*profile, *now, row); });
  if (!known) return false;
  std::optional<TimelineRequest>& target = *known;
  if (!target) {
    app_.messages.info("This row has no single place in the Timeline", app_.now);
    return true;
  }
  if (auto* rank = std::get_if<RankRequest>(&*target); rank != nullptr && !rank->range)
    rank->range = scope_.scope().range;
  show_target(app_, std::move(*target));
  return true;
}

void AnalysisPage::write_state(JsonWriter& writer) const {
  const Table* now = table();
  writer.member("analysis", shown().name);
  writer.member("table", now != nullptr ? now->id : std::string());
  writer.member("rows", now != nullptr ? now->rows() : 0);
  writer.member("note", now != nullptr ? now->note : std::string());
  writer.member("error", answer_ && !answer_->tables.ok() ? answer_->tables.error().message() : std::string());
  writer.member("chart", !std::holds_alternative<std::monostate>(drawing_.chart));
  writer.member("chosen", chosen_ ? static_cast<std::int64_t>(*chosen_) : -1);
  writer.member("leads_to_timeline", can_follow(chosen_));
  writer.member("restricted", scope_.restricted());
  writer.member("scope", app_.session.profile() ? scope_.text(*app_.session.profile()) : std::string());
  writer.key("settings");
  writer.begin_object();
  for (const auto& [name, value] : parameters_.settings(shown())) writer.member(name, value);
  writer.end_object();
}

const PageSpec registered::analysis::kPage{"analysis", "Analysis", Icon::analysis, make_page<AnalysisPage>};

}  // namespace warpscope::ui
