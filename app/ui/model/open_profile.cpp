#include "app/ui/model/open_profile.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

namespace warpscope::ui {

std::string OpenProfile::name() const {
  const std::filesystem::path clean = path.lexically_normal();
  const std::filesystem::path last = clean.has_filename() ? clean.filename() : clean.parent_path().filename();
  if (!last.empty() && last != "." && last != "..") return last.string();
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::weakly_canonical(path, failed);
  return failed || whole.filename().empty() ? path.string() : whole.filename().string();
}

bool OpenProfile::update() {
  if (!loader) return false;
  progress = loader->progress();  // before the profile, so that "not running" implies the final profile
  growing.clear();
  unfinished.clear();
  for (const FileProgress& file : progress.files)
    if (file.growing || file.unfinished) (file.growing ? growing : unfinished).push_back(file.path);
  std::ranges::sort(growing);
  std::ranges::sort(unfinished);
  std::shared_ptr<const trace::Profile> latest = loader->profile();
  if (!latest || latest == profile) return false;
  profile = std::move(latest);
  resolve_selection();
  return true;
}

void OpenProfile::resolve_selection() {
  selection.reset();
  if (identity && profile) selection = profile->find(*identity);
}

}  // namespace warpscope::ui
