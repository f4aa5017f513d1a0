#pragma once
// The Dashboard as users see it: the whole application, rendered without a display and driven through the event queue.
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "app/ui/dashboard/dashboard_page.hpp"
#include "app/ui/findings/findings_page.hpp"
#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/app/ui/staged_loader.hpp"
#include "tests/app/ui/timeline_fixture.hpp"

namespace warpscope::tests {

using namespace warpscope::test;
using namespace warpscope::ui;

/// The application with the timeline tests' job, or with the profile that `loader` reads from `path`.
class DashboardBench {
 public:
  explicit DashboardBench(LoaderFactory loader = {}, const std::string& path = "job", int width = 1600,
                          int height = 1000, bool with_findings = false) {
    if (!loader) loader = staged(job_);
    std::vector<PageFactory> pages{page_at(page_), page_at(timeline_)};
    if (with_findings) pages.emplace_back(make_page<FindingsPage>);
    window_ = offscreen_app(app_options(std::move(loader), std::move(pages)), width, height);
    if (!window_) return;
    window_->open(path);
    window_->settle();
  }

  [[nodiscard]] bool works() const { return window_ != nullptr; }
  [[nodiscard]] const DashboardPage& page() const { return *page_; }
  [[nodiscard]] const TimelinePage& timeline() const { return *timeline_; }
  [[nodiscard]] AppContext& context() { return window_->app().context(); }
  [[nodiscard]] Session& session() { return context().session; }
  [[nodiscard]] OffscreenApp& window() { return *window_; }
  [[nodiscard]] std::string_view shown() { return window_->app().page(); }
  [[nodiscard]] std::string dump() { return window_->app().state_text(); }

  void play(const std::string& text) { tests::play(*window_, text); }
  [[nodiscard]] std::size_t index_of(std::string_view id) const {
    const auto& panels = page_->panels();
    return static_cast<std::size_t>(std::ranges::find(panels, id, &PanelState::id) - panels.begin());
  }
  [[nodiscard]] const DashboardPanel& panel(std::string_view id) const {
    const DashboardPanel* found = page_->panel(index_of(id));
    REQUIRE(found != nullptr);
    return *found;
  }
  /// Screen position "X,Y" in the last region of an item, such as a bar or a row of a pie's legend.
  [[nodiscard]] std::string place(const DashboardPanel& panel, std::uint32_t item) const {
    const ChartView& chart = panel.chart();
    for (auto hit = chart.drawing().hits.rbegin(); hit != chart.drawing().hits.rend(); ++hit) {
      const auto* box = std::get_if<charts::Box>(&hit->where);
      if (hit->item != item || box == nullptr) continue;
      return std::to_string(static_cast<int>(chart.at().x + (box->x0 + box->x1) / 2)) + "," +
             std::to_string(static_cast<int>(chart.at().y + (box->y0 + box->y1) / 2));
    }
    FAIL("no region of item " << item);
    return {};
  }

 private:
  Stage job_{.profile = job_profile(2)};
  DashboardPage* page_ = nullptr;
  TimelinePage* timeline_ = nullptr;
  std::unique_ptr<OffscreenApp> window_;
};

}  // namespace warpscope::tests
