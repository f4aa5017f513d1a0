#pragma once
// Sentences about the largest uses of GPU time, shown at the top of the Dashboard and on the Analysis page. Each
// sentence is a row of the `what_dominates` analysis and links to a more detailed analysis and a location in the
// Timeline.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "core/base/table.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ui {

class AnswerLines {
 public:
  struct Choice {
    std::string analysis{};              ///< analysis to show; "" for none
    std::optional<std::size_t> place{};  ///< row to show in the Timeline
  };
  /// Text and screen position of a sentence, for tests and write_state().
  struct Line {
    std::string text;
    std::string analysis;
    float x = 0, y = 0, width = 0, height = 0;  // px
    float place_x = 0;                          // of the Timeline button; 0: none
  };

  /// Draws the rows at the cursor, `width` px wide. Takes up no space if there are no rows.
  Choice draw(const AppContext& app, const trace::Profile& profile, const Table& table, float width);
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  void clear() { lines_.clear(); }

 private:
  std::vector<Line> lines_;
};

}  // namespace warpscope::ui
