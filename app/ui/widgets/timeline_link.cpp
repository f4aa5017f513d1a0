#include "app/ui/widgets/timeline_link.hpp"

#include <optional>
#include <utility>

#include "app/ui/model/session.hpp"
#include "app/ui/widgets/messages.hpp"
#include "core/base/file_group.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {

void show_in_timeline_page(AppContext& app, TimelineRequest request) {
  app.session.go_to(std::move(request));
  app.show_page("timeline");
}

namespace {

/// Returns the slice whose event starts at the diagnostic's position.
std::optional<trace::SliceRef> slice_at(const trace::Profile& profile, const Diagnostic& diagnostic) {
  for (const auto& rank : profile.ranks) {
    const std::string& source = rank->source.path;
    if (source != diagnostic.file && !in_group(source, diagnostic.file)) continue;
    const auto event = ingest::format_of(*rank).event_at(source, diagnostic.file, diagnostic.offset);
    if (event)
      if (const auto slice = profile.find({source, *event})) return slice;
  }
  return std::nullopt;
}

}  // namespace

bool has_place(const Diagnostic& diagnostic) { return diagnostic.offset != Diagnostic::kNoOffset; }

void jump_to(AppContext& app, const Diagnostic& diagnostic) {
  if (!has_place(diagnostic) || !app.session.profile()) return;
  app.when_loaded.start([&app, diagnostic] {
    if (!app.session.profile()) return true;
    const trace::MissWatch watch;
    const auto slice = slice_at(*app.session.profile(), diagnostic);
    if (slice)
      show_in_timeline_page(app, *slice);
    else if (!watch.any())
      app.messages.info("No slice starts at this position: it is between slices, or the event was skipped", app.now);
    return slice || !watch.any();
  });
}

}  // namespace warpscope::ui
