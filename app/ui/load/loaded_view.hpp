#pragma once
// The Load page section that lists open profiles with their load progress, memory usage and actions.
#include <cstdint>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

struct OpenProfile;

class LoadedView {
 public:
  /// Fills the available width.
  void draw(AppContext& context);
  void write_state(JsonWriter& writer) const;

 private:
  /// Centers of a row's controls, in output px, for tests.
  struct Place {
    std::string name;
    std::string state;
    bool failed = false;
    float radio_x = 0, bin_x = 0, stop_x = 0, y = 0;
  };

  void draw_row(AppContext& context, const OpenProfile& one, float width);
  static void draw_current(const AppContext& context);

  std::uint64_t show_ = 0;  // ids requested in this frame; 0: none
  std::uint64_t unload_ = 0;
  std::uint64_t stop_ = 0;
  std::vector<Place> places_;
};

}  // namespace warpscope::ui
