#include "app/ui/dashboard/histogram_maker.hpp"

#include <fmt/format.h>
#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>

#include "app/ui/commands.hpp"
#include "app/ui/small_controls.hpp"
#include "app/ui/widgets.hpp"
#include "core/analysis/scope.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"

namespace warpscope::ui {
namespace {

constexpr float kWidth = 380;
constexpr float kListHeight = 220;
constexpr float kLabels = 56;

bool holds(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  return std::ranges::search(text, part, same).begin() != text.end() || part.empty();
}

}  // namespace

TypedFamily typed_family(const Table& families, std::string_view typed, bool gpu) {
  TypedFamily meant;
  const auto name = families.find_column("family");
  const auto side = families.find_column("side");
  if (!name || !side || typed.empty()) return meant;
  std::string last;
  for (std::size_t row = 0; row < families.rows(); ++row) {
    const std::string_view family = families.at(row, *name).text();
    if ((families.at(row, *side).text() == "gpu") != gpu || !holds(family, typed)) continue;
    ++meant.containing;
    if (family == typed) meant.name = family;
    last = family;
  }
  if (meant.name.empty() && meant.containing == 1) meant.name = std::move(last);
  return meant;
}

std::optional<HistogramWish> HistogramMaker::made(const trace::Profile& profile, const Table* families) {
  problem_.clear();
  if (typed_.empty()) return std::nullopt;
  if (!ranks_.empty())
    if (const auto ranks = analysis::parse_ranks(profile, ranks_); !ranks) {
      problem_ = sentence(ranks.error().message());
      return std::nullopt;
    }
  const TypedFamily meant = families != nullptr ? typed_family(*families, typed_, gpu_) : TypedFamily{};
  return HistogramWish{meant.name.empty() ? typed_ : meant.name, gpu_, ranks_};
}

std::optional<HistogramWish> HistogramMaker::draw_families(const AppContext& app, const Table& families) {
  std::optional<HistogramWish> wish;
  const auto name = families.find_column("family");
  const auto side = families.find_column("side");
  const auto count = families.find_column("count");
  const auto mean = families.find_column("mean");
  if (!name || !side || !count) return wish;
  std::size_t listed = 0;
  // One family is meant more often than all that have a word in common: those are called what they are.
  if (const TypedFamily meant = typed_family(families, typed_, gpu_); meant.name.empty() && meant.containing > 1) {
    const std::string words = fmt::format("All names containing \"{}\", {} families", typed_, meant.containing);
    if (ImGui::Selectable("##all", false)) wish = HistogramWish{typed_, gpu_, ranks_};
    ImGui::SameLine(app.px(4));
    text_fitted(app, words, ImGui::GetWindowWidth() - app.px(20), app.theme.text);
    ImGui::Separator();
  }
  for (std::size_t row = 0; row < families.rows(); ++row) {
    const std::string_view family = families.at(row, *name).text();
    const bool gpu = families.at(row, *side).text() == "gpu";
    if (!holds(family, typed_) && family != typed_) continue;
    ++listed;
    ImGui::PushID(static_cast<int>(row));
    if (ImGui::Selectable("##family", false)) {
      wish = HistogramWish{std::string(family), gpu, ranks_};
    }
    const float width = ImGui::GetWindowWidth() - app.px(16);
    std::string facts = fmt::format("{} · {}", gpu ? "GPU" : "CPU", format_count(families.at(row, *count).integer()));
    if (mean && !families.at(row, *mean).missing())
      facts += " · mean " + format_duration(static_cast<Ns>(families.at(row, *mean).number()));
    const float right = ImGui::CalcTextSize(facts.c_str()).x;
    ImGui::SameLine(app.px(4));
    text(fit_text(family, width - right - app.px(20)));
    ImGui::SameLine(width - right);
    text_muted(facts);
    ImGui::PopID();
  }
  if (listed == 0)
    text_muted(families.rows() == 0 ? "This profile has no annotations" : "No family has that in its name");
  return wish;
}

std::optional<HistogramWish> HistogramMaker::draw(const AppContext& app, const trace::Profile& profile,
                                                  const Table* families) {
  std::optional<HistogramWish> wish;
  if (small_switch(
          app, "##new", "New histogram…", false,
          "Of annotations: step, Forward, Backward, …  " + app.commands.keys_text("dashboard.new-histogram", 1)) ||
      wanted_) {
    ImGui::OpenPopup("##maker");
    problem_.clear();
    ranks_.clear();  // those of the last one would go unnoticed
  }
  ImGui::SetNextWindowPos({ImGui::GetItemRectMax().x, ImGui::GetItemRectMax().y + app.px(4)}, ImGuiCond_Appearing,
                          {1, 0});
  open_ = ImGui::BeginPopup("##maker");
  if (!open_) return wish;
  if (std::exchange(wanted_, false) || ImGui::IsWindowAppearing()) focus_next_item();
  small_label(app, "Name");
  ImGui::SameLine(app.px(kLabels));
  ImGui::SetNextItemWidth(app.px(kWidth - kLabels));
  {
    const FieldEdge edge(app);
    if (ImGui::InputTextWithHint("##name", "step, Forward, or part of a name", &typed_,
                                 ImGuiInputTextFlags_EnterReturnsTrue))
      wish = made(profile, families);
  }
  small_label(app, "Side");
  ImGui::SameLine(app.px(kLabels));
  constexpr std::array<std::string_view, 2> kSides{"CPU: as recorded", "GPU: what they launched"};
  if (const auto chosen = small_choice(app, "##side", kSides, gpu_ ? 1 : 0)) gpu_ = *chosen == 1;
  if (profile.ranks.size() > 1) {
    small_label(app, "Ranks");
    ImGui::SameLine(app.px(kLabels));
    small_text(app, "##ranks", ranks_, "those of the dashboard, or 0,3-5", app.px(kWidth - kLabels));
  }
  if (!problem_.empty()) text_fitted(app, problem_, app.px(kWidth), app.theme.error);
  ImGui::SetCursorPosX(app.px(kLabels));
  const TypedFamily meant = families != nullptr ? typed_family(*families, typed_, gpu_) : TypedFamily{};
  const bool several = meant.name.empty() && meant.containing > 1;
  if (small_button(app, "##add", several ? "Add all that contain it" : "Add", !typed_.empty()))
    wish = made(profile, families);
  ImGui::Separator();
  text_muted("Families in this profile");
  ImGui::BeginChild("##families", {app.px(kWidth), app.px(kListHeight)});
  if (families == nullptr)
    text_muted("Counting…");
  else if (auto clicked = draw_families(app, *families))
    wish = std::move(clicked);
  ImGui::EndChild();
  if (wish) {
    typed_.clear();
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return wish;
}

}  // namespace warpscope::ui
