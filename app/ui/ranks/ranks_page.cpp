// The Ranks page: which rank is late, since when, why, and how much time fixing it would save.
#include <array>

#include "app/ui/analysis/tabs_page.hpp"
#include "app/ui/widgets/icons.hpp"

namespace warpscope::ui {

namespace registered::ranks {
namespace {

constexpr std::array<AnalysisTab, 8> kTabs{{
    {.id = "late", .title = "Late ranks", .analysis = "late_ranks", .chart_share = 0.5f},
    {.id = "late-by-step",
     .title = "Ranks and steps",
     .analysis = "late_ranks",
     .chart_share = 0.7f,
     .table = "late-by-step"},
    {.id = "time", .title = "Time", .analysis = "where_time_goes", .chart_share = 0.6f},
    {.id = "collectives", .title = "Collectives", .analysis = "collectives"},
    {.id = "what-if", .title = "What if", .analysis = "what_if"},
    {.id = "path", .title = "Critical path", .analysis = "critical_path"},
    {.id = "clocks", .title = "Clocks", .analysis = "rank_clocks"},
    {.id = "steps", .title = "Steps", .analysis = "where_time_goes", .chart_share = 0.6f, .table = "time-by-step"},
}};

std::unique_ptr<Page> make(AppContext& app) {
  return std::make_unique<TabsPage>(
      app, kPage, kTabs, "Shows which ranks are late in the open traces, why, and how long other ranks wait.");
}

}  // namespace

const PageSpec kPage{"ranks", "Ranks", Icon::ranks, make};

}  // namespace registered::ranks
}  // namespace warpscope::ui
