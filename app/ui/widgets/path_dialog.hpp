#pragma once
// A dialog for choosing a directory or file to open or to save. A text field keeps focus; the list below it
// shows the entries of its directory that match. Tab completes the name of the selected or first entry, Up and Down
// move through the list, and Enter enters the selected directory or accepts the selected or typed path. Directories are
// read on another thread, because disks may be slow; Tab and Enter pressed in the meantime apply to the new list.
#include <imgui.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/model/background.hpp"
#include "app/ui/model/directory_listing.hpp"
#include "app/ui/widgets/dialog.hpp"
#include "app/ui/widgets/list_cursor.hpp"

namespace warpscope::ui {

/// A checkbox next to the buttons.
struct PathOption {
  std::string label{};
  bool* value = nullptr;  ///< null: none
};

class PathDialog : public Dialog {
 public:
  explicit PathDialog(const char* id) : Dialog(id) {}
  /// Opens the dialog on a directory. `verb`: label of the confirm button. `name`: suggested file, if it is to be
  /// saved.
  void ask(const std::filesystem::path& directory, std::string title, std::string verb, const std::string& name = {},
           PathOption option = {});
  /// Call after ask(): paths on other machines are accepted, too.
  void offer_remote() { remote_ = true; }
  /// Draws the dialog while it is open; returns the chosen path once.
  std::optional<std::filesystem::path> draw(const AppContext& app);

  /// True while a directory is being read.
  [[nodiscard]] bool busy() const { return is_open() && reading_.running(); }
  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  /// Returns the center of the "Up" button, in screen coordinates.
  [[nodiscard]] ImVec2 up_at() const { return up_at_; }

 private:
  [[nodiscard]] bool remote() const;  // typed_ is on another machine
  /// Returns the remote path in typed_, which may follow the directory that was there; "" if there is none.
  [[nodiscard]] std::string remote_path() const;
  void set_text(std::string text);
  void draw_field(const AppContext& app);
  /// Reads the directory of the typed path if it changed, and lists its matching entries.
  void update(const AppContext& app);
  void draw_entries(const AppContext& app);
  void draw_entry(const AppContext& app, const DirectoryEntry& entry, ImVec2 at, float width) const;
  /// Enters a directory or chooses a path.
  void accept(bool open_directory);
  ImVec2 up_at_{};
  std::string title_;
  std::string verb_;
  PathOption option_;
  std::string typed_;
  bool remote_ = false;
  bool replace_text_ = false;  // typed_ is newer than the text field
  std::filesystem::path directory_;
  std::vector<DirectoryEntry> entries_;
  std::optional<Error> problem_;
  Background<Result<std::vector<DirectoryEntry>>> reading_;
  std::string listed_for_;          // typed_ that shown_ matches
  std::vector<std::size_t> shown_;  // indices of matching entries_
  ListCursor cursor_;
  bool focus_ = false;
  bool tab_ = false;             // Tab was pressed and not applied yet
  std::optional<bool> entered_;  // Enter was pressed and not applied yet; true: with Ctrl
  std::optional<std::filesystem::path> chosen_;
};

}  // namespace warpscope::ui
