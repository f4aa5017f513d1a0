#pragma once
// The help overlay: all keys from the command table by category, with a search field, and the mouse gestures of the
// current page.
#include <span>
#include <string>
#include <vector>

#include "app/ui/page.hpp"
#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

class HelpOverlay : public Dialog {
 public:
  HelpOverlay() : Dialog("##help") {}
  /// `gestures`: of the current page.
  void draw(AppContext& context, std::span<const Gesture> gestures);

 private:
  struct Line {
    std::string name;
    std::vector<std::string> keys;  ///< chords; for a gesture: one text
    bool is_gesture = false;
  };
  struct Section {
    std::string title;
    std::vector<Line> lines;
  };
  /// Column layout: each section goes where it keeps the tallest column shortest.
  struct Columns {
    int count = 1;
    float width = 0;
    float gap = 0;
    float height = 0;
    std::vector<ImVec2> places;  ///< one per section
  };
  [[nodiscard]] static Columns arrange(const AppContext& context, const std::vector<Section>& sections, float width);
  /// Number of chords that fit next to a line's name; the others go on a row below.
  [[nodiscard]] static std::size_t keys_beside_name(const AppContext& context, const Line& line, float width);
  /// Draws chords [first, last) right-aligned at `right_top`; returns the left edge.
  static float draw_chords(const AppContext& context, const Line& line, std::size_t first, std::size_t last,
                           ImVec2 right_top);
  [[nodiscard]] std::vector<Section> sections(const AppContext& context, std::span<const Gesture> gestures) const;
  void draw_section(const AppContext& context, const Section& section, float width) const;

  std::string query_;
  float full_height_ = 0;  // with all sections: the box keeps its size during a search
};

}  // namespace warpscope::ui
