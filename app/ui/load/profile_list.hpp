#pragma once
// The profiles in the Load page's folders. One thread scans all folders; profiles appear as they are found. Contains no
// drawing code.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/ui/model/background.hpp"
#include "core/base/table.hpp"
#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ui {

struct ListedProfile {
  ingest::FoundProfile profile;
  std::string root;  ///< listed folder that contains it
};

class ProfileList {
 public:
  /// `wake` is called from another thread when there are results; may be empty. The destructor cancels the scan, which
  /// reads at most one more file, and waits for it.
  explicit ProfileList(std::function<void()> wake) : wake_(std::move(wake)) {}

  /// Scans the folders if they differ from those of the last call.
  void set_roots(const std::vector<std::string>& roots);
  /// Scans the folders again. The known profiles stay listed until the scan has found as many.
  void look_again();
  /// Fetches results. Call once per frame. Returns true if anything changed.
  bool update();

  [[nodiscard]] const std::vector<std::string>& roots() const { return roots_; }
  /// Returns the profiles of all folders, most recent first; each only once.
  [[nodiscard]] const std::vector<ListedProfile>& profiles() const { return profiles_; }
  [[nodiscard]] bool looking() const { return scan_.running(); }
  /// Returns the reasons why folders could not be scanned completely.
  [[nodiscard]] const std::string& problem() const { return problem_; }

 private:
  struct Found;

  std::function<void()> wake_;
  std::vector<std::string> roots_;
  std::vector<ListedProfile> profiles_;
  std::string problem_;
  std::shared_ptr<Found> found_;  // shared with the scan's thread
  Background<std::string> scan_;  // returns problem_
};

/// Sorts by time, as ProfileList::profiles() does, and keeps the first of several with the same path. O(n log n).
void sort_profiles(std::vector<ListedProfile>& profiles);

/// Returns a row per profile.
[[nodiscard]] Table profiles_table(std::span<const ListedProfile> profiles);

}  // namespace warpscope::ui
