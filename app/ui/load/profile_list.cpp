#include "app/ui/load/profile_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <utility>

#include "core/base/natural_order.hpp"

namespace warpscope::ui {
namespace {

using ingest::FoundProfile;

/// Formats the time as "2026-05-01 14:30" in local time.
std::string modified_text(const FoundProfile& profile) {
  const auto seconds = static_cast<std::time_t>(profile.modified / 1'000'000'000);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M", &local);
  return {text.data(), size};
}

/// Returns the folder of a profile, starting with the name of the listed folder.
std::string folder_text(const ListedProfile& listed) {
  const std::filesystem::path root(listed.root);
  const std::filesystem::path below = std::filesystem::path(listed.profile.path).lexically_relative(root).parent_path();
  return (below.empty() ? root.filename() : root.filename() / below).string();
}

bool comes_before(const ListedProfile& a, const ListedProfile& b) {
  const FoundProfile& first = a.profile;
  const FoundProfile& second = b.profile;
  if (first.modified != second.modified) return first.modified > second.modified;
  if (first.name != second.name) return natural_less(first.name, second.name);
  return natural_less(first.path, second.path);
}

}  // namespace

struct ProfileList::Found {
  Mutex mutex;
  std::vector<ListedProfile> profiles GUARDED_BY(mutex);
};

void ProfileList::set_roots(const std::vector<std::string>& roots) {
  if (roots == roots_) return;
  roots_ = roots;
  std::erase_if(profiles_, [&](const ListedProfile& one) { return std::ranges::count(roots, one.root) == 0; });
  look_again();
}

void ProfileList::look_again() {
  found_ = std::make_shared<Found>();
  scan_.start(
      [found = found_, roots = roots_, wake = wake_](const CancelToken& cancel) {
        std::string problems;
        for (const std::string& root : roots) {
          ingest::ListingOptions options;
          options.cancel = &cancel;
          options.found = [&](const FoundProfile& profile) {
            const MutexLock lock(found->mutex);
            found->profiles.push_back({profile, root});
            if (wake && !cancel.cancelled()) wake();
          };
          const auto listing = ingest::list_profiles(root, options);
          const std::string problem = listing ? listing->cut : listing.error().what;
          if (!problem.empty()) problems += fmt::format("{}{}: {}", problems.empty() ? "" : "; ", root, problem);
        }
        return problems;
      },
      wake_);
}

bool ProfileList::update() {
  if (!looking()) return false;
  const auto done = scan_.take();
  if (done) problem_ = *done;
  const MutexLock lock(found_->mutex);
  if (!done && found_->profiles.size() <= profiles_.size()) return false;
  profiles_ = found_->profiles;
  sort_profiles(profiles_);
  return true;
}

void sort_profiles(std::vector<ListedProfile>& profiles) {
  std::ranges::stable_sort(profiles, comes_before);
  const auto rest = std::ranges::unique(profiles, {}, [](const ListedProfile& one) { return one.profile.path; });
  profiles.erase(rest.begin(), rest.end());
}

Table profiles_table(std::span<const ListedProfile> profiles) {
  Table table("profiles", "Profiles",
              {{"name", "", ColumnKind::text},
               {"modified", "", ColumnKind::text},
               {"files", "", ColumnKind::integer},
               {"size", "", ColumnKind::bytes},
               {"folder", "", ColumnKind::text}});
  for (const ListedProfile& listed : profiles) {
    const FoundProfile& one = listed.profile;
    table.add_row({one.name, modified_text(one), one.files, one.bytes, folder_text(listed)});
  }
  return table;
}

}  // namespace warpscope::ui
