#pragma once
// The rows of the Settings page: a label, its control beside it, or below it where the window is narrow, and a line of
// muted words where the control does not say everything.
#include <optional>
#include <span>
#include <string_view>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

inline constexpr float kSettingsWidth = 800;   ///< of the page's content at most
inline constexpr float kSettingsLabel = 200;   ///< of the column of labels
inline constexpr float kSettingsNarrow = 560;  ///< below, controls stand under their labels
inline constexpr float kSettingsRow = 28;

[[nodiscard]] bool settings_narrow(const AppContext& context);
/// The heading of a group of settings.
void settings_title(const AppContext& context, const char* words);
/// The label of a setting; leaves the cursor where its control goes.
void settings_label(const AppContext& context, const char* words);
/// Muted words below a control, wrapped.
void settings_note(const AppContext& context, std::string_view words);
/// A label with a row of choices; the index clicked, if another one.
std::optional<std::size_t> settings_choice(const AppContext& context, const char* label,
                                           std::span<const std::string_view> words, std::size_t chosen);

}  // namespace warpscope::ui
