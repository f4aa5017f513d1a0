#include "app/ui/query/query_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "app/ui/model/session.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/query/sql_text.hpp"
#include "app/ui/widgets/icons.hpp"
#include "app/ui/widgets/messages.hpp"

namespace warpscope::ui {
namespace {

constexpr std::array<Gesture, 4> kQueryGestures{{
    {"Run a saved query or a recipe", "Click"},
    {"Insert the name of a table or column", "Click"},
    {"Show a table's columns", "Click its arrow"},
    {"Show a row in the Timeline", "Double-click"},
}};

/// Returns the line in the place of an error of SQL: "query (line 3, at "FORM")"; 0 if there is none.
std::size_t line_in(std::string_view where) {
  constexpr std::string_view kLine = "(line ";
  const std::size_t at = where.find(kLine);
  std::size_t line = 0;
  if (at != std::string_view::npos)
    std::from_chars(where.data() + at + kLine.size(), where.data() + where.size(), line);
  return line;
}

}  // namespace

QueryPage::QueryPage(AppContext& app)
    : Page(registered::query::kPage),
      app_(app),
      files_(app.user_folder, app.wake),
      list_({.open = [this](const NamedQuery& query) { run_text(query.text); },
             .remove = [this](const NamedQuery& query) { removing_ = query; },
             .insert = [this](std::string name) { editor_.insert(std::move(name)); },
             .show_rows =
                 [this](const SchemaTable& table) {
                   run_text(
                       fmt::format("SELECT * FROM {}{}", sql_name(table.name), table.is_analysis ? "" : " LIMIT 1000"));
                 }}),
      result_(app) {
  app.show_query = [this](std::string text) {
    app_.show_page(id());
    run_text(std::move(text));
  };
  add_commands();
}

bool QueryPage::available() const { return app_.session.profile() != nullptr; }
std::span<const Gesture> QueryPage::gestures() const { return kQueryGestures; }

void QueryPage::add_commands() {
  const CommandGroup add(app_.commands, "Query", id(), [this] { return available(); });
  const auto if_result = [this] { return result_.rows() != nullptr; };
  add("query.run", "Run the query", {"Ctrl+Enter"}, [this] { run(); }).while_typing().keywords("sql execute");
  add("query.stop", "Stop the query", {}, [this] { stop(); }).when([this] { return runner_.running(); });
  add("query.edit", "Edit the query", {"E"}, [this] { editor_.focus(); });
  add("query.complete", "List tables, columns and functions", {"Ctrl+Space"}, [this] {
    editor_.complete();
    if (!editor_.active()) editor_.focus();
  }).while_typing();
  add("query.previous", "Previous query in the history", {"Alt+Up"}, [this] { turn_history(1); })
      .while_typing()
      .repeats();
  add("query.next", "Next query in the history", {"Alt+Down"}, [this] { turn_history(-1); }).while_typing().repeats();
  add("query.history", "Query history", {"Ctrl+H"}, [this] { opening_ = kHistoryPopup; }).while_typing();
  add("query.save", "Save the query…", {"Ctrl+S"}, [this] { opening_ = kSavePopup; }).while_typing();
  add("query.next-saved", "Run the next saved query or recipe", {"Ctrl+Right"}, [this] { turn_query(1); }).repeats();
  add("query.previous-saved", "Run the previous saved query or recipe", {"Ctrl+Left"}, [this] {
    turn_query(-1);
  }).repeats();
  add("query.next-row", "Next row", {"Down"}, [this] { result_.move_row(1); }).repeats();
  add("query.previous-row", "Previous row", {"Up"}, [this] { result_.move_row(-1); }).repeats();
  add("query.follow", "Show the row in the Timeline", {"F", "Enter"}, [this] {
    result_.follow(result_.chosen());
  }).when([this] { return result_.can_follow(result_.chosen()); });
  add("query.copy", "Copy the result as CSV", {"Ctrl+Shift+C"}, [this] { result_.copy_csv(); }).when(if_result);
  add("query.sort", "Sort by the next column", {"S"}, [this] { result_.sort_next(); }).repeats().when(if_result);
  add("query.chart", "Next kind of chart", {"C"}, [this] { result_.turn_chart(); }).when(if_result);
  for (const NamedQuery& query : files_.all())
    add("query.recipe." + query.title, "Query: " + query.title, {}, [this, text = query.text] {
      app_.show_query(text);
    }).everywhere();
}

void QueryPage::profile_changed(AppContext& app) {
  runner_.profile_changed(app);
  if (app.session.profile()) return;
  result_.show(nullptr);
  failure_.reset();
}

void QueryPage::update() {
  if (removing_) {
    const NamedQuery query = *std::exchange(removing_, std::nullopt);
    report(files_.remember(query.text));
    if (const Failure failure = files_.remove(query.file))
      report(failure);
    else
      app_.messages.info("Deleted " + query.title + "; its text is in the history", app_.now);
  }
  files_.update();
  if (const auto answer = runner_.update(app_)) {
    failure_ = answer->result.tables.ok() ? Failure() : Failure(answer->result.tables.error());
    result_.show(answer->rows() != nullptr ? answer : nullptr);
    if (failure_ && answer->query == editor_.text()) editor_.mark_line(line_in(failure_->where));
  }
  if (!begun_ && !files_.busy() && app_.session.profile()->complete) begin();
}

void QueryPage::begin() {
  begun_ = true;
  if (!files_.history().empty())
    editor_.set_text(files_.history().front());
  else if (!files_.all().empty())
    run_text(files_.all().front().text);
}

void QueryPage::run() {
  begun_ = true;
  const std::string& text = editor_.text();
  if (text.find_first_not_of(" \t\n;") == std::string::npos) return;
  stopped_ = false;
  failure_.reset();
  editor_.mark_line(0);
  editor_.close_list();
  history_at_ = 0;
  if (std::ranges::find(files_.all(), text, &NamedQuery::text) == files_.all().end()) report(files_.remember(text));
  runner_.run(app_, text);
}

void QueryPage::run_text(std::string text) {
  replace_text(std::move(text));
  begun_ = true;
  stopped_ = false;
  failure_.reset();
  runner_.run(app_, editor_.text());
}

void QueryPage::replace_text(std::string text) {
  // Nothing typed is lost.
  const std::string& now = editor_.text();
  if (now != text && std::ranges::find(files_.all(), now, &NamedQuery::text) == files_.all().end())
    report(files_.remember(now));
  history_at_ = 0;
  editor_.leave();
  editor_.set_text(std::move(text));
}

void QueryPage::stop() {
  stopped_ = runner_.running();
  runner_.stop();
}

bool QueryPage::escape(AppContext&) {
  if (runner_.running()) {
    stop();
    return true;
  }
  return result_.clear_chosen();
}

void QueryPage::turn_query(int by) {
  const std::vector<NamedQuery>& all = files_.all();
  if (all.empty()) return;
  const auto at = std::ranges::find(all, editor_.text(), &NamedQuery::text);
  const std::size_t now = at == all.end() ? (by > 0 ? all.size() - 1 : 0) : static_cast<std::size_t>(at - all.begin());
  run_text(all[(now + (by > 0 ? 1 : all.size() - 1)) % all.size()].text);
}

void QueryPage::turn_history(int by) {
  const std::vector<std::string>& texts = files_.history();
  if (history_at_ == 0) draft_ = editor_.text();
  std::size_t to = history_at_;
  // Skip what is in the editor already.
  do {
    if ((by < 0 && to == 0) || (by > 0 && to >= texts.size())) return;
    to = by > 0 ? to + 1 : to - 1;
  } while (to > 0 && texts[to - 1] == editor_.text());
  history_at_ = to;
  editor_.set_text(to == 0 ? draft_ : texts[to - 1]);
}

void QueryPage::save(const std::string& text) {
  if (const Failure failure = files_.save(text)) return report(failure);
  editor_.set_text(text);
  app_.messages.info("Saved " + title_in(text), app_.now);
}

void QueryPage::report(const Failure& failure) {
  if (failure) app_.messages.error(*failure);
}

void QueryPage::write_state(JsonWriter& writer) const {
  writer.member("text", editor_.text());
  writer.member("editing", editor_.active());
  writer.member("running", runner_.running());
  writer.member("error", failure_ ? failure_->message() : std::string());
  writer.member("tables", runner_.schema().size());
  writer.member("named", files_.all().size());
  writer.member("remembered", files_.history().size());
  write_values(writer, "completions", editor_.offered().items, &Completion::text);
  result_.write_state(writer);
}

const PageSpec registered::query::kPage{"query", "Query", Icon::query, make_page<QueryPage>};

}  // namespace warpscope::ui
