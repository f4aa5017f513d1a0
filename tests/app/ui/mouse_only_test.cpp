// Every keyboard action can also be done with the mouse: buttons, menus and the legend, in the application without a
// display.
#include <imgui_internal.h>

#include <filesystem>
#include <string>

#include "app/ui/model/commands.hpp"
#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/shell/rail.hpp"
#include "app/ui/timeline/overlays/overlay.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "render/scene/hit_test.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

/// A profile with a kernel, a collective and a memory copy on separate streams, and a launch; 1200 × 800 px.
class MouseBench {
 public:
  MouseBench() {
    TinyEvents events;
    events.launch(5, 1);
    events.run({.name = "gemm", .begin = 10, .length = 40, .correlation = 1});
    events.run({.name = "ncclDevKernel_AllReduce", .begin = 30, .length = 40, .stream = 20});
    events.run({.name = "Memcpy HtoD", .begin = 60, .length = 30, .stream = 9, .category = "gpu_memcpy"});
    const auto path = folder_.write("job/trace.json", trace_of(events.text()));
    app_ = offscreen_app(app_options(directory_loader({.threads = 1}), {page_at(timeline_)}), 1200, 800);
    if (app_) run("open:" + path.string() + ";settle");
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  [[nodiscard]] const TimelineState& state() const { return timeline_->state(); }
  [[nodiscard]] const TimelinePage& page() const { return *timeline_; }
  [[nodiscard]] const TestFolder& folder() const { return folder_; }
  [[nodiscard]] App& app() { return app_->app(); }
  void run(const std::string& text) { play(*app_, text + ";settle"); }
  void click(float x, float y, const std::string& button = "") {
    run("click:" + std::to_string(static_cast<int>(x)) + "," + std::to_string(static_cast<int>(y)) + button);
  }
  void click(const ClassLegend::Item& item, const std::string& button = "") {
    click(item.x + item.width / 2, item.y + item.height / 2, button);
  }
  [[nodiscard]] ClassLegend::Item legend(scene::Family family) const {
    for (const ClassLegend::Item& item : page().legend().items())
      if (item.family == family) return item;
    FAIL("no such class in the legend");
    return {};
  }
  /// Hit at the middle of the slice with this name.
  [[nodiscard]] scene::Hit hit(std::string_view name) const {
    const trace::Rank& rank = *state().profile()->ranks[0];
    for (std::uint32_t l = 0; l < rank.lanes.size(); ++l)
      for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i) {
        const trace::SliceRef slice{0, rank.ordinal({l, i})};
        if (state().profile()->name(slice) != name) continue;
        const auto box = scene::box_of_slice(state().input(), slice);
        REQUIRE(box);
        return scene::hit_test(state().input(), (box->x0 + box->x1) / 2, (box->y0 + box->y1) / 2);
      }
    FAIL("no slice " << name);
    return {};
  }
  [[nodiscard]] std::size_t rects() const { return page().canvas().rects(); }
  [[nodiscard]] static const ImGuiWindow* menu(int level = 0) {
    const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
    return stack.Size > level ? stack[level].Window : nullptr;
  }

 private:
  TestFolder folder_;
  TimelinePage* timeline_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

TEST_CASE("clicking a class in the legend hides its slices and shows them again", "[timeline][window]") {
  MouseBench bench;
  if (!bench.works()) return;
  const std::size_t all = bench.rects();
  CHECK(bench.hit("ncclDevKernel_AllReduce").slice);
  const ClassLegend::Item communication = bench.legend(scene::Family::communication);
  bench.click(communication);
  CHECK(bench.state().hidden_families() == scene::family_bit(scene::Family::communication));
  CHECK(bench.rects() == all - 1);
  CHECK_FALSE(bench.hit("ncclDevKernel_AllReduce").slice);
  CHECK(bench.hit("gemm").slice);
  bench.click(communication);
  CHECK(bench.state().hidden_families() == 0);
  CHECK(bench.rects() == all);
  CHECK(bench.hit("ncclDevKernel_AllReduce").slice);
}

TEST_CASE("the legend lists the profile's classes, and a command hides one", "[timeline][window]") {
  MouseBench bench;
  if (!bench.works()) return;
  std::vector<scene::Family> shown;
  for (const ClassLegend::Item& item : bench.page().legend().items())
    if (item.family) shown.push_back(*item.family);
  using enum scene::Family;
  CHECK(shown == std::vector{computation, communication, memory, runtime});
  bench.run("run:classes.toggle-computation");
  CHECK_FALSE(bench.hit("gemm").slice);
}

TEST_CASE("the legend lists the optional overlays, and clicking hides or shows them", "[timeline][window]") {
  MouseBench bench;
  if (!bench.works()) return;
  const auto item = [&](std::string_view id) {
    for (const ClassLegend::Item& each : bench.page().legend().items())
      if (each.overlay != nullptr && each.overlay->id == id) return std::optional(each);
    return std::optional<ClassLegend::Item>();
  };
  const auto& settings = bench.app().context().settings;
  REQUIRE(item("launch-arrows"));
  CHECK_FALSE(item("critical-path"));  // no critical path is shown
  for (const OverlaySpec& spec : overlay_specs()) {
    INFO(spec.id);
    const auto found = item(spec.id);
    if (!found || spec.shown == OverlaySpec::Default::fixed) continue;
    const bool before = is_shown(spec, settings);
    bench.click(*found);
    CHECK(is_shown(spec, settings) != before);
    bench.run("run:" + std::string(spec.command));
    CHECK(is_shown(spec, settings) == before);
  }
  CHECK(bench.app().state_text().find("\"launch_arrows\"") == std::string::npos);  // hidden overlays are destroyed
  bench.run("key:L");
  CHECK(bench.app().state_text().find("\"launch_arrows\"") != std::string::npos);
  for (const char* command : {"path.critical", "path.job"}) {
    INFO(command);
    bench.run(std::string("run:") + command);
    REQUIRE(item("critical-path"));
    bench.click(*item("critical-path"));
    CHECK(bench.page().shown_path() == nullptr);
  }
}

TEST_CASE("the legend omits launch arrows for a profile without launches", "[timeline][window]") {
  MouseBench bench;
  if (!bench.works()) return;
  TinyEvents events;
  events.annotation("Forward", 0, 10);
  const auto path = bench.folder().write("annotations/trace.json", trace_of(events.text()));
  bench.run("open:" + path.string());
  REQUIRE(bench.state().profile()->ranks.front()->counts.launches == 0);
  for (const ClassLegend::Item& each : bench.page().legend().items())
    CHECK((each.overlay == nullptr || each.overlay->id != "launch-arrows"));
}

TEST_CASE("buttons on the ruler zoom in, zoom out and show everything", "[timeline][window]") {
  MouseBench bench;
  if (!bench.works()) return;
  const double whole = bench.state().view().ns_per_px();
  const ImVec2 at = bench.page().geometry().zoom;
  const auto button = [&](int n) { bench.click(at.x + (static_cast<float>(n) + 0.5f) * kZoomButton, at.y + 12); };
  button(1);
  const double closer = bench.state().view().ns_per_px();
  CHECK(closer < whole);
  button(1);
  const double closest = bench.state().view().ns_per_px();
  CHECK(closest < closer);
  button(0);
  CHECK(bench.state().view().ns_per_px() > closest);
  button(2);
  CHECK(bench.state().view().ns_per_px() == whole);
}

TEST_CASE("the track filter has a button that clears it", "[timeline][window]") {
  MouseBench bench;
  if (!bench.works()) return;
  const std::size_t rows = bench.state().layout()->rows().size();
  bench.run("key:T;type:stream 20;key:Enter");
  REQUIRE(bench.state().layout()->rows().size() < rows);
  const TimelineGeometry& g = bench.page().geometry();
  bench.click(g.filter.x + g.filter_size.x - 8 - 12, g.filter.y + g.filter_size.y / 2);
  CHECK(bench.state().tracks().filter.empty());
  CHECK(bench.state().layout()->rows().size() == rows);
}

TEST_CASE("the main menu has every command available on the page", "[window]") {
  MouseBench bench;
  if (!bench.works()) return;
  bench.run("run:page.timeline");
  // ☰ is to the left of the profile's name, beside the rail.
  bench.click(rail_width(bench.app().context()) + 20, 20);
  REQUIRE(MouseBench::menu() != nullptr);
  const ImGuiWindow& menu = *MouseBench::menu();
  const std::vector<std::string_view> categories = bench.app().context().commands.categories();
  REQUIRE(categories.front() == "File");
  const float pitch = ImGui::GetFontSize() + 8;
  CHECK(menu.Size.y >= static_cast<float>(categories.size() - 2) * pitch);
  bench.click(menu.Pos.x + 40, menu.Pos.y + menu.WindowPadding.y + 0.5f * pitch);
  CHECK(MouseBench::menu(1) != nullptr);
}

TEST_CASE("Tab and Enter pressed while the dialog reads a directory apply to its listing", "[window]") {
  MouseBench bench;
  if (!bench.works()) return;
  (void)bench.folder().write("other/rank0.json", trace_of(kernel_event("first")));
  bench.run("run:file.open;wait:2;key:Ctrl+A;type:" + (bench.folder().path() / "oth").string() + ";key:Tab;key:Enter");
  INFO(bench.app().state_text());
  CHECK(bench.app().state_text().find(R"("profile": "other")") != std::string::npos);
  // Files in the list can be opened like directories.
  bench.run("run:file.open;wait:2;key:Ctrl+A;type:" + (bench.folder().path() / "job").string() +
            "/;key:Down;key:Enter");
  CHECK(bench.app().state_text().find(R"("dialog": "")") != std::string::npos);
}

TEST_CASE("a button of the dialog goes to the parent directory", "[window]") {
  MouseBench bench;
  if (!bench.works()) return;
  bench.run("run:file.open;wait:3");
  const std::string state = bench.app().state_text();
  const auto number = [&](std::string_view key) {
    const std::size_t at = state.find("\"" + std::string(key) + "\": ");
    REQUIRE(at != std::string::npos);
    return std::stof(state.substr(at + key.size() + 4));
  };
  const auto directory = [&] {
    const std::string text = bench.app().state_text();
    const std::size_t at = text.find("\"browser\": \"");
    REQUIRE(at != std::string::npos);
    std::string path = text.substr(at + 12, text.find('"', at + 12) - at - 12);
    return path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
  };
  REQUIRE(directory() == (bench.folder().path() / "job").string());  // the opened file is in it
  bench.click(number("browser_up_x"), number("browser_up_y"));
  CHECK(directory() == bench.folder().path().string());
}

}  // namespace
}  // namespace warpscope::ui
