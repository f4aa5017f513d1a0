#pragma once
// The sentences above the Dashboard's panels: what most of the GPU time went to. They are rows of the analysis
// what_dominates; each leads to the analysis that shows more, and to its place in the Timeline.
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
  struct Wish {
    std::string analysis{};              ///< to show; "" for none
    std::optional<std::size_t> place{};  ///< row whose place the Timeline is to show
  };
  /// What a sentence takes on the screen, for tests and for the state.
  struct Line {
    std::string text;
    std::string analysis;
    float x = 0, y = 0, width = 0, height = 0;  // px
    float place_x = 0;                          // of the button to the Timeline; 0: there is none
  };

  /// Draws the rows at the cursor, in `width` px. Takes no room where there are none.
  Wish draw(const AppContext& app, const trace::Profile& profile, const Table& table, float width);
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  void clear() { lines_.clear(); }

 private:
  std::vector<Line> lines_;
};

}  // namespace warpscope::ui
