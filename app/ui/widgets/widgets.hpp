#pragma once
// Small things that several pages draw, so that they look and behave the same everywhere.
#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/icons.hpp"

namespace warpscope::ui {

/// ImGui's text functions for views. text_muted takes the muted colour.
void text(std::string_view words);
void text_muted(std::string_view words);
/// With a capital letter in front: errors are written to stand behind "warpscope: FILE: ".
[[nodiscard]] std::string sentence(std::string_view words);
/// Width of one line in the current font, px.
[[nodiscard]] float text_width(std::string_view line);
/// Text that is cut with "…" at `width` px; the whole of it is then a tooltip.
void text_fitted(const AppContext& context, std::string_view words, float width, scene::Color color);
/// The longest beginning of `words` that fits `width` px, with "…" if it was cut. UTF-8 aware, O(log n) measurements.
[[nodiscard]] std::string fit_text(std::string_view words, float width);
/// As fit_text, but keeps the end: for paths.
[[nodiscard]] std::string fit_text_end(std::string_view words, float width);

/// Gives the keyboard to the next item. ImGui 1.90.1's own function fails when another window had the keyboard before.
void focus_next_item();

/// A tooltip in three parts; empty ones are left out. Call when the item is hovered.
void tooltip(const AppContext& context, std::string_view title, std::string_view facts = {},
             std::string_view further = {});

/// A square button of the height of a line with an icon. True when clicked. `tip`: its tooltip's title; `command`:
/// whose keys the tooltip shows.
bool icon_button(const AppContext& context, const char* id, Icon icon, std::string_view tip,
                 std::string_view command = {}, bool on = false);

/// A button in the accent colour: the one thing to do next.
bool primary_button(const AppContext& context, const char* label, bool enabled = true);

/// Keys as small caps, drawn at the cursor: "Ctrl" "Shift" "P". Returns the width taken. `right`: the cursor's x is
/// where they end. `bright`: they lie on a chosen row.
float key_caps(const AppContext& context, std::string_view chord, bool right = false, bool bright = false);
[[nodiscard]] float key_caps_width(const AppContext& context, std::string_view chord);

/// While it lives, fields and check boxes have an edge that is seen on any ground, also on a popup's, which has the
/// colour of fields.
class FieldEdge {
 public:
  explicit FieldEdge(const AppContext& context);
  FieldEdge(const FieldEdge&) = delete;
  FieldEdge& operator=(const FieldEdge&) = delete;
  ~FieldEdge();
};

/// A bar of `width` px that shows `fraction` (0 … 1; negative: unknown, an even stripe).
void progress_bar(const AppContext& context, double fraction, float width, float height);

/// One of a few words, as a row of joined buttons. Returns the index clicked, if another one.
std::optional<std::size_t> choice(const AppContext& context, const char* id, std::span<const std::string_view> words,
                                  std::size_t chosen);

/// A handle of 8 px on the line between two panels, which it draws. Call after both panels, in the window they are in;
/// the cursor is left behind the handle.
struct Splitter {
  float start = 0;  ///< size when the drag began

  /// The line runs from `from` to `to` (screen px). `size`: current size in px of the panel before it (behind it, if
  /// `behind`). Returns the size that the pointer asks for; the edge stays under the pointer.
  float drag(const AppContext& context, const char* id, ImVec2 from, ImVec2 to, bool vertical, float size,
             bool behind = false);
};

}  // namespace warpscope::ui
