#pragma once
// Find and filter on the timeline: the query of the find field and the filters that stay on as chips, joined by `and`,
// within the slices picked on a chart if any are, run off the window's thread. What passes is bright, the rest dimmed;
// the overview marks it; next and previous go through it in time order.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/ui/app_context.hpp"
#include "app/ui/model/background.hpp"
#include "app/ui/model/searcher.hpp"
#include "core/analysis/slices/search.hpp"
#include "render/scene/highlight.hpp"

namespace warpscope::ui {

/// What a search asks of the page.
struct SearchHooks {
  std::function<void(trace::SliceRef)> go_to;                         ///< selects and centres
  std::function<Interval()> visible;                                  ///< where the first step begins
  std::function<void(std::shared_ptr<const scene::Highlight>)> show;  ///< null: nothing is searched for
  std::function<void(const scene::Highlight&)> show_first;  ///< brings some of what another page wished for into view
};

class TimelineSearch final : public Searcher {
 public:
  TimelineSearch(AppContext& app, SearchHooks hooks);

  void search(std::string_view query) override;
  [[nodiscard]] SearchStatus status() const override { return status_; }
  void step(int direction) override;
  [[nodiscard]] bool can_filter() const override { return true; }
  /// The last chip is what was picked elsewhere (Session::picked), if anything is.
  [[nodiscard]] std::vector<std::string> filters() const override;
  void add_filter(std::string_view query) override;
  /// As add_filter, in place of what another page asked for before: a jump replaces the one before it. What it finds is
  /// brought into view.
  void wish_filter(std::string_view query);
  /// True if another page asked for a filter or picked slices, and they still apply.
  [[nodiscard]] bool wished() const;
  /// Removes them; the user's own filters stay.
  void drop_wish();
  void remove_filter(std::size_t index) override;
  void clear_filters() override;
  [[nodiscard]] std::string_view hint() const override { return "Find or filter…"; }

  /// Searches the new profile for the same; what is shown is of no use any more.
  void profile_changed();
  /// Once a frame: starts what is due, takes what is done.
  void update();
  [[nodiscard]] bool busy() const { return due_.has_value() || work_.running(); }
  [[nodiscard]] const std::string& query() const { return query_; }

 private:
  struct Found {
    std::vector<trace::SliceRef> slices;  // by begin
    std::uint64_t total = 0;
    std::shared_ptr<const scene::Highlight> highlight;
  };

  void restart(double delay);
  void start();
  /// Query and chips as one expression; an empty one passes all.
  [[nodiscard]] Result<Filter> joined() const;

  AppContext& app_;
  SearchHooks hooks_;
  std::string query_;
  std::vector<std::string> filters_;
  std::string wished_;       // one of them; "" if none is
  bool goes_there_ = false;  // with what is found next
  std::uint64_t picked_seen_ = 0;
  SearchStatus status_;
  std::vector<trace::SliceRef> hits_;
  std::optional<double> due_;  // on the interface's clock
  Background<Found> work_;
};

}  // namespace warpscope::ui
