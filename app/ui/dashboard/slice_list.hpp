#pragma once
// The slice list below the panels. Shows the slices behind the chart item the user clicked, longest first. The user can
// step through the list and show any slice in the Timeline. A worker thread finds the slices; the Timeline also
// highlights them (Session::picked).
#include <optional>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/dashboard/slice_picker.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/widgets/table_view.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

class SliceList {
 public:
  /// Starts the search. `open`: shows the first result in the Timeline.
  void start(AppContext& app, PickRequest request, bool open);
  /// Repeats the search after more of the profile has loaded; keeps the selection.
  void profile_changed(AppContext& app);
  /// Fetches finished results. Call once per frame.
  void update(AppContext& app);
  void close(AppContext& app);
  [[nodiscard]] bool is_open() const { return open_; }
  [[nodiscard]] bool busy() const { return work_.running(); }
  /// Selects the next (+1) or previous (-1) slice, starting with the longest.
  void step(AppContext& app, int direction);
  void show_in_timeline(AppContext& app);
  /// Fills the rest of the window, `height` px tall.
  void draw(AppContext& app, float height);
  void write_state(JsonWriter& writer) const;

 private:
  void choose(AppContext& app, std::size_t index);
  void draw_header(AppContext& app);

  Background<PickResult> work_;
  PickRequest request_;
  PickResult result_;
  std::uint64_t generation_ = 0;  // Session::generation of the request
  TableView view_;
  std::optional<std::size_t> chosen_;  // index in result_.slices
  bool open_ = false;
  bool ready_ = false;
  bool show_when_found_ = false;
  bool keep_selection_ = false;
  bool scroll_ = false;
};

}  // namespace warpscope::ui
