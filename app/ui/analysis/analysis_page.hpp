#pragma once
// The Analysis page: lists all registered analyses on the left and shows the selected one on the right. It contains no
// analysis-specific code, so newly registered analyses appear automatically.
#include <string>
#include <vector>

#include "app/ui/analysis/tabs_page.hpp"

namespace warpscope::ui {

class AnalysisPage final : public TabsPage {
 public:
  explicit AnalysisPage(AppContext& app);

  [[nodiscard]] std::span<const Gesture> gestures() const override;

 private:
  // Lists only analyses that match all words in the find field, with title matches first.
  void search(std::string_view query) override;
  [[nodiscard]] SearchStatus status() const override;
  void step(int direction) override { move(direction); }
  [[nodiscard]] std::string_view hint() const override { return "Find an analysis…"; }

  void add_commands();
  void show(std::size_t index);
  void move(int by);
  /// Returns the registry indices of the analyses that match the find field: title matches first, then description
  /// matches.
  [[nodiscard]] std::vector<std::size_t> listed() const;
  [[nodiscard]] bool titled(std::size_t index) const;
  void draw_list(float width, bool menu) override;

  std::size_t shown_ = 0;  // index in the registry
  std::string query_;
};

}  // namespace warpscope::ui
