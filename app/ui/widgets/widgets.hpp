#pragma once
// Small controls shared by several pages, so they look and behave the same.
#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/icons.hpp"

namespace warpscope::ui {

/// ImGui's text functions for string views. text_muted uses the muted color.
void text(std::string_view words);
void text(std::string_view words, scene::Color color);
void text_muted(std::string_view words);
/// Draws text that wraps at the window's right edge, or at x = `at` px in the window.
void text_wrapped(std::string_view words, scene::Color color, float at = 0);
/// Draws a line of text in the heading font.
void heading(const AppContext& context, std::string_view words);
/// Draws a muted title above a section, with space around it.
void section_title(const AppContext& context, std::string_view words);
/// Capitalizes the first letter. Error messages start with a lowercase letter because they usually follow "warpscope:
/// FILE: ".
[[nodiscard]] std::string sentence(std::string_view words);
/// Returns the width of a line of text in px, in the current font or in `font`.
[[nodiscard]] float text_width(std::string_view line);
[[nodiscard]] float text_width(const ImFont& font, std::string_view line);
/// Draws a line of text with its top left corner at `at` (screen px), in the current font or in `font`.
void draw_text(ImDrawList& list, ImVec2 at, scene::Color color, std::string_view words);
void draw_text(ImDrawList& list, const ImFont& font, ImVec2 at, scene::Color color, std::string_view words);
/// Moves the cursor to right-align an item of `width` px, if there is room.
void align_right(float width);
/// Returns the center of the last item, in screen px.
[[nodiscard]] ImVec2 item_center();
/// Draws text, truncated with "…" at `width` px; if it is truncated, a tooltip shows the full text.
void text_fitted(const AppContext& context, std::string_view words, float width, scene::Color color);
/// Returns the longest prefix of `words` that fits in `width` px, with "…" if truncated. UTF-8 aware; O(log n)
/// measurements.
[[nodiscard]] std::string fit_text(std::string_view words, float width);
/// Like fit_text, but keeps the end; for paths.
[[nodiscard]] std::string fit_text_end(std::string_view words, float width);

/// Focuses the next item. ImGui 1.90.1's own function fails if another window previously had focus.
void focus_next_item();

/// Draws a three-part tooltip; skips empty parts. Call when the item is hovered.
void tooltip(const AppContext& context, std::string_view title, std::string_view facts = {},
             std::string_view further = {});

/// Draws a square icon button as tall as a line; returns true when clicked. `tip`: tooltip title; `command`: the
/// command whose keys the tooltip shows.
bool icon_button(const AppContext& context, const char* id, Icon icon, std::string_view tip,
                 std::string_view command = {}, bool on = false);

/// Draws a button in the accent color, for the main action.
bool primary_button(const AppContext& context, const char* label, bool enabled = true);

/// Draws key caps at the cursor: "Ctrl" "Shift" "P". Returns the width used. `right`: right-aligned at the cursor's x.
/// `bright`: for a selected row.
float key_caps(const AppContext& context, std::string_view chord, bool right = false, bool bright = false);
[[nodiscard]] float key_caps_width(const AppContext& context, std::string_view chord);

/// While in scope, fields and checkboxes have an edge that is visible on any background, including popups, which have
/// the same color as fields.
class FieldEdge {
 public:
  explicit FieldEdge(const AppContext& context);
  FieldEdge(const FieldEdge&) = delete;
  FieldEdge& operator=(const FieldEdge&) = delete;
  ~FieldEdge();
};

/// Draws a bar of `width` px filled to `fraction` (0 … 1; negative: unknown, uniform stripe).
void progress_bar(const AppContext& context, double fraction, float width, float height);

/// An 8 px drag handle on the line between two panels; also draws the line. Call after drawing both panels, in their
/// window. Moves the layout cursor past the handle.
struct Splitter {
  float start = 0;  ///< size at the start of the drag

  /// Draws the line from `from` to `to` (screen px). `size`: current size in px of the panel before the line (after it,
  /// if `behind`). Returns the size that keeps the edge under the pointer.
  float drag(const AppContext& context, const char* id, ImVec2 from, ImVec2 to, bool vertical, float size,
             bool behind = false);
};

}  // namespace warpscope::ui
