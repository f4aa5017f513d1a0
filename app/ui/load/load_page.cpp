#include "app/ui/load/load_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/load/start_view.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace registered::load {
extern const PageSpec kPage;
}

namespace {

constexpr float kStartWidth = 760;
constexpr float kListWidth = 1440;

}  // namespace

LoadPage::LoadPage(AppContext& context) : Page(registered::load::kPage), context_(context), list_(context.wake) {
  add_commands();
  add_filter_commands();
}

std::span<const Gesture> LoadPage::gestures() const {
  static constexpr std::array<Gesture, 3> kGestures = {
      {{"Open a profile, or list a folder's profiles", "Drop on the window"},
       {"Load a listed profile", "Double-click"},
       {"Switch to a loaded profile", "Click"}}};
  return kGestures;
}

std::vector<std::string> LoadPage::roots() const {
  std::vector<std::string> roots = context_.settings.roots;
  for (const std::string& root : context_.extra_roots)
    if (std::ranges::find(roots, root) == roots.end()) roots.push_back(root);
  return roots;
}

Searcher* LoadPage::searcher() { return roots().empty() ? nullptr : this; }

SearchStatus LoadPage::status() const {
  SearchStatus status;
  status.count = list_.list().shown().size();
  if (const auto cursor = list_.list().cursor()) status.current = *cursor + 1;
  status.running = list_.busy();
  return status;
}

bool LoadPage::escape(AppContext&) { return list_.clear(); }

bool LoadPage::enter() { return context_.commands.run("load.load"); }

void LoadPage::add_commands() {
  const auto listed = [this] { return !roots().empty(); };
  const auto here = [this](Command command, std::initializer_list<std::string_view> keys) {
    command.page = id();
    context_.commands.add(std::move(command), keys);
  };
  const auto move = [this](int by) { return [this, by] { list_.move_cursor(by); }; };
  Command down{"load.next", "Next profile in the list", "Load", {}, move(1), listed};
  down.repeats = true;
  here(std::move(down), {"Down", "J"});
  Command up{"load.previous", "Previous profile in the list", "Load", {}, move(-1), listed};
  up.repeats = true;
  here(std::move(up), {"Up", "K"});
  here({"load.check", "Check or uncheck the selected profile", "Load", {}, [this] { list_.toggle_check(); }, listed},
       {"Space"});
  here({"load.check-all",
        "Check all shown profiles, or none",
        "Load",
        {},
        [this] { list_.list().check_shown(); },
        listed},
       {"Ctrl+A"});
  here({"load.load",
        "Load the checked profiles, or else the selected one",
        "Load",
        {},
        [this] {
          const std::vector<std::string> paths = list_.chosen();
          list_.list().clear_checks();
          context_.load({paths.begin(), paths.end()});
        },
        [this] { return !list_.chosen().empty(); }},
       {"Enter"});
  Command again{"load.look-again", "Scan the folders again", "Load", {}, [this] { list_.look_again(); }, listed};
  again.keywords = "refresh rescan";
  here(std::move(again), {"Ctrl+Shift+R"});
  here({"load.remove-root",
        "Remove the selected profile's folder from the list",
        "Load",
        {},
        [this] {
          if (const auto root = list_.chosen_root()) std::erase(context_.settings.roots, *root);
        },
        [this] { return list_.chosen_root().has_value(); }},
       {"Delete"});
  here({"load.files",
        "Show or hide the files of the current profile",
        "Load",
        {},
        [this] { loaded_.toggle_files(); },
        [this] { return context_.session.is_open(); }},
       {"V"});

  const auto several = [this] { return context_.session.all().size() > 1; };
  const auto turn = [this](std::ptrdiff_t by) {
    return [this, by] {
      const std::vector<const OpenProfile*> open = context_.session.all();
      const auto at = std::ranges::find(open, context_.session.current_id(), [](const auto* one) { return one->id; });
      const auto count = static_cast<std::ptrdiff_t>(open.size());
      context_.session.make_current(open[static_cast<std::size_t>(((at - open.begin()) + by + count) % count)]->id);
    };
  };
  Command next{"profile.next", "Next loaded profile", "Profiles", {}, turn(1), several};
  next.keywords = "switch current";
  context_.commands.add(std::move(next), {"Ctrl+PageDown"});
  context_.commands.add({"profile.previous", "Previous loaded profile", "Profiles", {}, turn(-1), several},
                        {"Ctrl+PageUp"});
  context_.commands.add({"profile.unload-all",
                         "Unload all profiles",
                         "Profiles",
                         {},
                         [this] {
                           while (context_.session.is_open()) context_.session.close();
                           context_.show_page("load");
                         },
                         [this] { return context_.session.is_open(); }});
}

void LoadPage::add_filter_commands() {
  const auto add = [this](std::string name, std::string words, std::function<void()> action) {
    Command command{
        std::move(name), std::move(words), "Load", {}, std::move(action), [this] { return !roots().empty(); }};
    command.page = id();
    context_.commands.add(std::move(command));
  };
  for (std::size_t i = 0; i < kListColumns; ++i) {
    const auto column = static_cast<ListColumn>(i);
    const std::string word(to_string(column));
    add("load.sort-" + std::to_string(i + 1), "Sort the list by column “" + word + "”, or reverse the order",
        [this, column] { list_.sort_by(column); });
  }
  add("load.status-any", "List profiles of any status", [this] { list_.set_status(std::nullopt); });
  for (std::size_t i = 0; i < ingest::kProfileStatuses; ++i) {
    const auto status = static_cast<ingest::ProfileStatus>(i);
    add("load.status-" + std::to_string(i + 1),
        "List profiles of status “" + std::string(ingest::to_string(status)) + "”",
        [this, status] { list_.set_status(status); });
  }
  for (std::size_t i = 0; i < kListAges; ++i) {
    const auto age = static_cast<ListAge>(i);
    add("load.age-" + std::to_string(i + 1), "List profiles created: " + std::string(to_string(age)),
        [this, age] { list_.set_age(age); });
  }
}

void LoadPage::draw(AppContext& context) {
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const std::vector<std::string> listed = roots();
  list_.update(listed, context.session);
  const bool open = context.session.is_open() || !context.session.making().empty();
  const bool wide = !listed.empty() || context.session.all().size() > 1;
  const float width = std::min(px(wide ? kListWidth : kStartWidth), room.x - px(48));
  const float left = std::max(px(24), std::floor((room.x - width) / 2));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  ImGui::BeginChild("##load", {width, room.y}, 0, ImGuiWindowFlags_NoBackground);
  ImGui::Dummy({0, px(wide ? 12 : 24)});
  if (!open && listed.empty()) {
    draw_start();
  } else {
    draw_open_buttons(context, false);
    loaded_.draw(context, listed.empty());
    if (!listed.empty()) draw_lists();
  }
  ImGui::EndChild();
}

void LoadPage::draw_start() {
  loaded_.draw(context_, true);
  ImGui::PushFont(context_.fonts.heading);
  text("Open a trace");
  ImGui::PopFont();
  ImGui::PushTextWrapPos(0);
  text_muted(
      "Open a directory with the traces of one job, one file per rank (.json, .json.gz, .json.zst), or a SageMaker "
      "Debugger output directory. Or add a folder with many jobs to list them here.");
  ImGui::PopTextWrapPos();
  ImGui::Dummy({0, context_.px(8)});
  draw_open_buttons(context_, true);
  draw_recents(context_);
  draw_recording(context_);
}

void LoadPage::draw_lists() {
  const std::vector<std::string> wanted = list_.draw(context_);
  if (!wanted.empty()) context_.load({wanted.begin(), wanted.end()});
}

void LoadPage::write_state(JsonWriter& writer) const {
  loaded_.write_state(writer);
  list_.write_state(writer);
}

namespace registered::load {
const PageSpec kPage{"load", "Load", Icon::load, make_page<LoadPage>, false};
}  // namespace registered::load

}  // namespace warpscope::ui
