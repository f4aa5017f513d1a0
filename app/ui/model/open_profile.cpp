#include "app/ui/model/open_profile.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/ingest/bytes/source_change.hpp"
#include "core/trace/resident_only.hpp"

namespace warpscope::ui {
namespace {

/// Finds `slice` of `before` in `now` if `now` has the same rank or an unloaded copy of it: the same file with the same
/// number of slices in each lane. Reads no columns.
std::optional<trace::SliceRef> carried_over(const trace::Profile& before, trace::SliceRef slice,
                                            const trace::Profile& now) {
  const trace::Rank& old = *before.ranks[slice.rank];
  for (std::uint32_t i = 0; i < now.ranks.size(); ++i) {
    const trace::Rank& rank = *now.ranks[i];
    if (rank.source.path == old.source.path && ingest::same_state(rank.source, old.source) &&
        rank.lane_start == old.lane_start)
      return trace::SliceRef{i, slice.slice};
  }
  return std::nullopt;
}

}  // namespace

std::string OpenProfile::name() const {
  const std::filesystem::path clean = path.lexically_normal();
  const std::filesystem::path last = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  if (!last.empty() && last != "." && last != "..") return last.string();
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, failed);
  return failed || whole.filename().empty() ? path.string() : whole.filename().string();
}

bool OpenProfile::update(const std::function<void()>& wake) {
  if (!loader) return false;
  progress = loader->progress();  // before the profile, so that "not running" implies the final profile
  growing.clear();
  unfinished.clear();
  for (const FileStatus& file : progress.files)
    if (file.growing || file.unfinished) (file.growing ? growing : unfinished).push_back(file.path);
  std::ranges::sort(growing);
  std::ranges::sort(unfinished);
  identify();
  std::shared_ptr<const trace::Profile> latest = loader->profile();
  // After a reload, the earlier profile stays until the new load has one.
  if (!latest || !clocks.update(std::move(latest), loader->events(), wake)) {
    if (resolving) resolve_selection();
    return false;
  }
  const std::shared_ptr<const trace::Profile> before = std::exchange(profile, clocks.shown());
  if (const auto same = before && selection ? carried_over(*before, *selection, *profile) : std::nullopt) {
    selection = same;
    if (selected_in) {
      selected_in = profile;
      selected = *same;
    }
  } else {
    resolve_selection();
  }
  return true;
}

bool OpenProfile::select(trace::SliceRef slice) {
  if (!profile || selection == slice) return false;
  clear_selection();
  selection = selected = slice;
  selected_in = profile;
  identify();
  return true;
}

bool OpenProfile::select(trace::SliceIdentity wanted) {
  if (identity == wanted) return false;
  clear_selection();
  identity = std::move(wanted);
  resolve_selection();
  return true;
}

void OpenProfile::clear_selection() {
  identity.reset();
  selection.reset();
  selected_in.reset();
  resolving = false;
}

/// Reads the identity of the selected slice if its offset is in memory.
void OpenProfile::identify() {
  if (!selected_in) return;
  identity = trace::if_resident([this] { return selected_in->identity(selected); });
  if (identity) selected_in.reset();
}

/// Finds the selected slice in `profile`, if offsets are in memory.
void OpenProfile::resolve_selection() {
  selection.reset();
  const trace::MissWatch watch;
  identify();
  if (identity && profile) selection = profile->find(*identity);
  resolving = !selection && watch.any();
}

}  // namespace warpscope::ui
