#include "app/ui/load/profile_list.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace warpscope::ui {

void ProfileList::set_rows(std::span<const ProfileScans::Root> roots) {
  rows_.clear();
  std::set<std::string_view> seen;
  for (std::size_t i = 0; i < roots.size(); ++i)
    for (const ingest::FoundProfile& profile : roots[i].profiles)
      if (seen.insert(profile.path).second) rows_.push_back({profile, i});
  for (Row& row : rows_) {
    const auto learned = learned_.find(row.profile.path);
    if (learned == learned_.end()) continue;
    if (learned->second.bytes == row.profile.bytes && learned->second.files == row.profile.files)
      row.profile = learned->second;
    else
      learned_.erase(learned);
  }
  refresh();
}

void ProfileList::learn(const std::string& path, const trace::Profile& loaded, std::size_t unfinished) {
  const auto row = std::ranges::find(rows_, path, [](const Row& each) { return each.profile.path; });
  if (row == rows_.end()) return;
  ingest::FoundProfile better = ingest::after_load(row->profile, loaded, unfinished);
  if (better == row->profile) return;
  row->profile = better;
  learned_[path] = std::move(better);
  refresh();
}

void ProfileList::set_filter(ListFilter filter) {
  filter_ = std::move(filter);
  refresh();
}

void ProfileList::sort_by(ListColumn column, bool descending) {
  if (column == column_ && descending == descending_) return;
  column_ = column;
  descending_ = descending;
  refresh();
}

void ProfileList::refresh() {
  shown_.clear();
  std::ranges::copy_if(rows_, std::back_inserter(shown_),
                       [this](const Row& row) { return filter_.passes(row.profile); });
  std::ranges::sort(
      shown_, [this](const Row& a, const Row& b) { return comes_before(a.profile, b.profile, column_, descending_); });
}

std::optional<std::size_t> ProfileList::cursor() const {
  if (cursor_.empty()) return std::nullopt;
  const auto found = std::ranges::find_if(shown_, [this](const Row& row) { return row.profile.path == cursor_; });
  if (found == shown_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - shown_.begin());
}

void ProfileList::set_cursor(std::size_t index) {
  if (index < shown_.size()) cursor_ = shown_[index].profile.path;
}

bool ProfileList::move_cursor(int by) {
  if (shown_.empty()) return false;
  const auto last = static_cast<std::ptrdiff_t>(shown_.size()) - 1;
  const auto at = cursor();
  const std::ptrdiff_t to = at ? static_cast<std::ptrdiff_t>(*at) + by : by > 0 ? 0 : last;
  set_cursor(static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, last)));
  return true;
}

void ProfileList::check(const std::string& path, bool on) {
  if (on)
    checked_.insert(path);
  else
    checked_.erase(path);
}

void ProfileList::check_shown() {
  const bool all = std::ranges::all_of(shown_, [this](const Row& row) { return checked(row.profile.path); });
  for (const Row& row : shown_) check(row.profile.path, !all);
}

std::vector<std::string> ProfileList::checked_paths() const {
  std::vector<std::string> paths;
  if (checked_.empty()) return paths;
  for (const Row& row : shown_)
    if (checked(row.profile.path)) paths.push_back(row.profile.path);
  for (const Row& row : rows_)
    if (checked(row.profile.path) && !filter_.passes(row.profile)) paths.push_back(row.profile.path);
  return paths;
}

}  // namespace warpscope::ui
