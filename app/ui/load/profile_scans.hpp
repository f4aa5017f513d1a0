#pragma once
// Scans the Load page's folders for profiles. Each folder is scanned on its own thread, so a hung disk does not block
// anything else.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/model/background.hpp"
#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ui {

class ProfileScans {
  struct Found;
  using Scan = Background<Failure>;

 public:
  struct Root {
    std::string path;
    std::vector<ingest::FoundProfile> profiles{};  ///< in the order found
    std::size_t directories = 0;                   ///< scanned so far
    bool looking = false;
    std::string problem{};  ///< the reason the scan failed or is incomplete

   private:
    friend ProfileScans;
    std::shared_ptr<Found> found{};  // shared with the scan's thread
    std::unique_ptr<Scan> scan{};
  };

  /// `wake` is called from other threads when there are results; may be empty.
  explicit ProfileScans(std::function<void()> wake) : wake_(std::move(wake)) {}
  /// Cancels all scans and waits for them; each scan reads at most one more file.
  ~ProfileScans();
  ProfileScans(const ProfileScans&) = delete;
  ProfileScans& operator=(const ProfileScans&) = delete;

  /// Starts scanning new folders and drops removed ones. Returns true if anything changed.
  bool set_roots(const std::vector<std::string>& paths);
  /// Scans all folders again. Each folder's profiles remain until the new scan has found as many.
  void look_again();
  /// Fetches results. Call once per frame. Returns true if anything changed.
  bool update();
  [[nodiscard]] const std::vector<Root>& roots() const { return roots_; }
  [[nodiscard]] bool looking() const;

 private:
  void start(Root& root) const;

  std::function<void()> wake_;
  std::vector<Root> roots_;
  std::vector<std::unique_ptr<Scan>> cancelled_;  // of removed folders; their threads may still run
};

}  // namespace warpscope::ui
