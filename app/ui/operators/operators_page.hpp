#pragma once
// The Operators page: the tables that torch.profiler and its TensorBoard plugin show, as tabs. Each tab is an analysis;
// beside its table are the calls of the selected row.
#include <optional>
#include <string>

#include "app/ui/analysis/analysis_view.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/operators/calls_panel.hpp"
#include "app/ui/page.hpp"

namespace warpscope::ui {

class OperatorsPage final : public Page, private Searcher {
 public:
  explicit OperatorsPage(AppContext& app);

  [[nodiscard]] bool available() const override;
  void draw(AppContext& app) override;
  void profile_changed(AppContext& app) override;
  [[nodiscard]] bool busy() const override { return view_.busy() || calls_.busy(); }
  bool escape(AppContext&) override { return view_.escape(); }
  bool restrict_to(const trace::Profile& profile, Interval range) override {
    view_.restrict_to(profile, range);
    return true;
  }
  [[nodiscard]] Searcher* searcher() override { return this; }
  [[nodiscard]] std::span<const Gesture> gestures() const override;
  void write_state(JsonWriter& writer) const override;

  [[nodiscard]] AnalysisView& view() { return view_; }
  [[nodiscard]] const CallsPanel& calls() const { return calls_; }

 private:
  // Find field: filters the rows.
  void search(std::string_view query) override { view_.filter(query); }
  [[nodiscard]] SearchStatus status() const override;
  void step(int direction) override { view_.move_row(direction); }
  [[nodiscard]] std::string_view hint() const override { return "Filter the rows…"; }

  void add_commands();
  void show(std::size_t tab);
  void draw_tabs();
  [[nodiscard]] std::optional<analysis::CallQuery> query() const;

  AppContext& app_;
  AnalysisView view_;
  CallsPanel calls_;
  std::size_t tab_ = 0;
};

}  // namespace warpscope::ui
