#pragma once
// The Load page's profile list: the user's folders and a table of the profiles found in them.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/load/profile_list.hpp"
#include "app/ui/load/profile_scans.hpp"
#include "app/ui/widgets/table_view.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

class ListView {
 public:
  explicit ListView(std::function<void()> wake) : scans_(std::move(wake)) {}

  /// Updates the list from the folders and scans. Call once per frame.
  void update(const std::vector<std::string>& roots);
  /// Fills the available space.
  void draw(AppContext& context);

  /// Lists only profiles that contain all words of the query in their name, time, status, remark or folder.
  void search(std::string_view query) { view_.rows().filter(table_, query); }
  void sort_next() { view_.sort_next(); }
  void look_again() { scans_.look_again(); }
  /// Moves the cursor by `by` rows. Without a cursor, starts at the first row, or at the last row if `by` is negative.
  void move_cursor(int by);
  /// Returns false if there was no cursor.
  bool clear_cursor() { return !std::exchange(cursor_, {}).empty(); }
  /// Returns the position of the cursor in the list.
  [[nodiscard]] std::optional<std::size_t> cursor() const;
  /// Returns the profile at the cursor; null if there is none.
  [[nodiscard]] const ListedProfile* chosen() const;
  /// Returns the folder of the profile at the cursor. Without a cursor, returns the folder if there is only one.
  [[nodiscard]] std::optional<std::string> chosen_root() const;
  [[nodiscard]] std::size_t shown() const { return view_.order().size(); }
  [[nodiscard]] bool busy() const { return scans_.looking(); }
  void write_state(JsonWriter& writer) const;

 private:
  void draw_roots(AppContext& context) const;
  void draw_controls(AppContext& context) const;

  ProfileScans scans_;
  std::vector<ListedProfile> profiles_;  // the rows of table_
  Table table_;
  TableView view_;
  std::string cursor_;  // path
  bool scroll_to_cursor_ = false;
  int scans_shown_ = 0;  // completed ones; each fits the columns anew
};

}  // namespace warpscope::ui
