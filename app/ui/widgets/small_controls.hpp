#pragma once
// The small controls above charts: joined words, switches, numbers. All are as high as kControlHeight and stand on
// one line.
#include <imgui.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"

namespace warpscope::ui {

inline constexpr float kControlHeight = 22;

/// One of a few words; the index clicked, if another one.
std::optional<std::size_t> small_choice(const AppContext& app, const char* id, std::span<const std::string_view> words,
                                        std::size_t chosen);
/// A word that is on or off; true when clicked. `tip` tells what it does.
bool small_switch(const AppContext& app, const char* id, std::string_view word, bool on, std::string_view tip = {});
/// A button; true when clicked.
bool small_button(const AppContext& app, const char* id, std::string_view word, bool enabled = true,
                  std::string_view tip = {});
/// A whole number in a field behind its label. The value when it was changed (Enter, or the field left).
std::optional<std::int64_t> small_number(const AppContext& app, const char* id, std::string_view label,
                                         std::int64_t value, std::int64_t least, std::int64_t most,
                                         std::string_view tip = {});
/// A line of text in a field of `width` px; the text when Enter was pressed or the field left with another one.
/// `text` is what is being written, kept by the caller.
std::optional<std::string> small_text(const AppContext& app, const char* id, std::string& text, std::string_view hint,
                                      float width);
/// The edge of small buttons and switches: seen on every ground, also on a popup's, which is as raised as they are.
[[nodiscard]] scene::Color control_edge(const Theme& theme);
/// The width of the words in a small control.
[[nodiscard]] float small_width(const AppContext& app, std::string_view word);
/// Muted words in the captions' face, in the middle of a control's height.
void small_label(const AppContext& app, std::string_view words);
/// In the captions' face, in at most so many lines of `width`; if it is cut, the whole of it is a tooltip.
void caption(const AppContext& app, std::string_view words, float width, scene::Color color, int most = 1);
/// The lines that it takes.
[[nodiscard]] int caption_lines(const AppContext& app, std::string_view words, float width, int most);

/// What stands in the place of a chart: words, and muted ones below them, in the middle of `size` at the cursor.
void panel_words(const AppContext& app, ImVec2 size, std::string_view words, std::string_view further);

/// Fills a page or panel that has nothing to show: what would be here, and how to get it.
void nothing_here(const AppContext& app, std::string_view what, std::string_view how);
/// Text that can be marked and copied with the mouse, `width` px wide (one line). `mono`: in the figures' face.
void selectable_text(const AppContext& app, const char* id, std::string_view words, float width, bool mono = false);
/// Puts `words` on the clipboard and says so.
void copy_text(const AppContext& app, std::string_view words);

}  // namespace warpscope::ui
