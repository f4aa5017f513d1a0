#pragma once
// The Load page, the first page in the rail. Shows loaded profiles, the profiles in the user's folders, and other ways
// to open profiles.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/ui/load/loaded_view.hpp"
#include "app/ui/load/profile_list.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/page.hpp"
#include "app/ui/widgets/table_view.hpp"

namespace warpscope::ui {

class LoadPage : public Page, private Searcher {
 public:
  explicit LoadPage(AppContext& context);

  void draw(AppContext& context) override;
  [[nodiscard]] bool busy() const override { return list_.looking(); }
  bool escape(AppContext& context) override;
  [[nodiscard]] Searcher* searcher() override;
  void write_state(JsonWriter& writer) const override;
  [[nodiscard]] std::span<const Gesture> gestures() const override;

 private:
  void add_commands();
  [[nodiscard]] std::vector<std::string> roots() const;

  // Lists only profiles that contain all words of the query in their name, time or folder.
  void search(std::string_view query) override { view_.rows().filter(table_, query); }
  [[nodiscard]] SearchStatus status() const override;
  void step(int direction) override { move_cursor(direction); }
  bool enter() override;
  [[nodiscard]] std::string_view hint() const override { return "Find profiles"; }

  /// Moves the cursor by `by` rows. Without a cursor, starts at the first row, or at the last row if `by` is negative.
  void move_cursor(int by);
  /// Returns the position of the cursor in the list.
  [[nodiscard]] std::optional<std::size_t> cursor() const;
  /// Returns the profile at the cursor; null if there is none.
  [[nodiscard]] const ListedProfile* chosen() const;
  /// Returns the folder of the profile at the cursor. Without a cursor, returns the folder if there is only one.
  [[nodiscard]] std::optional<std::string> chosen_root() const;

  void draw_open_buttons(bool first);
  void draw_recents();
  void draw_recordings();
  void draw_list();
  void draw_roots();

  AppContext& context_;
  LoadedView loaded_;
  ProfileList list_;
  Table table_;  // of the profiles in list_
  TableView view_;
  std::string cursor_;  // path
  bool scroll_to_cursor_ = false;
};

}  // namespace warpscope::ui
