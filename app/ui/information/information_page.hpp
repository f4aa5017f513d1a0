#pragma once
// The Information page: facts about the job and its traces, one table per section. Shows the analysis "information",
// which is not listed with the others.
#include <vector>

#include "app/ui/analysis/tabs_page.hpp"

namespace warpscope::ui {

class InformationPage final : public TabsPage {
 public:
  explicit InformationPage(AppContext& context);

  [[nodiscard]] std::span<const Gesture> gestures() const override { return {}; }
  void write_state(JsonWriter& writer) const override;

 private:
  // Leaves a section without matching rows for the first with some.
  void search(std::string_view query) override;
  [[nodiscard]] std::string_view hint() const override { return "Filter the tables…"; }

  /// Returns the number of matching rows in each section.
  [[nodiscard]] std::vector<std::size_t> matches() const;
  void draw_list(float width, bool menu) override;
  /// Draws all values of the selected row, which may be too long for the table.
  void draw_row(float height);

  bool diagnostics_wanted_ = false;  // shown once the tables are known
};

}  // namespace warpscope::ui
