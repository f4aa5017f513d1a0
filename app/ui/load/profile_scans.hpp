#pragma once
// The folders whose profiles the Load page lists, and what was found below each: looked through by other threads, which
// a disk that hangs may hold up without holding up anything else.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ui {

class ProfileScans {
 public:
  struct Root {
    std::string path;
    std::vector<ingest::FoundProfile> profiles;  ///< in the order in which they were found
    std::size_t directories = 0;                 ///< looked into so far
    bool looking = false;
    std::string problem;  ///< it could not be looked through, or not to its end
  };

  /// `wake` is called from other threads when there is news; may be empty.
  explicit ProfileScans(std::function<void()> wake);
  /// Does not wait.
  ~ProfileScans();
  ProfileScans(const ProfileScans&) = delete;
  ProfileScans& operator=(const ProfileScans&) = delete;

  /// Looks through those that are new, forgets those that are gone. Cheap if they are the same.
  void set_roots(const std::vector<std::string>& paths);
  /// Looks through all of them anew; what was known stays until each is done.
  void look_again();
  /// Takes what was found. Call once a frame; true if anything changed.
  bool update();
  [[nodiscard]] const std::vector<Root>& roots() const { return roots_; }
  [[nodiscard]] bool looking() const;

 private:
  struct Scan;
  void start(std::size_t index);

  std::function<void()> wake_;
  std::vector<Root> roots_;
  std::vector<std::shared_ptr<Scan>> scans_;  // as roots_
  std::vector<bool> anew_;                    // as roots_: what is known is replaced at the end
};

}  // namespace warpscope::ui
