// The context menu of a slice, opened with the mouse.
#include "app/ui/timeline/canvas_menu.hpp"

#include <imgui_internal.h>

#include "app/ui/model/directory_loader.hpp"
#include "app/ui/model/settings.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "core/analysis/request/registry.hpp"
#include "render/scene/hit_test.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

namespace warpscope::ui {
namespace {

using namespace warpscope::tests;

/// A profile with one kernel, and the mouse on it.
class MenuBench {
 public:
  explicit MenuBench(const TestFolder& folder) {
    TinyEvents events;
    events.run({.name = "my_ring<int>", .begin = 0, .length = 100});
    const auto path = folder.write("trace.json", trace_of(events.text()));
    app_ = offscreen_app(app_options(directory_loader({.threads = 1}), {page_at(timeline_)}), 960, 640);
    if (app_) play(*app_, "open:" + path.string() + ";settle");
  }
  [[nodiscard]] bool works() const { return app_ != nullptr; }
  [[nodiscard]] const std::string& rules() { return app_->app().context().settings.kernel_class; }

  /// Clicks an item in the slice's menu: the nth below the name, with this number of separators above it.
  void choose(int item, int lines_above) {
    const trace::SliceRef slice{0, kernel()};
    const auto box = scene::box_of_slice(timeline_->state().input(), slice);
    REQUIRE(box);
    const auto [left, top] = timeline_->geometry().canvas;
    click(left + (box->x0 + box->x1) / 2, top + (box->y0 + box->y1) / 2, ",right");
    const ImGuiContext& imgui = *ImGui::GetCurrentContext();
    REQUIRE(imgui.OpenPopupStack.Size == 1);
    const ImGuiWindow& menu = *imgui.OpenPopupStack[0].Window;
    constexpr float kSpacing = 8;  // menu item spacing
    const float pitch = imgui.FontSize + kSpacing;
    const float lines = static_cast<float>(lines_above) * (1 + kSpacing);
    click(menu.Pos.x + 40, menu.Pos.y + menu.WindowPadding.y + lines + (static_cast<float>(item) + 1.5f) * pitch, "");
  }

 private:
  [[nodiscard]] trace::SliceOrdinal kernel() const {
    const trace::Rank& rank = *timeline_->state().profile()->ranks[0];
    return rank.lane_start[rank.tracks[rank.devices[0].streams[0]].first_lane];
  }
  void click(double x, double y, const std::string& button) {
    play(*app_, "click:" + std::to_string(static_cast<int>(x)) + "," + std::to_string(static_cast<int>(y)) + button +
                    ";settle");
  }

  TimelinePage* timeline_ = nullptr;
  std::unique_ptr<OffscreenApp> app_;
};

constexpr int kCommunication = 5;  // after "Copy name"
constexpr int kMemory = 7;
constexpr int kAsBefore = 8;

TEST_CASE("a kernel's menu shows its class and can change and reset it", "[timeline][window]") {
  const TestFolder folder;
  MenuBench bench(folder);
  if (!bench.works()) return;
  CHECK(bench.rules().empty());
  bench.choose(kCommunication, 2);
  CHECK(bench.rules() == R"(communication="my_ring<int>")");
  bench.choose(kMemory, 2);
  CHECK(bench.rules() == R"(memory="my_ring<int>")");
  bench.choose(kAsBefore, 2);
  CHECK(bench.rules().empty());
}

}  // namespace
}  // namespace warpscope::ui
