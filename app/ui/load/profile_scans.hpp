#pragma once
// Scans the Load page's folders for profiles. Each folder is scanned on its own thread, so a hung disk does not block
// anything else.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ui {

class ProfileScans {
  struct Scan;

 public:
  struct Root {
    std::string path;
    std::vector<ingest::FoundProfile> profiles;  ///< in the order found
    std::size_t directories = 0;                 ///< scanned so far
    bool looking = false;
    std::string problem;  ///< the reason the scan failed or is incomplete

   private:
    friend ProfileScans;
    std::shared_ptr<Scan> scan;  // null: none is running
    bool anew = false;           // a rescan, which replaces the results when done
  };

  /// `wake` is called from other threads when there are results; may be empty.
  explicit ProfileScans(std::function<void()> wake);
  /// Cancels all scans and waits for them; each scan reads at most one more file.
  ~ProfileScans();
  ProfileScans(const ProfileScans&) = delete;
  ProfileScans& operator=(const ProfileScans&) = delete;

  /// Starts scanning new folders and drops removed ones. Cheap if nothing changed.
  void set_roots(const std::vector<std::string>& paths);
  /// Scans all folders again. Each folder's previous results remain until its new scan finishes.
  void look_again();
  /// Fetches results. Call once per frame. Returns true if anything changed.
  bool update();
  [[nodiscard]] const std::vector<Root>& roots() const { return roots_; }
  [[nodiscard]] bool looking() const;

 private:
  void start(Root& root);
  void leave(std::shared_ptr<Scan> scan);

  std::function<void()> wake_;
  std::vector<Root> roots_;
  std::vector<std::shared_ptr<Scan>> leaving_;  // cancelled; their threads may still run
};

}  // namespace warpscope::ui
