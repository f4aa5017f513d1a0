#include "app/ui/shell/page_list.hpp"

#include <utility>

#include "app/ui/analysis/analysis_page.hpp"
#include "app/ui/dashboard/dashboard_page.hpp"
#include "app/ui/findings/findings_page.hpp"
#include "app/ui/information/information_page.hpp"

namespace warpscope::ui {

std::vector<PageFactory> all_pages(TimelineOptions timeline) {
  return {make_findings_page, make_dashboard_page, timeline_page_factory(std::move(timeline)), make_analysis_page,
          make_information_page};
}

}  // namespace warpscope::ui
