#pragma once
// Rows of the Settings page: a label, its control (next to the label, or below it in a narrow window), and an optional
// muted note.
#include <optional>
#include <span>
#include <string_view>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

inline constexpr float kSettingsWidth = 800;   ///< maximum width of the page's content
inline constexpr float kSettingsLabel = 200;   ///< width of the label column
inline constexpr float kSettingsNarrow = 560;  ///< below this width, controls go under their labels
inline constexpr float kSettingsRow = 28;

[[nodiscard]] bool settings_narrow(const AppContext& context);
/// Draws a heading above a group of settings.
void settings_title(const AppContext& context, const char* words);
/// Draws a setting's label and moves the cursor to where its control goes.
void settings_label(const AppContext& context, const char* words);
/// Draws wrapped muted text below a control.
void settings_note(const AppContext& context, std::string_view words);
/// Draws a label with a row of choices. Returns the index of the clicked choice if the selection changed.
std::optional<std::size_t> settings_choice(const AppContext& context, const char* label,
                                           std::span<const std::string_view> words, std::size_t chosen);

}  // namespace warpscope::ui
