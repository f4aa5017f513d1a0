#include "app/ui/load/load_page.hpp"

#include <imgui.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/load/recording_view.hpp"
#include "app/ui/load/start_view.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/widgets/widgets.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::ui {
namespace {

constexpr float kStartWidth = 760;
constexpr float kListWidth = 1440;

}  // namespace

LoadPage::LoadPage(AppContext& context) : Page(registered::load::kPage), context_(context), list_(context.wake) {
  add_commands();
  add_recording_commands(context);
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
  status.count = list_.shown();
  if (const auto cursor = list_.cursor()) status.current = *cursor + 1;
  status.running = list_.busy();
  return status;
}

bool LoadPage::escape(AppContext&) { return list_.clear_cursor(); }

bool LoadPage::enter() { return context_.commands.run("load.load"); }

void LoadPage::add_commands() {
  const CommandGroup add(context_.commands, "Load", id(), [this] { return !roots().empty(); });
  add("load.next", "Next profile in the list", {"Down", "J"}, [this] { list_.move_cursor(1); }).repeats();
  add("load.previous", "Previous profile in the list", {"Up", "K"}, [this] { list_.move_cursor(-1); }).repeats();
  add("load.load", "Load the selected profile", {"Enter"}, [this] {
    context_.load({list_.chosen()->profile.path});
  }).when([this] { return list_.chosen() != nullptr; });
  add("load.sort", "Sort by the next column", {"S"}, [this] { list_.sort_next(); }).repeats();
  add("load.look-again", "Scan the folders again", {"Ctrl+Shift+R"}, [this] {
    list_.look_again();
  }).keywords("refresh rescan");
  add("load.remove-root", "Remove the selected profile's folder from the list", {"Delete"}, [this] {
    if (const auto root = list_.chosen_root()) std::erase(context_.settings.roots, *root);
  }).when([this] { return list_.chosen_root().has_value(); });
  add("load.files", "Show or hide the current profile's files", {"V"}, [this] { loaded_.toggle_files(); }).when([this] {
    return context_.session.is_open();
  });

  const auto turn = [this](std::ptrdiff_t by) {
    return [this, by] {
      const std::vector<const OpenProfile*> open = context_.session.all();
      const auto at = std::ranges::find(open, context_.session.current_id(), [](const auto* one) { return one->id; });
      const auto count = static_cast<std::ptrdiff_t>(open.size());
      context_.session.make_current(open[static_cast<std::size_t>(((at - open.begin()) + by + count) % count)]->id);
    };
  };
  const CommandGroup profiles(context_.commands, "Profiles", {}, [this] { return context_.session.all().size() > 1; });
  profiles("profile.next", "Next loaded profile", {"Ctrl+PageDown"}, turn(1)).keywords("switch current");
  profiles("profile.previous", "Previous loaded profile", {"Ctrl+PageUp"}, turn(-1));
  profiles("profile.unload-all", "Unload all profiles", {}, [this] {
    while (context_.session.is_open()) context_.session.close();
    context_.show_page("load");
  }).when([this] { return context_.session.is_open(); });
}

void LoadPage::draw(AppContext& context) {
  const Metrics& px = context.px;
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const std::vector<std::string> listed = roots();
  list_.update(listed);
  const bool nothing = listed.empty() && !context.session.is_open() && context.session.making().empty();
  const bool wide = !listed.empty() || context.session.all().size() > 1;
  const float width = std::min(px(wide ? kListWidth : kStartWidth), room.x - px(48));
  const float left = std::max(px(24), std::floor((room.x - width) / 2));
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + left);
  ImGui::BeginChild("##load", {width, room.y}, 0, ImGuiWindowFlags_NoBackground);
  ImGui::Dummy({0, px(wide ? 12 : 24)});
  if (nothing) {
    heading(context, "Open a trace");
    text_wrapped(
        "Open a directory containing one job's traces, one file per rank (.json, .json.gz, .json.zst), or a SageMaker "
        "Debugger output directory. Or add a folder containing many jobs to list them here.",
        context.theme.muted);
    ImGui::Dummy({0, px(8)});
  }
  draw_open_buttons(context, nothing);
  loaded_.draw(context, listed.empty());
  if (!listed.empty()) list_.draw(context);
  if (nothing) {
    draw_recents(context);
    draw_recordings(context);
  }
  ImGui::EndChild();
}

void LoadPage::write_state(JsonWriter& writer) const {
  loaded_.write_state(writer);
  list_.write_state(writer);
}

const PageSpec registered::load::kPage{"load", "Load", Icon::load, make_page<LoadPage>, false};

}  // namespace warpscope::ui
