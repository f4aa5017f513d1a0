#include "app/ui/widgets/messages.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "app/ui/widgets/widgets.hpp"

namespace warpscope::ui {
namespace {

constexpr double kNewsSeconds = 5;
constexpr std::size_t kMostShown = 4;

}  // namespace

void Messages::error(const Error& error) {
  const auto same = std::ranges::find_if(messages_, [&](const Message& message) {
    return message.is_error && message.what == error.what && message.where == error.where;
  });
  if (same != messages_.end()) {
    ++same->times;
    return;
  }
  messages_.push_back({true, error.what, error.where, error.advice, 0, next_id_++, 1});
}

void Messages::info(std::string text, double now) {
  const auto same = std::ranges::find_if(
      messages_, [&](const Message& message) { return !message.is_error && message.what == text; });
  if (same != messages_.end()) {
    same->shown_until = now + kNewsSeconds;
    return;
  }
  messages_.push_back({false, std::move(text), {}, {}, now + kNewsSeconds, next_id_++, 1});
}

void Messages::dismiss(std::uint32_t id) {
  std::erase_if(messages_, [id](const Message& message) { return message.id == id; });
}

bool Messages::dismiss_latest() {
  if (messages_.empty()) return false;
  messages_.pop_back();
  return true;
}

std::optional<double> Messages::due_in(double now) const {
  std::optional<double> due;
  for (const Message& message : messages_) {
    if (message.is_error) continue;
    const double rest = std::max(0.0, message.shown_until - now);
    due = std::min(due.value_or(rest), rest);
  }
  return due;
}

void Messages::draw(AppContext& context) {
  std::erase_if(messages_,
                [&](const Message& message) { return !message.is_error && message.shown_until <= context.now; });
  if (messages_.empty()) return;
  const Metrics& px = context.px;
  const ImVec2 display = ImGui::GetIO().DisplaySize;
  const float width = std::min(px(440), display.x - px(32));
  float bottom = display.y - px(16);
  std::uint32_t dismissed = 0;
  const std::size_t first = messages_.size() > kMostShown ? messages_.size() - kMostShown : 0;
  for (std::size_t i = messages_.size(); i-- > first;) {
    const Message& message = messages_[i];
    const std::string id = "##message" + std::to_string(message.id);
    ImGui::SetNextWindowPos({display.x - px(16), bottom}, 0, {1, 1});
    ImGui::SetNextWindowSize({width, 0});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(px(12), px(10)));
    ImGui::PushStyleColor(ImGuiCol_WindowBg, context.theme.raised);
    ImGui::PushStyleColor(ImGuiCol_Border, message.is_error ? context.theme.error : context.theme.line);
    ImGui::Begin(id.c_str(), nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar();
    if (message.is_error) {
      const ImVec2 at = ImGui::GetCursorScreenPos();
      draw_icon(*ImGui::GetWindowDrawList(), Icon::error, {at.x, at.y + px(2)}, px(16), context.theme.error);
      ImGui::Indent(px(24));
    }
    const ImVec2 start = ImGui::GetCursorPos();
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - px(40));
    text(message.times > 1 ? sentence(message.what) + " (" + std::to_string(message.times) + " times)"
                           : sentence(message.what));
    if (!message.where.empty()) text_muted(message.where);
    if (!message.advice.empty()) text(sentence(message.advice));
    ImGui::PopTextWrapPos();
    ImGui::SetCursorPos({ImGui::GetWindowWidth() - px(32), start.y - px(4)});
    if (icon_button(context, "##dismiss", Icon::close, "Dismiss", "app.dismiss")) dismissed = message.id;
    bottom -= ImGui::GetWindowHeight() + px(8);
    ImGui::End();
  }
  if (dismissed != 0) dismiss(dismissed);
}

}  // namespace warpscope::ui
