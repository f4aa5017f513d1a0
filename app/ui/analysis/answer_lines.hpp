#pragma once
// Sentences about the largest uses of GPU time, shown at the top of the Dashboard and on the Analysis page. Each
// sentence is a row of the `what_dominates` analysis and links to a more detailed analysis and a location in the
// Timeline.
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/model/analysis_results.hpp"

namespace warpscope::ui {

class AnswerLines {
 public:
  /// Text and screen position of a sentence, for tests and write_state().
  struct Line {
    std::string text;
    std::string analysis;
    float x = 0, y = 0, width = 0, height = 0;  // px
    float place_x = 0;                          // of the Timeline button; 0: none
  };

  /// Draws the rows of a table at the cursor, `width` px wide, and follows their links. Returns false and takes up no
  /// space if there are no sentences.
  bool draw(AppContext& app, std::shared_ptr<const AnalysisAnswer> answer, std::size_t table, float width);
  [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
  void clear() { lines_.clear(); }

 private:
  std::vector<Line> lines_;
};

}  // namespace warpscope::ui
