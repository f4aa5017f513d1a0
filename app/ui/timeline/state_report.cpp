#include "app/ui/timeline/state_report.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "app/ui/timeline/canvas.hpp"
#include "app/ui/timeline/label_column.hpp"
#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/critical_path.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/timeline/path_finder.hpp"
#include "app/ui/timeline/timeline_search.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/word_at.hpp"

namespace warpscope::ui {
namespace {

void write_box(JsonWriter& writer, std::string_view name, double x, double y, double width, double height) {
  writer.key(name);
  writer.begin_object(JsonWriter::Layout::one_line);
  writer.member("x", x);
  writer.member("y", y);
  writer.member("width", width);
  writer.member("height", height);
  writer.end_object();
}

void write_box(JsonWriter& writer, std::string_view name, ImVec2 at, ImVec2 size) {
  write_box(writer, name, at.x, at.y, size.x, size.y);
}

std::string_view to_string(scene::RowKind kind) {
  static constexpr std::array<std::string_view, 6> kWords{"header",  "utilisation", "lane",
                                                          "summary", "counter",     "heat"};
  return word_at(kWords, kind);
}

std::string_view to_string(scene::HitKind kind) {
  static constexpr std::array<std::string_view, 6> kWords{"none", "row", "absent", "slice", "bucket", "curve"};
  return word_at(kWords, kind);
}

}  // namespace

void TimelineReport::write(JsonWriter& writer) const {
  write_view(writer);
  write_rows(writer);
  write_selection(writer);
  write_range(writer);
  write_search(writer);
  write_path(writer);
  write_hover(writer);
  canvas.overlays().write_state(writer);
  writer.member("rects", canvas.rects());
  writer.member("labels", canvas.labels());
  writer.member("loading", canvas.loading());
  writer.member("can_undo", state.can_undo());
  writer.member("can_redo", state.can_redo());
}

void TimelineReport::write_view(JsonWriter& writer) const {
  const Ns zero = state.profile()->span.begin;
  const Interval visible = state.view().visible();
  writer.member("begin_ns", visible.begin - zero);
  writer.member("end_ns", visible.end - zero);
  writer.member("settled", state.settled());
  writer.member("scroll", state.scroll());
  writer.member("max_scroll", state.max_scroll());
  write_box(writer, "canvas", geometry.canvas, geometry.canvas_size);
  write_box(writer, "ruler", geometry.ruler, geometry.ruler_size);
  write_box(writer, "legend", geometry.legend, geometry.legend_size);
  writer.member("hidden_classes", static_cast<int>(state.hidden_families()));
  write_box(writer, "steps", geometry.steps, geometry.steps_size);
  write_box(writer, "overview", geometry.overview, geometry.overview_size);
  write_box(writer, "label_column", geometry.labels, geometry.labels_size);
  write_box(writer, "track_filter", geometry.filter, geometry.filter_size);
}

void TimelineReport::write_rows(JsonWriter& writer) const {
  const scene::Layout& layout = *state.layout();
  const scene::TimelineInput input = state.input();
  writer.key("rows");
  writer.begin_object();
  writer.member("count", layout.rows().size());
  writer.member("pinned", layout.pinned().size());
  writer.member("any_hidden", layout.any_hidden());
  for (const std::string_view mark : {"growing", "unfinished"})
    writer.member(mark, std::ranges::count_if(layout.rows(), [this, mark](const scene::Row& row) {
                    return file_mark(app, *state.profile(), row) == mark;
                  }));
  const std::uint32_t first = layout.row_at(state.scroll());
  writer.member("first", first == scene::Row::kNone ? 0 : first);
  writer.key("visible");
  writer.begin_array();
  const auto add = [&](const std::vector<scene::Row>& rows, int top) {
    for (const scene::Row& row : rows) {
      const int y = scene::canvas_y(input, row);
      if (y + row.height <= top || y >= state.height()) continue;
      writer.begin_object(JsonWriter::Layout::one_line);
      writer.member("label", row.label);
      writer.member("note", row.note);
      writer.member("kind", to_string(row.kind));
      writer.member("level", row.level);
      writer.member("rank", row.rank == scene::Row::kNone ? -1 : state.profile()->ranks[row.rank]->number);
      writer.member("open", row.open);
      writer.member("foldable", row.foldable);
      writer.member("pinned", row.pinned);
      writer.member("y", static_cast<double>(geometry.canvas.y) + y);
      writer.member("height", row.height);
      writer.end_object();
    }
  };
  add(layout.pinned(), 0);
  add(layout.rows(), layout.pinned_height());
  writer.end_array();
  writer.end_object();
}

void TimelineReport::write_selection(JsonWriter& writer) const {
  writer.key("selection");
  if (!selection) {
    writer.value(nullptr);
    return;
  }
  const trace::Profile& profile = *state.profile();
  writer.begin_object();
  writer.member("name", profile.name(*selection));
  writer.member("track", track_path(profile, *selection));
  writer.member("rank", profile.ranks[selection->rank]->number);
  writer.member("begin_ns", profile.begin(*selection) - profile.span.begin);
  writer.member("duration_ns", profile.duration(*selection));
  const std::vector<scene::Box> boxes = boxes_of(state.input(), *selection);
  if (boxes.empty()) {
    writer.key("box");
    writer.value(nullptr);
  } else {
    const scene::Box& box = boxes.front();
    write_box(writer, "box", geometry.canvas.x + box.x0, geometry.canvas.y + box.y0, box.x1 - box.x0, box.y1 - box.y0);
  }
  writer.end_object();
}

void TimelineReport::write_range(JsonWriter& writer) const {
  writer.key("range");
  const SelectedRange* range = state.selected_range();
  if (range == nullptr) {
    writer.value(nullptr);
    return;
  }
  writer.begin_object();
  writer.member("begin_ns", range->time.begin - state.profile()->span.begin);
  writer.member("end_ns", range->time.end - state.profile()->span.begin);
  writer.member("length_ns", range->time.length());
  writer.member("all_lanes", range->all_lanes);
  writer.member("lanes", range->lanes.size());
  writer.end_object();
}

void TimelineReport::write_search(JsonWriter& writer) const {
  const SearchStatus status = search.status();
  writer.key("search");
  writer.begin_object();
  writer.member("query", search.query());
  writer.member("count", status.count);
  writer.member("current", status.current);
  writer.member("running", status.running);
  writer.member("error", status.error);
  writer.member("highlighted", state.highlight() ? state.highlight()->count() : 0);
  writer.key("filters");
  writer.begin_array(JsonWriter::Layout::one_line);
  for (const std::string& filter : search.filters()) writer.value(filter);
  writer.end_array();
  writer.end_object();
}

void TimelineReport::write_path(JsonWriter& writer) const {
  writer.key("path");
  if (path == nullptr) {
    writer.value(nullptr);
    return;
  }
  const Ns zero = state.profile()->span.begin;
  const auto* drawn = canvas.overlays().find<CriticalPathOverlay>();
  writer.begin_object();
  writer.member("of", path->request.of);
  writer.member("what_if", path->request.what_if);
  writer.member("ranks", path->chain->ranks().size());
  writer.member("length_ns", path->chain->length());
  writer.member("begin_ns", path->chain->time().begin - zero);
  writer.member("end_ns", path->chain->time().end - zero);
  writer.member("segments", path->chain->segments().size());
  writer.member("segment", path->segment ? static_cast<std::int64_t>(*path->segment) : -1);
  if (path->segment) {
    const scene::PathSegment& segment = path->chain->segments()[*path->segment];
    writer.member("segment_begin_ns", segment.time.begin - zero);
    writer.member("segment_end_ns", segment.time.end - zero);
    writer.member("bound_by", scene::words_of(segment.bound));
  }
  writer.member("links", path->chain->links().size());
  writer.member("links_in_view", drawn != nullptr ? drawn->in_view().links : 0);
  writer.member("arrows", drawn != nullptr ? drawn->in_view().arrows.size() : 0);
  writer.end_object();
}

void TimelineReport::write_hover(JsonWriter& writer) const {
  writer.key("hover");
  writer.begin_object();
  writer.member("kind", to_string(hover.kind));
  if (hover.slice && hover.slice->rank < state.profile()->ranks.size())
    writer.member("name", state.profile()->name(*hover.slice));
  if (hover.kind == scene::HitKind::bucket) writer.member("count", hover.count);
  if (hover.kind == scene::HitKind::bucket || hover.kind == scene::HitKind::curve) writer.member("share", hover.share);
  writer.end_object();
}

}  // namespace warpscope::ui
