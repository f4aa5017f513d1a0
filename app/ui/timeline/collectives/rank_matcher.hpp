#pragma once
// Matches communication kernels across the current profile's ranks on another thread, and finds the selection's
// collective. All parts of the Timeline that compare ranks share these results, so they are computed only once. Ribbons
// and marks are drawn once the results are ready.
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/timeline/collectives/job_ranks.hpp"
#include "render/scene/ribbon_scene.hpp"

namespace warpscope::ui {

class RankMatcher {
 public:
  /// Adds the commands that step through the ranks of a collective by calling `go_to`. The commands keep a reference to
  /// this object.
  RankMatcher(AppContext& app, std::function<void(trace::SliceRef)> go_to);
  RankMatcher(const RankMatcher&) = delete;
  RankMatcher& operator=(const RankMatcher&) = delete;

  /// Starts the computation, fetches its result and tracks the selection. Call once per frame.
  void update();
  /// Call after switching to another profile.
  void profile_changed();
  [[nodiscard]] bool busy() const { return work_.running(); }
  /// Null until the result is ready, and for profiles with only one rank.
  [[nodiscard]] const JobRanks* ranks() const { return ranks_.get(); }
  /// Null if no communication kernel is selected or the ranks have not been matched yet.
  [[nodiscard]] const ChosenCollective* chosen() const { return chosen_ ? &*chosen_ : nullptr; }

  /// For the overlays.
  [[nodiscard]] std::shared_ptr<const scene::RibbonSet> ribbons() const;
  [[nodiscard]] std::optional<scene::RibbonChoice> choice() const;

 private:
  void start();
  void choose();
  /// Moves `by` rows down the list and goes to the kernel in that row; no-op at either end of the list.
  void step(int by);

  AppContext& app_;
  std::function<void(trace::SliceRef)> go_to_;
  std::shared_ptr<const trace::Profile> of_;                          // the computed profile
  std::string rules_;                                                 // same
  analysis::ClockChoice clocks_of_ = analysis::ClockChoice::aligned;  // same
  Background<JobRanks> work_;
  std::shared_ptr<const JobRanks> ranks_;
  std::optional<ChosenCollective> chosen_;
  std::optional<trace::SliceRef> chosen_of_;
  const JobRanks* chosen_in_ = nullptr;
};

}  // namespace warpscope::ui
