#pragma once
// What the timeline shows, as JSON for tests: enough to know where to click and what then has to be seen. Times are ns
// since the profile's begin; places are px on the screen.
#include <optional>

#include "app/ui/app_context.hpp"
#include "app/ui/timeline/timeline_geometry.hpp"
#include "app/ui/timeline/timeline_state.hpp"
#include "render/scene/hit_test.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

class Canvas;
class TimelineSearch;
struct ShownPath;

struct TimelineReport {
  const AppContext& app;
  const TimelineState& state;
  const TimelineGeometry& geometry;
  const Canvas& canvas;
  const TimelineSearch& search;
  const ShownPath* path;  ///< null: none is shown
  const scene::Hit& hover;
  std::optional<trace::SliceRef> selection;

  /// Keys and values into the object that is open.
  void write(JsonWriter& writer) const;

 private:
  void write_view(JsonWriter& writer) const;
  void write_rows(JsonWriter& writer) const;
  void write_selection(JsonWriter& writer) const;
  void write_range(JsonWriter& writer) const;
  void write_search(JsonWriter& writer) const;
  void write_path(JsonWriter& writer) const;
  void write_hover(JsonWriter& writer) const;
};

}  // namespace warpscope::ui
