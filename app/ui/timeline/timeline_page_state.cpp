// State of the Timeline as JSON for tests: where to click, and what should then be visible. Times are ns since the
// start of the profile, positions are screen px.
#include <algorithm>
#include <array>
#include <string_view>

#include "app/ui/model/session.hpp"
#include "app/ui/model/state_members.hpp"
#include "app/ui/timeline/overlays/canvas_drawing.hpp"
#include "app/ui/timeline/overlays/critical_path.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "core/base/word_at.hpp"

namespace warpscope::ui {
namespace {

void write_box(JsonWriter& writer, std::string_view name, double x, double y, double width, double height) {
  const auto write = [&] {
    writer.member("x", x);
    writer.member("y", y);
    writer.member("width", width);
    writer.member("height", height);
  };
  write_object(writer, name, write, JsonWriter::Layout::one_line);
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

void write_view(JsonWriter& writer, const TimelineState& state, const TimelineGeometry& geometry) {
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
  write_box(writer, "steps", geometry.steps, geometry.steps_size);
  write_box(writer, "overview", geometry.overview, geometry.overview_size);
}

void write_rows(JsonWriter& writer, const AppContext& app, const TimelineState& state, float canvas_y) {
  const trace::Profile& profile = *state.profile();
  const scene::Layout& layout = *state.layout();
  const scene::TimelineInput input = state.input();
  writer.member("count", layout.rows().size());
  writer.member("pinned", layout.pinned().size());
  writer.member("any_hidden", layout.any_hidden());
  for (const std::string_view mark : {"growing", "unfinished"})
    writer.member(mark, std::ranges::count_if(layout.rows(), [&](const scene::Row& row) {
                    return file_mark(app, profile, row) == mark;
                  }));
  const std::uint32_t first = layout.row_at(state.scroll());
  writer.member("first", first == scene::Row::kNone ? 0 : first);
  std::vector<const scene::Row*> visible;
  const auto add = [&](const std::vector<scene::Row>& rows, int top) {
    for (const scene::Row& row : rows)
      if (const int y = scene::canvas_y(input, row); y + row.height > top && y < state.height())
        visible.push_back(&row);
  };
  add(layout.pinned(), 0);
  add(layout.rows(), layout.pinned_height());
  const auto write_row = [&](const scene::Row* row) {
    writer.member("label", row->label);
    writer.member("note", row->note);
    writer.member("kind", to_string(row->kind));
    writer.member("level", row->level);
    writer.member("rank", row->rank == scene::Row::kNone ? -1 : profile.ranks[row->rank]->number);
    writer.member("open", row->open);
    writer.member("pinned", row->pinned);
    writer.member("y", static_cast<double>(canvas_y) + scene::canvas_y(input, *row));
    writer.member("height", row->height);
  };
  write_objects(writer, "visible", visible, write_row, JsonWriter::Layout::one_line);
}

void write_selection(JsonWriter& writer, const TimelineState& state, ImVec2 canvas, trace::SliceRef slice) {
  const trace::Profile& profile = *state.profile();
  writer.member("name", profile.name(slice));
  writer.member("track", track_path(profile, slice));
  writer.member("rank", profile.ranks[slice.rank]->number);
  writer.member("begin_ns", profile.begin(slice) - profile.span.begin);
  writer.member("duration_ns", profile.duration(slice));
  const std::vector<scene::Box> boxes = boxes_of(state.input(), slice);
  if (boxes.empty()) return writer.member("box", nullptr);
  const scene::Box& box = boxes.front();
  write_box(writer, "box", canvas.x + box.x0, canvas.y + box.y0, box.x1 - box.x0, box.y1 - box.y0);
}

void write_search(JsonWriter& writer, const TimelineState& state, const TimelineSearch& search) {
  const SearchStatus status = search.status();
  writer.member("query", search.query());
  writer.member("count", status.count);
  writer.member("current", status.current);
  writer.member("running", status.running);
  writer.member("error", status.error);
  writer.member("highlighted", state.highlight() ? state.highlight()->count() : 0);
  write_values(writer, "filters", search.filters());
}

void write_path(JsonWriter& writer, const ShownPath& path, Ns zero, const CriticalPathOverlay* drawn) {
  writer.member("of", path.request.of);
  writer.member("ranks", path.chain->ranks().size());
  writer.member("length_ns", path.chain->length());
  writer.member("begin_ns", path.chain->time().begin - zero);
  writer.member("end_ns", path.chain->time().end - zero);
  writer.member("segments", path.chain->segments().size());
  writer.member("segment", path.segment ? static_cast<std::int64_t>(*path.segment) : -1);
  if (path.segment) {
    const scene::PathSegment& segment = path.chain->segments()[*path.segment];
    writer.member("segment_begin_ns", segment.time.begin - zero);
    writer.member("segment_end_ns", segment.time.end - zero);
    writer.member("class", analysis::words_of(segment.what).words);
  }
  writer.member("links", path.chain->links().size());
  writer.member("arrows", drawn != nullptr ? drawn->in_view().arrows.size() : 0);
}

void write_hover(JsonWriter& writer, const trace::Profile& profile, const scene::Hit& hover) {
  writer.member("kind", to_string(hover.kind));
  if (hover.slice && hover.slice->rank < profile.ranks.size()) writer.member("name", profile.name(*hover.slice));
  if (hover.kind == scene::HitKind::bucket) writer.member("count", hover.count);
  if (hover.kind == scene::HitKind::bucket || hover.kind == scene::HitKind::curve) writer.member("share", hover.share);
}

/// Writes a member whose value is an object, or null if there is nothing to write.
template <class Write>
void write_if(JsonWriter& writer, std::string_view key, bool there, const Write& write) {
  there ? write_object(writer, key, write) : writer.member(key, nullptr);
}

}  // namespace

void TimelinePage::write_state(JsonWriter& writer) const {
  if (!state_.profile()) return;
  const Ns zero = state_.profile()->span.begin;
  const auto& selection = app_.session.selection();
  const SelectedRange* range = state_.selected_range();
  const ShownPath* path = path_finder_.shown();
  write_view(writer, state_, geometry_);
  write_object(writer, "rows", [&] { write_rows(writer, app_, state_, geometry_.canvas.y); });
  write_if(writer, "selection", selection.has_value(),
           [&] { write_selection(writer, state_, geometry_.canvas, *selection); });
  write_if(writer, "range", range != nullptr, [&] {
    writer.member("begin_ns", range->time.begin - zero);
    writer.member("end_ns", range->time.end - zero);
    writer.member("length_ns", range->time.length());
    writer.member("all_lanes", range->all_lanes);
    writer.member("lanes", range->lanes.size());
  });
  write_object(writer, "search", [&] { write_search(writer, state_, search_); });
  write_if(writer, "path", path != nullptr,
           [&] { write_path(writer, *path, zero, canvas_.overlays().find<CriticalPathOverlay>()); });
  write_object(writer, "hover", [&] { write_hover(writer, *state_.profile(), hover_); });
  canvas_.overlays().write_state(writer);
  writer.member("rects", canvas_.rects());
  writer.member("labels", canvas_.labels());
  writer.member("loading", canvas_.loading());
  writer.member("can_undo", state_.can_undo());
  writer.member("can_redo", state_.can_redo());
  writer.member("partial", partial_.text());
  write_object(writer, "bottom", [&] { bottom_.write_state(writer, panel_context()); });
}

}  // namespace warpscope::ui
