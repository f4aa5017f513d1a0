// The Timeline page as users see it: the whole application, rendered without a display and driven through the event
// queue.
#include "app/ui/timeline/timeline_page.hpp"

#include <algorithm>
#include <string>

#include "app/settings/page_names.hpp"
#include "app/ui/model/commands.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/timeline/focus.hpp"
#include "app/ui/timeline/hover_card.hpp"
#include "app/ui/timeline/panel.hpp"
#include "app/ui/widgets/messages.hpp"
#include "app/ui/widgets/timeline_link.hpp"
#include "tests/app/ui/conflicts.hpp"
#include "tests/app/ui/timeline_bench.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::test;
using namespace warpscope::tests;

TEST_CASE("pages have the names in the settings list") {
  CHECK(std::ranges::equal(page_specs(), settings::kPageNames, {}, &PageSpec::name));
}

TEST_CASE("clicking a kernel selects it, shows its launch and draws the arrow", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  CHECK(bench.dump().find("\"arrows\": 0") != std::string::npos);
  bench.play("click:" + bench.place(kInKernel5, 0, kStream));
  const trace::SliceRef kernel = slice_at(bench.profile(), 0, {kStream7, 0, 5});
  REQUIRE(bench.selection() == kernel);
  bench.play("run:panel.connections");
  const std::string dump = bench.dump();
  CHECK(dump.find("\"Connections 2\"") != std::string::npos);
  CHECK(dump.find("\"what\": \"launch\", \"name\": \"cudaLaunchKernel\"") != std::string::npos);
  CHECK(dump.find("\"what\": \"run\", \"name\": \"gemm_1\"") != std::string::npos);
  CHECK(dump.find("\"latency_ns\": 9000000") != std::string::npos);
  CHECK(dump.find("\"arrows\": 1") != std::string::npos);

  // "]" goes to the launch, "[" returns to the kernel, and both move the view.
  bench.play("type:]");
  CHECK(bench.selection() == slice_at(bench.profile(), 0, {kThread, 1, 6}));
  const Interval at_launch = bench.state().view().visible();
  CHECK(at_launch.contains(kStepEvery + 2 * kMs));
  bench.play("type:[");
  CHECK(bench.selection() == kernel);
  CHECK(bench.state().view().visible() != at_launch);
  bench.play("key:Esc");
  CHECK_FALSE(bench.selection().has_value());
}

TEST_CASE("following the connections of a slice without any shows a message", "[timeline][window]") {
  TimelineOptions options;
  options.select = "name=ProfilerStep rank:0";
  TimelineBench bench(options);
  if (!bench.works()) return;
  const auto selected = bench.selection();
  REQUIRE(selected);
  for (const char* keys : {"type:[", "type:]"}) {
    bench.play(keys);
    CHECK(bench.selection() == selected);
  }
  const auto& messages = bench.context().messages.all();
  REQUIRE(messages.size() == 1);
  CHECK(messages[0].what == "The selected slice has no connections");
}

TEST_CASE("a diagnostic links to its slice from any view and with any mark", "[timeline][window]") {
  TimelineOptions options;
  options.from = 2 * kStepEvery;
  options.to = 2 * kStepEvery + 30 * kMs;
  TimelineBench bench(options);
  if (!bench.works()) return;
  bench.play("drag:" + bench.place(2 * kStepEvery + 8 * kMs, 0, kStream) + "," +
             bench.place(2 * kStepEvery + 20 * kMs, 0, kStream));
  REQUIRE(bench.state().range());
  const trace::SliceRef kernel = slice_at(bench.profile(), 0, {kStream7, 0, 5});
  const trace::SliceIdentity identity = bench.profile().identity(kernel);
  REQUIRE_FALSE(bench.state().view().visible().contains(kInKernel5));
  Diagnostic diagnostic;
  diagnostic.file = identity.source;
  diagnostic.offset = identity.event;
  bench.context().show_page("load");
  bench.window().settle();
  jump_to(bench.context(), diagnostic);
  bench.window().settle();
  CHECK(bench.dump().find("\"page\": \"timeline\"") != std::string::npos);
  CHECK(bench.selection() == kernel);
  CHECK(bench.state().view().visible().contains(kInKernel5));

  diagnostic.offset = identity.event + 1'000'000;  // matches no slice
  jump_to(bench.context(), diagnostic);
  CHECK(bench.selection() == kernel);
}

TEST_CASE("a row in the Connections tab links to its slice", "[timeline][window]") {
  TimelineOptions options;
  options.select = "name=gemm_1 rank:1 begin>30ms";
  TimelineBench bench(options);
  if (!bench.works()) return;
  bench.play("run:panel.connections");
  REQUIRE(bench.selection() == slice_at(bench.profile(), 1, {kStream7, 0, 5}));
  const std::string dump = bench.dump();
  const auto number = [&dump](std::string_view key, std::size_t from) {
    const std::size_t at = dump.find(key, from);
    REQUIRE(at != std::string::npos);
    return std::stod(dump.substr(at + key.size()));
  };
  const std::size_t rows = dump.find("\"row_x\"");
  REQUIRE(rows != std::string::npos);
  const double x = number("\"row_x\": ", rows);
  const double y = number("\"y\": ", dump.find("\"what\": \"launch\"", rows));
  bench.play("click:" + std::to_string(static_cast<int>(x)) + "," + std::to_string(static_cast<int>(y)));
  const trace::SliceRef launch = slice_at(bench.profile(), 1, {kThread, 1, 6});
  CHECK(bench.selection() == launch);
  const auto box = scene::box_of_slice(bench.state().input(), launch);
  REQUIRE(box.has_value());
  CHECK((box->x0 + box->x1) / 2 == Approx(bench.state().width() / 2).margin(2));
}

TEST_CASE("keys move the view, and undo restores it", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  const Interval whole = bench.state().view().visible();
  bench.play("key:w");
  const Interval closer = bench.state().view().visible();
  CHECK(closer.length() < whole.length());
  CHECK(closer.length() > whole.length() / 2);
  bench.play("key:d");
  const Interval later = bench.state().view().visible();
  CHECK(later.begin > closer.begin);
  CHECK(static_cast<double>(later.length()) == Approx(closer.length()).margin(2));
  bench.play("key:a;settle;key:s");
  CHECK(bench.state().view().visible().length() > closer.length());

  bench.play("wait:60;hold:Up,30");
  const Interval held = bench.state().view().visible();
  CHECK(held.length() < whole.length() / 2);
  bench.play("wait:60;hold:Shift+Right,10");
  CHECK(bench.state().view().visible().begin > held.begin);
  bench.play("key:0");
  CHECK(bench.state().view().visible() == whole);
  bench.play("key:Backspace");
  CHECK(bench.state().view().visible().begin > held.begin);
  bench.play("key:Shift+Backspace");
  CHECK(bench.state().view().visible() == whole);
}

TEST_CASE("F zooms to the selection, then to its step; double-clicking zooms too", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  bench.play("click:" + bench.place(kInKernel5, 0, kStream) + ";key:f");
  const Interval fitted = bench.state().view().visible();
  CHECK(fitted.length() < 6 * kMs);
  CHECK(fitted.contains(kInKernel5));
  bench.play("key:f");
  CHECK(bench.state().view().visible().length() == Approx(30 * kMs).epsilon(0.1));
  bench.play("key:0");
  bench.play("double:" + bench.place(kInKernel5, 0, kStream));
  CHECK(bench.state().view().visible() == fitted);
}

TEST_CASE("the wheel and dragging move the view and mark time ranges", "[timeline][window]") {
  TimelineBench bench({}, 1, 6);
  if (!bench.works()) return;
  bench.play("run:panel.selection;settle");
  const std::string centre = bench.place(kInKernel5, 0, kStream);
  bench.play("move:" + centre + ";wheel:-2");
  CHECK(bench.state().scroll() == 120);
  bench.play("wheel:2;settle;press:Ctrl;wheel:4;release:Ctrl");
  CHECK(bench.state().scroll() == 0);
  CHECK(static_cast<double>(bench.state().view().to_time(bench.state().view().to_px(kInKernel5))) ==
        Approx(kInKernel5).margin(kMs / 10));
  CHECK(bench.state().view().visible().length() < 60 * kMs);
  const Ns begin = bench.state().view().visible().begin;
  bench.play("drag:1000,400,800,400,middle");
  CHECK(static_cast<double>(bench.state().view().visible().begin - begin) ==
        Approx(200 * bench.state().view().ns_per_px()).margin(2 * bench.state().view().ns_per_px()));
  bench.play("key:0");
  bench.play("drag:" + bench.place(31 * kMs, 0, kStream) + "," + bench.place(66 * kMs, 0, kStream));
  REQUIRE(bench.state().selected_range() != nullptr);
  CHECK(bench.state().selected_range()->lanes == std::vector<LaneRef>{{0, 0}});
  CHECK(bench.dump().find("\"tab\": \"range\"") != std::string::npos);
}

TEST_CASE("search highlights, counts and steps through matches in time order", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  Searcher& searcher = *const_cast<TimelinePage&>(bench.page()).searcher();
  searcher.search("name~nccl rank:1");
  bench.window().settle();
  CHECK(searcher.status().count == kSteps);
  REQUIRE(bench.state().highlight() != nullptr);
  CHECK(bench.state().highlight()->count() == kSteps);
  searcher.step(1);
  CHECK(searcher.status().current == 1);
  CHECK(bench.selection() == slice_at(bench.profile(), 1, {kStream20, 0, 0}));
  searcher.step(-1);
  CHECK(bench.selection() == slice_at(bench.profile(), 1, {kStream20, 0, kSteps - 1}));

  searcher.search("name~nccl dur>");
  bench.window().settle();
  CHECK_FALSE(searcher.status().error.empty());
  searcher.search("");
  bench.window().settle();
  CHECK(bench.state().highlight() == nullptr);

  searcher.add_filter("rank:0");
  searcher.search("name~nccl");
  bench.window().settle();
  CHECK(searcher.status().count == kSteps);  // both conditions must match
  searcher.search("");
  bench.window().settle();
  REQUIRE(bench.state().highlight() != nullptr);  // the filter chip still applies
  searcher.remove_filter(0);
  bench.window().settle();
  CHECK(bench.state().highlight() == nullptr);
}

TEST_CASE("the label column collapses, pins and filters tracks", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  const auto label_y = [&](trace::TreeKind kind) {
    const scene::Layout& layout = *bench.state().layout();
    const scene::Row& row = layout.rows()[layout.row_of_entry(test::find_entry(bench.profile(), kind))];
    return static_cast<int>(bench.page().geometry().labels.y) + scene::canvas_y(bench.state().input(), row) +
           row.height / 2;
  };
  const auto x = [&](float from_left) {
    return std::to_string(static_cast<int>(bench.page().geometry().labels.x + from_left));
  };
  const std::size_t rows = bench.state().layout()->rows().size();
  const std::string process = x(60) + "," + std::to_string(label_y(trace::TreeKind::process));
  bench.play("click:" + process);
  const std::size_t folded = bench.state().layout()->rows().size();
  CHECK(folded < rows);
  bench.play("click:" + process);
  CHECK(bench.state().layout()->rows().size() == rows);

  const float pin = bench.page().geometry().labels_size.x - 36;
  bench.play("click:" + x(pin) + "," + std::to_string(label_y(trace::TreeKind::stream)));
  CHECK(bench.state().tracks().pinned.size() == 1);
  CHECK(bench.state().layout()->pinned().size() >= 1);

  bench.play("key:t;type:stream 20;settle");
  CHECK(bench.state().tracks().filter == "stream 20");
  CHECK(bench.state().layout()->rows().size() < rows);
}

TEST_CASE("Q toggles queue depth tracks with readable values", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  const auto before = bench.state().profile();
  const std::size_t rows = bench.state().layout()->rows().size();
  bench.play("key:q;settle");
  REQUIRE(bench.state().profile() != before);
  CHECK(bench.context().session.profile() == before);
  const scene::Layout& layout = *bench.state().layout();
  CHECK(layout.rows().size() > rows);
  const std::uint32_t row = layout.row_of_entry(test::find_entry(bench.profile(), trace::TreeKind::curve));
  REQUIRE(layout.rows()[row].kind == scene::RowKind::counter);
  CHECK(layout.rows()[row].label.starts_with("Queue of "));
  const scene::Hit hit = scene::hit_test(bench.state().input(), bench.state().width() / 2,
                                         scene::canvas_y(bench.state().input(), layout.rows()[row]) + 2);
  REQUIRE(hit.curve != nullptr);
  CHECK(hit.curve->unit() == "launches");

  bench.play("key:q;settle");
  CHECK(bench.state().profile() == before);
  CHECK(bench.state().layout()->rows().size() == rows);
}

TEST_CASE("a button hides a track, and a command shows it again", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  const TimelineGeometry& g = bench.page().geometry();
  const scene::Layout& layout = *bench.state().layout();
  const std::size_t rows = layout.rows().size();
  const scene::Row& row =
      layout.rows()[layout.row_of_entry(test::find_entry(bench.profile(), trace::TreeKind::stream))];
  const int y = static_cast<int>(g.labels.y) + scene::canvas_y(bench.state().input(), row) + row.height / 2;
  const int x = static_cast<int>(g.labels.x + g.labels_size.x - 16);
  bench.play("click:" + std::to_string(x) + "," + std::to_string(y));
  CHECK(bench.state().tracks().hidden.size() == 1);
  CHECK(bench.state().layout()->rows().size() < rows);
  CHECK(bench.state().layout()->any_hidden());
  bench.play("run:tracks.show-hidden");
  CHECK(bench.state().layout()->rows().size() == rows);
}

TEST_CASE("the label column and the bottom pane can be resized by dragging, and collapsed", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  bench.play("run:panel.selection;settle");
  const TimelineGeometry before = bench.page().geometry();
  const auto drag = [&](float x0, float y0, float x1, float y1) {
    bench.play("drag:" + std::to_string(static_cast<int>(x0)) + "," + std::to_string(static_cast<int>(y0)) + "," +
               std::to_string(static_cast<int>(x1)) + "," + std::to_string(static_cast<int>(y1)));
  };
  const Settings& settings = bench.context().settings;
  const float edge = before.labels.x + before.labels_size.x;
  drag(edge, before.labels.y + 50, edge + 60, before.labels.y + 50);
  CHECK(bench.page().geometry().labels_size.x == before.labels_size.x + 60);
  CHECK(settings.label_width == before.labels_size.x + 60);
  CHECK(bench.state().width() == before.canvas_size.x - 60);
  CHECK_FALSE(bench.state().range().has_value());

  drag(900, before.bottom.y - 1, 900, before.bottom.y - 41);
  CHECK(bench.page().geometry().bottom_size.y == before.bottom_size.y + 40);
  bench.play("key:b");
  CHECK(settings.bottom_folded);
  CHECK(bench.page().geometry().bottom_size.y < 40);
  bench.play("run:panel.connections");
  CHECK_FALSE(settings.bottom_folded);
  CHECK(bench.dump().find("\"tab\": \"connections\"") != std::string::npos);
}

TEST_CASE("the view rectangle in the overview can be dragged, resized and placed by clicking", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  bench.play("key:n");
  const Interval step = bench.state().view().visible();
  const TimelineGeometry& g = bench.page().geometry();
  const double y = g.overview.y + 14;
  // The overview's own mapping: the whole span plus a margin, across its width.
  const scene::TimeView whole(bench.profile().span, g.overview_size.x);
  const auto x_of = [&](Ns time) { return static_cast<int>(g.overview.x + whole.to_px(time)); };
  const auto play_drag = [&](int x0, int x1) {
    bench.play("drag:" + std::to_string(x0) + "," + std::to_string(static_cast<int>(y)) + "," + std::to_string(x1) +
               "," + std::to_string(static_cast<int>(y)));
  };
  play_drag(x_of(15 * kMs), x_of(55 * kMs));
  CHECK(static_cast<double>(bench.state().view().visible().begin) ==
        Approx(step.begin + 40 * kMs).margin(2 * whole.ns_per_px()));
  CHECK(static_cast<double>(bench.state().view().visible().length()) == Approx(step.length()).margin(2));

  const Interval moved = bench.state().view().visible();
  play_drag(x_of(moved.end) + 2, x_of(moved.end) + 2 + 100);
  CHECK(static_cast<double>(bench.state().view().visible().end) ==
        Approx(static_cast<double>(moved.end) + 100 * whole.ns_per_px()).margin(4 * whole.ns_per_px()));
  CHECK(static_cast<double>(bench.state().view().visible().begin) == Approx(moved.begin).margin(2 * whole.ns_per_px()));

  bench.play("click:" + std::to_string(x_of(10 * kMs)) + "," + std::to_string(static_cast<int>(y)));
  CHECK(bench.state().view().visible().contains(10 * kMs));
  bench.play("key:Backspace");
  CHECK_FALSE(bench.state().view().visible().contains(10 * kMs));
}

TEST_CASE("page keys and the scroll bar scroll the tracks", "[timeline][window]") {
  TimelineBench bench({}, 1, 8);
  if (!bench.works()) return;
  bench.play("run:panel.selection;settle");
  REQUIRE(bench.state().max_scroll() > 400);
  bench.play("key:PageDown");
  const int page = bench.state().scroll();
  CHECK(page > bench.state().height() / 2);
  CHECK(page < bench.state().height());
  bench.play("key:PageUp");
  CHECK(bench.state().scroll() == 0);
  bench.play("key:End");
  CHECK(bench.state().scroll() == bench.state().max_scroll());
  bench.play("key:Home");
  const TimelineGeometry& g = bench.page().geometry();
  const int x = static_cast<int>(g.canvas.x + g.canvas_size.x - 4);
  const int y = static_cast<int>(g.canvas.y) + 10;
  bench.play("drag:" + std::to_string(x) + "," + std::to_string(y) + "," + std::to_string(x) + "," +
             std::to_string(y + 100));
  CHECK(bench.state().scroll() > 100);
  CHECK_FALSE(bench.state().range().has_value());
}

TEST_CASE("N and the step strip go to steps and mark them", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  bench.play("key:n;settle;key:n");
  REQUIRE(bench.state().range().has_value());
  CHECK(bench.state().range()->time == Interval{kStepEvery, kStepEvery + 30 * kMs});
  const TimelineGeometry& g = bench.page().geometry();
  bench.play("key:0;settle");
  const int x = static_cast<int>(g.steps.x + bench.state().view().to_px(2 * kStepEvery + 10 * kMs));
  bench.play("click:" + std::to_string(x) + "," + std::to_string(static_cast<int>(g.steps.y + 10)));
  CHECK(bench.state().range()->time == Interval{2 * kStepEvery, 2 * kStepEvery + 30 * kMs});
  CHECK(bench.state().view().visible().begin > kStepEvery + 30 * kMs);
}

TEST_CASE("options are applied immediately, and invalid ones are reported", "[timeline][window]") {
  std::vector<std::string> errors;
  TimelineOptions options;
  options.from = 40 * kMs;
  options.to = 50 * kMs;
  options.select = "name=absent";
  options.failed = [&errors](const Error& error) { errors.push_back(error.message()); };
  TimelineBench bench(options);
  if (!bench.works()) return;
  CHECK(bench.state().view().visible() == Interval{40 * kMs, 50 * kMs});
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].find("absent") != std::string::npos);
}

TEST_CASE("at 2x everything is twice as large, and an idle page draws no frames", "[timeline][window]") {
  TimelineBench one;
  TimelineBench two({}, 2);
  if (!one.works() || !two.works()) return;
  const TimelineGeometry& a = one.page().geometry();
  const TimelineGeometry& b = two.page().geometry();
  CHECK(b.labels_size.x == 2 * a.labels_size.x);
  CHECK(b.canvas.y == 2 * a.canvas.y);
  CHECK(two.state().layout()->height() == 2 * one.state().layout()->height());
  const std::size_t rects = one.page().canvas().rects();
  CHECK(rects > 0);
  one.window().frame();
  CHECK_FALSE(one.window().app().animating());
  CHECK(one.page().canvas().rects() == rects);
}

TEST_CASE("no two commands in the Timeline have the same key", "[timeline][window]") {
  TimelineBench bench;
  if (!bench.works()) return;
  for (const auto& conflict : tests::conflicts_in(bench.context().commands))
    FAIL_CHECK(conflict.first << " and " << conflict.second << " both use " << to_string(conflict.chord));
}

TEST_CASE("the hover card shows slice, time, track and both launch latencies", "[timeline][hover]") {
  const TimelineState state = open_state();
  const trace::Profile& profile = *state.profile();
  scene::Hit hit;
  hit.kind = scene::HitKind::slice;
  hit.slice = slice_at(profile, 0, {kStream7, 0, 5});
  const HoverCard card = make_hover_card(profile, *state.layout(), hit);
  CHECK(card.title == "gemm_1");
  CHECK(card.full_name.empty());
  const auto figure = [&card](std::string_view what) {
    for (const HoverCard::Fact& fact : card.facts)
      if (fact.what == what) return fact.figure;
    return std::string("missing");
  };
  CHECK(figure("Duration") == "4.00 ms");
  CHECK(figure("API start → kernel start") == "9.00 ms");
  CHECK(figure("API end → kernel start") == "8.50 ms");
  CHECK(figure("Track").find("stream 7") != std::string::npos);
  CHECK(figure("Of ProfilerStep") == "13.3 %");
  CHECK_FALSE(card.further.empty());

  hit.kind = scene::HitKind::bucket;
  hit.count = 12;
  hit.share = 0.5;
  hit.pixel = {0, kMs};
  const HoverCard bucket = make_hover_card(profile, *state.layout(), hit);
  CHECK(bucket.title == "12 slices in 1.00 ms");
  hit.kind = scene::HitKind::row;
  CHECK(make_hover_card(profile, *state.layout(), hit).empty());
}

}  // namespace
}  // namespace warpscope::ui
