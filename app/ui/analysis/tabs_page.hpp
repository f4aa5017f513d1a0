#pragma once
// A page that shows related analyses as tabs, with the selected row's calls next to the table. For an example, see
// app/ui/operators. Derived pages show a list on the left instead of tabs, or a menu above the table in narrow windows.
#include <optional>
#include <span>
#include <string_view>

#include "app/ui/analysis/analysis_view.hpp"
#include "app/ui/analysis/calls_panel.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/page.hpp"

namespace warpscope::ui {

struct AnalysisTab {
  std::string_view id;
  std::string_view title;
  std::string_view analysis;       ///< name in the registry
  float chart_share = 0.35f;       ///< maximum fraction of the height for the chart
  std::string_view hidden{};       ///< parameter without a field
  std::string_view also_hidden{};  ///< another parameter without a field
  std::string_view table{};        ///< id of the table shown first; "": the main table
  std::string_view preset{};       ///< value of `hidden`, instead of the analysis' default
};

class TabsPage : public Page, protected Searcher {
 public:
  /// `tabs` and `purpose` must outlive the page. `purpose` is shown while the page is empty. `list_width`: of the list,
  /// px at 1×; 0: the page has tabs.
  TabsPage(AppContext& app, const PageSpec& spec, std::span<const AnalysisTab> tabs, std::string_view purpose,
           float list_width = 0);

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

 protected:
  // Shows only rows that match the find field.
  void search(std::string_view query) override { view_.filter(query); }
  [[nodiscard]] SearchStatus status() const override;
  void step(int direction) override { view_.move_row(direction); }
  [[nodiscard]] std::string_view hint() const override { return "Filter the rows…"; }

  /// Adds commands for the shown analysis and the selected row's calls.
  void add_row_commands(const CommandGroup& add);
  /// Shows an analysis, with the selected row's calls beside its table.
  void show_analysis(const analysis::Analysis& analysis, AnalysisLook look);
  /// `menu`: draws a menu instead of a list.
  virtual void draw_list(float /*width*/, bool /*menu*/) {}

  AppContext& app_;
  AnalysisView view_;
  CallsPanel calls_;

 private:
  void add_commands();
  void show(std::size_t tab);
  [[nodiscard]] std::optional<analysis::CallQuery> query() const;

  std::span<const AnalysisTab> tabs_;
  std::string_view purpose_;
  float list_width_ = 0;
  std::size_t tab_ = 0;
};

}  // namespace warpscope::ui
