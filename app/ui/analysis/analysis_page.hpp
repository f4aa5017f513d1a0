#pragma once
// The Analysis page: lists all registered analyses on the left and shows the selected one on the right. It contains no
// analysis-specific code, so newly registered analyses appear automatically.
#include <optional>
#include <string>

#include "app/ui/analysis/analysis_view.hpp"
#include "app/ui/model/searcher.hpp"
#include "app/ui/page.hpp"

namespace warpscope::ui {

class AnalysisPage final : public Page, private Searcher {
 public:
  explicit AnalysisPage(AppContext& app);

  [[nodiscard]] bool available() const override;
  void draw(AppContext& app) override;
  void profile_changed(AppContext& app) override { view_.profile_changed(app); }
  [[nodiscard]] bool busy() const override { return view_.busy(); }
  bool escape(AppContext&) override { return view_.escape(); }
  bool restrict_to(const trace::Profile& profile, Interval range) override {
    view_.restrict_to(profile, range);
    return true;
  }
  [[nodiscard]] Searcher* searcher() override { return this; }
  [[nodiscard]] std::span<const Gesture> gestures() const override;
  void write_state(JsonWriter& writer) const override { view_.write_state(writer); }

  [[nodiscard]] AnalysisView& view() { return view_; }

 private:
  // Lists only analyses that match all words in the find field, with title matches first.
  void search(std::string_view query) override;
  [[nodiscard]] SearchStatus status() const override;
  void step(int direction) override;
  [[nodiscard]] std::string_view hint() const override { return "Find an analysis…"; }

  void add_commands();
  void show(std::size_t index);
  void move(int by);
  /// Returns the registry indices of the analyses that match the find field: title matches first, then description
  /// matches.
  [[nodiscard]] std::vector<std::size_t> listed() const;
  [[nodiscard]] bool titled(std::size_t index) const;
  /// `menu`: draws a menu instead of a list, for narrow windows.
  void draw_list(float width, bool menu);

  AppContext& app_;
  AnalysisView view_;
  std::size_t shown_ = 0;  // index in the registry
  std::string query_;
};

}  // namespace warpscope::ui
