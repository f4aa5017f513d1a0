#include "app/ui/load/profile_scans.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::ui {

struct ProfileScans::Found {
  Mutex mutex;
  std::vector<ingest::FoundProfile> profiles GUARDED_BY(mutex);
  std::size_t directories GUARDED_BY(mutex) = 0;
};

ProfileScans::~ProfileScans() {
  for (const Root& root : roots_)
    if (root.scan) root.scan->stop();  // cancel all before waiting for the first
}

bool ProfileScans::set_roots(const std::vector<std::string>& paths) {
  if (std::ranges::equal(paths, roots_, {}, {}, &Root::path)) return false;
  std::vector<Root> roots;
  for (const std::string& path : paths) {
    if (std::ranges::find(roots, path, &Root::path) != roots.end()) continue;
    const auto known = std::ranges::find(roots_, path, &Root::path);
    roots.push_back(known != roots_.end() ? std::exchange(*known, {}) : Root());
    roots.back().path = path;
    if (!roots.back().scan) start(roots.back());
  }
  for (Root& root : roots_) {
    if (!root.scan) continue;
    root.scan->stop();
    cancelled_.push_back(std::move(root.scan));
  }
  roots_ = std::move(roots);
  return true;
}

void ProfileScans::look_again() {
  for (Root& root : roots_)
    if (!root.looking) start(root);
}

void ProfileScans::start(Root& root) const {
  root.looking = true;
  root.problem.clear();
  root.found = std::make_shared<Found>();
  if (!root.scan) root.scan = std::make_unique<Scan>();
  const auto work = [found = root.found, path = root.path, wake = wake_](const CancelToken& cancel) -> Failure {
    const auto tell = [&] {
      if (wake && !cancel.cancelled()) wake();
    };
    ingest::ListingOptions options;
    options.cancel = &cancel;
    options.found = [&](const ingest::FoundProfile& profile) {
      const MutexLock lock(found->mutex);
      found->profiles.push_back(profile);
      tell();
    };
    options.looked = [&](std::size_t looked) {
      const MutexLock lock(found->mutex);
      found->directories = looked;
      if (looked % 256 == 0) tell();
    };
    const auto listing = ingest::list_profiles(path, options);
    if (!listing) return listing.error();
    return listing->cut.empty() ? Failure() : Error{path, listing->cut, ""};
  };
  root.scan->start(work, wake_);
}

bool ProfileScans::update() {
  bool changed = false;
  for (Root& root : roots_) {
    if (!root.looking) continue;
    const auto done = root.scan->take();
    const MutexLock lock(root.found->mutex);
    root.directories = root.found->directories;
    if (done) {
      root.looking = false;
      root.problem = *done ? (*done)->what : "";
    }
    if (!done && root.found->profiles.size() <= root.profiles.size()) continue;
    root.profiles = root.found->profiles;
    changed = true;
  }
  return changed;
}

bool ProfileScans::looking() const { return std::ranges::any_of(roots_, &Root::looking); }

}  // namespace warpscope::ui
