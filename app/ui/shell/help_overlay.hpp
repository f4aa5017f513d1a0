#pragma once
// All keys, from the command table, by category, with a field to find one; and what the mouse does on the page shown.
#include <span>
#include <string>
#include <vector>

#include "app/ui/page.hpp"
#include "app/ui/widgets/dialog.hpp"

namespace warpscope::ui {

class HelpOverlay : public Dialog {
 public:
  HelpOverlay() : Dialog("##help") {}
  /// `gestures`: of the page shown.
  void draw(AppContext& context, std::span<const Gesture> gestures);

 private:
  struct Line {
    std::string name;
    std::vector<std::string> keys;  ///< chords; of a gesture: one text
    bool is_gesture = false;
  };
  struct Section {
    std::string title;
    std::vector<Line> lines;
  };
  /// Sections side by side, each where it makes the tallest column least tall.
  struct Columns {
    int count = 1;
    float width = 0;
    float gap = 0;
    float height = 0;
    std::vector<ImVec2> places;  ///< of each section
  };
  [[nodiscard]] static Columns arrange(const AppContext& context, const std::vector<Section>& sections, float width);
  /// How many of a line's chords find room beside its name; the others stand in a row below.
  [[nodiscard]] static std::size_t keys_beside_name(const AppContext& context, const Line& line, float width);
  /// Chords [first, last) so that they end at `right_top`; returns where they begin.
  static float draw_chords(const AppContext& context, const Line& line, std::size_t first, std::size_t last,
                           ImVec2 right_top);
  [[nodiscard]] std::vector<Section> sections(const AppContext& context, std::span<const Gesture> gestures) const;
  void draw_section(const AppContext& context, const Section& section, float width) const;

  std::string query_;
  float full_height_ = 0;  // of all sections: the box does not jump while one is looked for
};

}  // namespace warpscope::ui
