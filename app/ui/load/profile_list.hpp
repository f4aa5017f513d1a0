#pragma once
// The Load page's profiles as a table. Contains no drawing code.
#include <span>
#include <string>
#include <vector>

#include "app/ui/load/profile_scans.hpp"
#include "core/base/table.hpp"

namespace warpscope::ui {

struct ListedProfile {
  ingest::FoundProfile profile;
  std::string root;  ///< listed folder that contains it
};

/// Returns the profiles of all folders, most recent first, unknown times last; a profile found under multiple folders
/// only once. O(n log n).
[[nodiscard]] std::vector<ListedProfile> listed_profiles(std::span<const ProfileScans::Root> roots);

/// Returns a row per profile.
[[nodiscard]] Table profiles_table(std::span<const ListedProfile> profiles);

/// Returns the path, the status, the files and where the creation time comes from, one per line.
[[nodiscard]] std::string profile_tip(const ingest::FoundProfile& profile);

}  // namespace warpscope::ui
