#pragma once
// The panel next to a table. Lists the selected row's calls with their durations, steps and ranks, and links to the
// Timeline. The search for calls runs on another thread.
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "core/analysis/operators/call_tables.hpp"
#include "render/charts/histogram_chart.hpp"
#include "render/charts/stacked_bars.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

class CallsPanel {
 public:
  static constexpr float kWidth = 320;  ///< px at 1×

  /// `page`: page id, used as a prefix for command ids.
  explicit CallsPanel(std::string_view page) : commands_(std::string(page) + ".") {}

  /// Shows a row's calls; nullopt shows none. `of_row`: number of calls counted in the row, which may be smaller than
  /// the number of calls with this name, because rows may also be split by shape or caller. Cheap if nothing changed.
  void show(AppContext& app, std::optional<analysis::CallQuery> query, std::optional<std::int64_t> of_row = {});
  void profile_changed();
  /// True if a row with calls is selected.
  [[nodiscard]] bool shown() const { return query_.has_value(); }
  [[nodiscard]] bool busy() const { return work_.running(); }
  /// Selects the next (+1) or previous (-1) call by decreasing duration and shows it in the Timeline.
  void step(AppContext& app, int direction);
  /// Highlights all calls in the Timeline and goes to the call last selected by step(), or to the longest call if none.
  void show_in_timeline(AppContext& app);
  void draw(AppContext& app, float height);
  void write_state(JsonWriter& writer) const;

  /// The search result; null while searching or if no row is selected.
  [[nodiscard]] const analysis::CallTables* calls() const { return found_ ? found_.get() : nullptr; }

 private:
  void take(AppContext& app);
  void make_charts(const AppContext& app);
  void draw_buttons(AppContext& app);
  void draw_figures(const AppContext& app);
  void draw_bars(const AppContext& app, const char* id, ChartView& view, const charts::StackedBars& bars,
                 const Table& table, std::span<const std::uint32_t> rows, float height);

  std::string commands_;
  std::optional<analysis::CallQuery> query_;
  std::optional<std::int64_t> of_row_;
  std::uint64_t generation_ = 0;  // Session::generation of the query
  Background<std::shared_ptr<const analysis::CallTables>> work_;
  std::shared_ptr<const analysis::CallTables> found_;
  std::size_t chosen_ = 0;
  bool made_ = false;
  bool made_dark_ = false;
  std::optional<charts::HistogramChart> durations_;
  std::optional<charts::StackedBars> steps_;
  std::optional<charts::StackedBars> ranks_;
  std::vector<std::uint32_t> step_rows_, rank_rows_;  // table rows of the bars
  ChartView durations_view_, steps_view_, ranks_view_;
};

}  // namespace warpscope::ui
