#pragma once
// A field for SQL: several lines in the monospace font, with line numbers, colors and completion. It is a text field
// of ImGui whose text is drawn again in colors. While it has the keyboard, Esc leaves the text as it is (ImGui would
// restore the text from before the edit), and the list of completions takes the arrow keys, Tab and Enter.
#include <imgui.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/query/completion.hpp"

struct ImGuiWindow;

namespace warpscope::ui {

class SqlEditor {
 public:
  [[nodiscard]] const std::string& text() const { return text_; }
  /// Replaces the text, as an edit that can be undone if the field has the keyboard.
  void set_text(std::string text);
  /// Inserts words at the cursor, apart from the words around them, and focuses the field.
  void insert(std::string words);
  void focus() { focus_ = true; }
  /// Gives the keyboard back.
  void leave();
  /// Lists what fits at the cursor.
  void complete() { asked_ = true; }
  void close_list() { offered_ = {}; }
  /// Marks a line (from 1) until the text changes; 0: none.
  void mark_line(std::size_t line) { marked_ = line; }

  /// Draws the field at the cursor. Returns true if Esc was pressed in it and closed nothing.
  bool draw(const AppContext& app, ImVec2 size, std::span<const SchemaTable> schema);

  [[nodiscard]] bool active() const { return active_; }
  [[nodiscard]] bool listing() const { return !offered_.items.empty(); }
  [[nodiscard]] const Completions& offered() const { return offered_; }
  [[nodiscard]] std::size_t chosen() const { return chosen_; }
  [[nodiscard]] ImVec2 list_at() const { return list_at_; }  ///< screen px of its first line

 private:
  struct Edit {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string words;
  };

  static int changed(ImGuiInputTextCallbackData* data);
  void apply(ImGuiInputTextCallbackData& data);
  /// Takes the keys that the list or the page handles away from the field. Returns true for Esc.
  bool take_keys();
  void accept(std::size_t item);
  void offer(std::span<const SchemaTable> schema, bool edited, bool longer);
  /// Draws the text and the line numbers; returns the caret's place on the screen.
  ImVec2 draw_text(const AppContext& app, const ImGuiWindow& field) const;
  void draw_list(const AppContext& app, ImVec2 caret);

  std::string text_;
  std::size_t cursor_ = 0;  // bytes
  std::optional<Edit> edit_;
  std::size_t marked_ = 0;
  bool active_ = false;
  bool focus_ = false;
  bool asked_ = false;
  bool own_edit_ = false;  // an edit that the user did not type
  Completions offered_;
  std::size_t chosen_ = 0;
  std::size_t listed_for_ = 0;  // cursor
  ImVec2 list_at_{};
};

}  // namespace warpscope::ui
