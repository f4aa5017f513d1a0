#pragma once
// Details of the rule selected in the rule list: its description, parameters, tables and charts.
#include <memory>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/widgets/chart_view.hpp"
#include "app/ui/widgets/table_view.hpp"
#include "core/rules/rule.hpp"
#include "render/plots/analysis_plot.hpp"

namespace warpscope::ui {

class RuleDetails {
 public:
  /// `rule` must live until close().
  void show(const rules::Evaluated& rule);
  void close() {
    rule_ = nullptr;
    shown_.clear();
  }
  [[nodiscard]] const rules::Evaluated* rule() const { return rule_; }
  [[nodiscard]] std::size_t tables() const { return shown_.size(); }

  void draw(AppContext& app, float width);

 private:
  struct Shown {
    rules::Detail detail;
    TableView view;
    ChartView chart;
    plots::AnalysisDrawing drawing{};
    std::optional<scene::Theme> drawn_for{};
  };

  static void draw_chart(AppContext& app, Shown& shown, float width);

  const rules::Evaluated* rule_ = nullptr;
  std::vector<std::unique_ptr<Shown>> shown_;
};

}  // namespace warpscope::ui
