// The Operators page: the tables that torch.profiler and its TensorBoard plugin show.
#include <array>

#include "app/ui/analysis/tabs_page.hpp"
#include "app/ui/widgets/icons.hpp"

namespace warpscope::ui {

namespace registered::operators {
namespace {

// The table sorts and shows all rows, so the tabs have no fields for these parameters.
constexpr std::array<AnalysisTab, 10> kTabs{{
    {.id = "overview", .title = "Overview", .analysis = "step_overview", .chart_share = 0.45f},
    {.id = "operators",
     .title = "Operators",
     .analysis = "operators",
     .hidden = "row_limit",
     .also_hidden = "sort",
     .preset = "0"},
    {.id = "kernels", .title = "Kernels", .analysis = "kernels", .hidden = "row_limit", .preset = "0"},
    {.id = "modules", .title = "Modules", .analysis = "modules"},
    {.id = "flame-graph", .title = "Flame graph", .analysis = "call_tree", .chart_share = 0.6f},
    {.id = "memory", .title = "Memory", .analysis = "allocations", .table = "memory-over-time"},
    {.id = "communication", .title = "Communication", .analysis = "comm_comp_overlap"},
    {.id = "collectives", .title = "Collectives", .analysis = "collectives"},
    {.id = "efficiency",
     .title = "Efficiency",
     .analysis = "efficiency",
     .chart_share = 0.5f,
     .hidden = "row_limit",
     .preset = "0"},
    {.id = "pivot", .title = "Pivot", .analysis = "pivot"},
}};

std::unique_ptr<Page> make(AppContext& app) {
  return std::make_unique<TabsPage>(app, kPage, kTabs,
                                    "Shows the cost of operators, kernels and modules in the open trace.");
}

}  // namespace

const PageSpec kPage{"operators", "Operators", Icon::operators, make};

}  // namespace registered::operators
}  // namespace warpscope::ui
