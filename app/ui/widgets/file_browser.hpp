#pragma once
// Chooses a directory or a file. One text field has the keyboard all the time: its text names a directory and the
// beginning of a name in it, the list below follows; Up and Down choose in the list, Tab completes, Enter goes into a
// directory or opens a file, Enter with nothing chosen opens the directory itself.
#include <imgui.h>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/directory_listing.hpp"
#include "app/ui/model/trace_counter.hpp"
#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

class FileBrowser : public Dialog {
 public:
  /// `wake`: thread-safe, asks for a frame when counts come in.
  explicit FileBrowser(std::function<void()> wake);

  /// Shows `directory`. `verb`: of the button that takes what is chosen.
  void open_at(const std::filesystem::path& directory, std::string verb = "Open");
  /// Draws; the path that was chosen, once.
  std::optional<std::filesystem::path> draw(AppContext& context);
  [[nodiscard]] bool busy() const { return is_open() && counter_.busy(); }

  [[nodiscard]] const std::string& typed() const { return typed_; }
  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  /// Middle of the button that goes up, on the screen.
  [[nodiscard]] ImVec2 up_at() const { return up_at_; }
  [[nodiscard]] std::size_t shown_entries() const { return shown_.size(); }

 private:
  void show_directory(const std::filesystem::path& directory);
  void set_text(std::string text);
  void text_changed();
  void refilter();
  void go_up();
  void activate(std::size_t shown_index, bool open_directory);
  /// What "Open" would open: the entry chosen, else the directory.
  [[nodiscard]] std::filesystem::path target() const;
  void draw_path_field(const AppContext& context);
  void draw_places(AppContext& context);
  void place(const AppContext& context, const char* label, const std::filesystem::path& path);
  void draw_entries(AppContext& context);
  void draw_entry(const AppContext& context, const DirectoryEntry& entry, ImVec2 at, float width);
  void draw_footer(AppContext& context);

  TraceCounter counter_;
  std::filesystem::path directory_;
  std::vector<DirectoryEntry> entries_;
  std::optional<Error> problem_;
  std::vector<std::size_t> shown_;  // indices of entries_ that fit what was typed
  std::string verb_;
  std::string typed_;
  bool replace_text_ = false;  // typed_ is newer than what the text field holds
  bool focus_field_ = false;
  int cursor_ = -1;  // in shown_; -1: nothing
  bool scroll_to_cursor_ = false;
  std::optional<std::filesystem::path> result_;
  ImVec2 up_at_{};
};

}  // namespace warpscope::ui
