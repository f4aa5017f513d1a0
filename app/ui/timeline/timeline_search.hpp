#pragma once
// Find and filter in the Timeline. Combines the find field's query and the filter chips with `and`, restricts the
// search to slices picked on a chart, if any, and runs it on another thread. Matches stay bright and other slices are
// dimmed. The overview marks the matches; next and previous step through them in time order.
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

/// Page functions used by the search.
struct SearchHooks {
  std::function<void(trace::SliceRef)> go_to;                         ///< selects and centers a slice
  std::function<Interval()> visible;                                  ///< range where stepping starts
  std::function<void(std::shared_ptr<const scene::Highlight>)> show;  ///< null: no search
  std::function<void(const scene::Highlight&)> show_first;  ///< brings a match of another page's request into view
};

class TimelineSearch final : public Searcher {
 public:
  TimelineSearch(AppContext& app, SearchHooks hooks);

  void search(std::string_view query) override;
  [[nodiscard]] SearchStatus status() const override { return status_; }
  void step(int direction) override;
  [[nodiscard]] bool can_filter() const override { return true; }
  /// The last chip represents slices picked elsewhere (Session::picked), if any.
  [[nodiscard]] std::vector<std::string> filters() const override;
  void add_filter(std::string_view query) override;
  /// Like add_filter(), but replaces the previous filter requested by another page. Brings the matches into view.
  void set_requested(std::string_view query);
  /// True if a filter or picked slices from another page are active.
  [[nodiscard]] bool has_requested() const;
  /// Removes filters and picked slices from other pages; keeps the user's own filters.
  void drop_requested();
  void remove_filter(std::size_t index) override;
  void clear_filters() override;
  [[nodiscard]] std::string_view hint() const override { return "Find or filter…"; }

  /// Discards the current results and repeats the search in the new profile.
  void profile_changed();
  /// Starts pending searches and fetches results. Call once per frame.
  void update();
  [[nodiscard]] bool busy() const { return due_.has_value() || work_.running(); }
  [[nodiscard]] const std::string& query() const { return query_; }

 private:
  struct Found {
    std::vector<trace::SliceRef> slices;  // by start time
    std::uint64_t total = 0;
    std::shared_ptr<const scene::Highlight> highlight;
  };

  /// Goes to the next (+1) or previous (-1) match; returns false if required times are not in memory.
  bool try_step(int direction);
  void restart(double delay);
  void start();
  /// Combines the query and the chips into one expression; an empty expression matches everything.
  [[nodiscard]] Result<Filter> joined() const;

  AppContext& app_;
  SearchHooks hooks_;
  std::string query_;
  std::vector<std::string> filters_;
  std::string requested_;    // one of the filters; "" if none
  bool goes_there_ = false;  // go to the first match once there are results
  std::uint64_t picked_seen_ = 0;
  SearchStatus status_;
  std::vector<trace::SliceRef> hits_;
  std::optional<double> due_;  // time on the interface's clock
  Background<Found> work_;
};

}  // namespace warpscope::ui
