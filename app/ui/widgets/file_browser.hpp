#pragma once
// A dialog for choosing a directory or file. A text field keeps focus. It contains a directory followed by the
// start of a name, and the list below shows the matches. Up and Down move through the list, Tab completes the name, and
// Enter enters a directory or opens a file. Enter without a selected entry opens the directory itself. Directories are
// read on another thread, because disks may be slow; keys pressed in the meantime are applied to the new listing.
#include <imgui.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/model/background.hpp"
#include "app/ui/model/directory_listing.hpp"
#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

class FileBrowser : public Dialog {
 public:
  /// `wake`: thread-safe; requests a frame when a listing arrives.
  explicit FileBrowser(std::function<void()> wake);

  /// Shows `directory`. `verb`: label of the confirm button.
  void open_at(const std::filesystem::path& directory, std::string verb = "Open");
  /// Draws the browser; returns the chosen path once.
  std::optional<std::filesystem::path> draw(AppContext& context);
  [[nodiscard]] bool busy() const { return is_open() && reading_.running(); }

  [[nodiscard]] const std::string& typed() const { return typed_; }
  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  /// Returns the center of the "up" button, in screen coordinates.
  [[nodiscard]] ImVec2 up_at() const { return up_at_; }

 private:
  /// What to do if the path to show is a file.
  enum class IfFile : std::uint8_t { fails, shows_parent, is_chosen };
  struct Listing {
    std::filesystem::path directory;  ///< the listed directory
    bool file = false;                ///< the path is a file; `entries` is empty or lists its parent
    Result<std::vector<DirectoryEntry>> entries;
  };
  [[nodiscard]] static Listing read(const std::filesystem::path& path, IfFile if_file);

  void show_directory(const std::filesystem::path& directory, IfFile if_file = IfFile::fails);
  void start_reading(const std::filesystem::path& path, IfFile if_file);
  void take_listing();
  void enter(bool open_directory);
  void set_text(std::string text);
  void text_changed();
  void refilter();
  void go_up();
  void activate(std::size_t shown_index, bool open_directory);
  /// Returns the path that "Open" would open: the selected entry, or the directory if none is selected.
  [[nodiscard]] std::filesystem::path target() const;
  void draw_path_field(const AppContext& context);
  void draw_places(AppContext& context);
  void place(const AppContext& context, const char* label, const std::filesystem::path& path);
  void draw_entries(AppContext& context);
  void draw_entry(const AppContext& context, const DirectoryEntry& entry, ImVec2 at, float width);
  void draw_footer(AppContext& context);

  std::function<void()> wake_;
  Background<std::optional<Listing>> reading_;
  IfFile if_file_ = IfFile::fails;   // of reading_
  std::string comes_from_;           // directory just left by going up, to select in the next listing
  std::optional<bool> enter_waits_;  // Enter was pressed before the listing arrived; true: with Ctrl
  bool tab_waits_ = false;
  std::filesystem::path directory_;
  std::vector<DirectoryEntry> entries_;
  std::optional<Error> problem_;
  std::vector<std::size_t> shown_;  // indices of matching entries_
  std::string verb_;
  std::string typed_;
  bool replace_text_ = false;    // typed_ is newer than the text field
  bool keep_selection_ = false;  // when replace_text_ takes effect
  bool focus_field_ = false;
  int cursor_ = -1;  // index in shown_; -1: none
  bool scroll_to_cursor_ = false;
  std::optional<std::filesystem::path> result_;
  ImVec2 up_at_{};
};

}  // namespace warpscope::ui
