#pragma once
// Small controls above charts: choices, switches, fields. All are kControlHeight tall, so they line up in
// one row.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "core/base/table.hpp"

namespace warpscope::ui {

inline constexpr float kControlHeight = 22;

/// Draws a row of labels to choose from, wrapped if it does not fit; returns the clicked index if the choice changed.
std::optional<std::size_t> small_choice(const AppContext& app, const char* id, std::span<const std::string_view> words,
                                        std::size_t chosen);
/// Draws an on/off switch; true when clicked. `tip`: its tooltip.
bool small_switch(const AppContext& app, const char* id, std::string_view word, bool on, std::string_view tip = {});
/// Draws a button; true when clicked.
bool small_button(const AppContext& app, const char* id, std::string_view word, bool enabled = true,
                  std::string_view tip = {});
/// Draws a text field of `width` px; returns the text when the user presses Enter or leaves the field after editing.
/// The caller stores the edited `text`.
std::optional<std::string> small_text(const AppContext& app, const char* id, std::string& text, std::string_view hint,
                                      float width);
/// Draws a search field of `width` px; true when `text` changes.
bool small_search(const AppContext& app, const char* id, std::string& text, std::string_view hint, float width);
/// Returns the edge color of small buttons and switches. The edge is visible on every background, including popups,
/// which have the same color as the controls.
[[nodiscard]] scene::Color control_edge(const Theme& theme);
/// Returns the width of `word` in a small control, with padding.
[[nodiscard]] float small_width(const AppContext& app, std::string_view word);
/// Draws muted text in the caption font, vertically centered in a control.
void small_label(const AppContext& app, std::string_view words);
/// Draws text in the caption font on at most `most` lines of `width` px; if truncated, a tooltip shows the full text.
void caption(const AppContext& app, std::string_view words, float width, scene::Color color, int most = 1);
/// Returns the number of lines that caption() needs.
[[nodiscard]] int caption_lines(const AppContext& app, std::string_view words, float width, int most);

/// Draws a message in place of a chart, with muted text below it, centered in `size` at the cursor.
void panel_words(const AppContext& app, ImVec2 size, std::string_view words, std::string_view further);

/// Fills an empty page or panel with a description of what it would show and how to get data.
void nothing_here(const AppContext& app, std::string_view what, std::string_view how);
/// Draws a line of selectable text, `width` px wide. `mono`: in the monospace font.
void selectable_text(const AppContext& app, const char* id, std::string_view words, float width, bool mono = false);
/// Copies `words` to the clipboard and shows a message.
void copy_text(const AppContext& app, std::string_view words, std::string message = "Copied");
void copy_csv(const AppContext& app, const Table& table, std::string message = "Copied");

}  // namespace warpscope::ui
