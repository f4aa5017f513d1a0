#include "app/ui/diagnostic_jump.hpp"

#include <algorithm>

#include "app/ui/commands.hpp"
#include "app/ui/messages.hpp"
#include "app/ui/session.hpp"
#include "core/base/display_path.hpp"

namespace warpscope::ui {

const Diagnostic* diagnostic_of_row(const trace::Profile& profile, const Table& table, std::size_t row) {
  const auto code = table.find_column("code");
  const auto file = table.find_column("file");
  if (!code || !file || row >= table.rows()) return nullptr;
  const auto& all = profile.diagnostics.all();
  const auto found = std::ranges::find_if(all, [&](const Diagnostic& one) {
    return one.code == table.at(row, *code).text() &&
           display_path(one.file, profile.path) == table.at(row, *file).text();
  });
  return found == all.end() ? nullptr : &*found;
}

bool has_place(const Diagnostic& diagnostic) { return diagnostic.offset != Diagnostic::kNoOffset; }

void jump_to(AppContext& app, const trace::Profile& profile, const Diagnostic& diagnostic) {
  if (!has_place(diagnostic)) return;
  const trace::SliceIdentity identity{diagnostic.file, diagnostic.offset};
  if (!profile.find(identity)) {
    app.messages.info("No slice begins there: what was found stands between slices, or was left out", app.now);
    return;
  }
  app.session.select(identity);
  app.show_page("timeline");
  app.commands.run("view.fit-selection");
}

}  // namespace warpscope::ui
