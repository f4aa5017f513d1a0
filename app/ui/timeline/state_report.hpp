#pragma once
// State of the timeline as JSON for tests: where to click, and what should then be visible. Times are ns since the
// start of the profile, positions are screen px.
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
  const ShownPath* path;  ///< null: no path shown
  const scene::Hit& hover;
  std::optional<trace::SliceRef> selection;

  /// Writes keys and values into the current object.
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
