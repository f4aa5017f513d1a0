#pragma once
// A panel with the slices behind a table row or chart item: their durations, steps and ranks, and a list, longest
// first, with links to the Timeline. Another thread finds the slices; the Timeline highlights them (Session::picked).
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "core/analysis/operators/call_tables.hpp"
#include "render/plots/analysis_plot.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

class CallsPanel {
 public:
  static constexpr float kWidth = 320;  ///< px at 1×

  /// `page`: page id, used as a prefix for command ids.
  explicit CallsPanel(std::string_view page) : commands_(std::string(page) + ".") {}

  /// Shows a row's slices; nullopt shows none. `label` describes them. `of_row`: number of slices counted in the row,
  /// which may be smaller than the number with this name, because rows may also be split by shape or caller. Call every
  /// frame; cheap if nothing changed. Repeats the search when more of the profile has loaded.
  void show(AppContext& app, std::optional<analysis::CallQuery> query, std::string label = {},
            std::optional<std::int64_t> of_row = {});
  /// Repeats the last show().
  void update(AppContext& app) { show(app, query_, label_, of_row_); }
  /// Selects the longest slice once found. `in_timeline`: shows it there.
  void select_first(AppContext& app, bool in_timeline);
  void close(AppContext& app);
  /// True if a row with slices is selected.
  [[nodiscard]] bool shown() const { return query_.has_value(); }
  [[nodiscard]] bool busy() const { return work_.running(); }
  /// Selects the next (+1) or previous (-1) slice by decreasing duration.
  void step(AppContext& app, int direction);
  /// Highlights all slices in the Timeline and goes to the selected one, or to the longest if none.
  void show_in_timeline(AppContext& app);
  /// Draws the panel. `closes`: it has a button that closes it.
  void draw(AppContext& app, float height, bool closes = false);
  void write_state(JsonWriter& writer) const;

  /// The search result; null while searching or if no row is selected.
  [[nodiscard]] const analysis::CallTables* calls() const { return found_ ? found_.get() : nullptr; }

 private:
  void take(AppContext& app);
  void choose(AppContext& app, std::size_t index);
  void make_charts(const AppContext& app);
  [[nodiscard]] std::string place() const;
  void draw_buttons(AppContext& app);
  void draw_slices(AppContext& app);
  void draw_figures(const AppContext& app);

  struct Chart {
    plots::AnalysisDrawing drawing{};
    const Table* table = nullptr;  // in found_
    ChartView view{};
  };

  std::string commands_;
  std::optional<analysis::CallQuery> query_;
  std::string label_;
  std::optional<std::int64_t> of_row_;
  std::uint64_t generation_ = 0;  // Session::generation of the query
  Background<std::shared_ptr<const analysis::CallTables>> work_;
  std::shared_ptr<const analysis::CallTables> found_;
  std::shared_ptr<const PickedSlices> picked_;  // of found_
  std::optional<std::size_t> chosen_;
  bool selects_first_ = false;
  bool opens_first_ = false;
  bool scroll_ = false;
  bool made_ = false;
  bool made_dark_ = false;
  std::array<Chart, 3> charts_;  // durations, steps, ranks
  TableView list_view_;
};

}  // namespace warpscope::ui
