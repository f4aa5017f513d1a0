#pragma once
// The Timeline page as users see it: the whole application, rendered without a display and driven through the event
// queue.
#include <memory>
#include <optional>
#include <string>

#include "app/ui/model/session.hpp"
#include "app/ui/timeline/timeline_page.hpp"
#include "tests/app/ui/offscreen.hpp"
#include "tests/app/ui/staged_loader.hpp"
#include "tests/app/ui/timeline_fixture.hpp"

namespace warpscope::tests {

using namespace warpscope::test;
using namespace warpscope::ui;

/// The application with the job's timeline, 1600 × 1000 px.
class TimelineBench {
 public:
  explicit TimelineBench(const TimelineOptions& options = {}, float scale = 1, std::size_t ranks = 2)
      : job_{.profile = job_profile(ranks)} {
    AppOptions app = app_options(staged(job_), {page_at(page_)}, scale);
    app.timeline = options;
    window_ = offscreen_app(std::move(app), static_cast<int>(1600 * scale), static_cast<int>(1000 * scale));
    if (!window_) return;
    window_->open("job");
    window_->settle();
    window_->app().show_page("timeline");
    window_->settle();
  }

  [[nodiscard]] bool works() const { return window_ != nullptr; }
  [[nodiscard]] const TimelinePage& page() const { return *page_; }
  [[nodiscard]] const TimelineState& state() const { return page_->state(); }
  [[nodiscard]] const trace::Profile& profile() const { return *state().profile(); }
  [[nodiscard]] AppContext& context() { return window_->app().context(); }
  [[nodiscard]] std::string dump() { return window_->app().state_text(); }
  [[nodiscard]] OffscreenApp& window() { return *window_; }

  void play(const std::string& text) { tests::play(*window_, text); }
  /// Screen position "X,Y" of a time in a lane's row.
  [[nodiscard]] std::string place(Ns time, std::uint32_t rank, Where lane) const {
    const TimelineGeometry& g = page_->geometry();
    const double x = g.canvas.x + state().view().to_px(time);
    const double y = g.canvas.y + row_middle(state(), rank, lane);
    return std::to_string(static_cast<int>(x)) + "," + std::to_string(static_cast<int>(y));
  }
  [[nodiscard]] std::optional<trace::SliceRef> selection() { return context().session.selection(); }

 private:
  Stage job_;
  TimelinePage* page_ = nullptr;
  std::unique_ptr<OffscreenApp> window_;
};

inline constexpr Where kStream{kStream7, 0, 0};
inline constexpr Ns kInKernel5 = kStepEvery + 13 * kMs;  ///< step 1, second kernel: 11 to 15 ms after the step starts

}  // namespace warpscope::tests
