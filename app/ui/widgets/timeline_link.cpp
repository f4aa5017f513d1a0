#include "app/ui/widgets/timeline_link.hpp"

#include <utility>

#include "app/ui/model/session.hpp"

namespace warpscope::ui {

void show_in_timeline_page(AppContext& app, TimelineRequest request) {
  app.session.go_to(std::move(request));
  app.show_page("timeline");
}

}  // namespace warpscope::ui
