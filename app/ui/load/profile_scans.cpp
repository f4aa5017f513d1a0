#include "app/ui/load/profile_scans.hpp"

#include <algorithm>
#include <thread>
#include <utility>

#include "core/base/threads/caught.hpp"
#include "core/base/threads/mutex.hpp"

namespace warpscope::ui {

struct ProfileScans::Scan {
  CancelToken cancel;
  Mutex mutex;
  std::vector<ingest::FoundProfile> found GUARDED_BY(mutex);  // not fetched yet
  std::size_t directories GUARDED_BY(mutex) = 0;
  bool done GUARDED_BY(mutex) = false;
  std::string problem GUARDED_BY(mutex);
  std::function<void()> wake;
  std::thread thread;  // last: it uses the other members

  ~Scan() {
    cancel.cancel();
    if (thread.joinable()) thread.join();
  }
  void look(const std::string& path);
  [[nodiscard]] bool ended() {
    const MutexLock lock(mutex);
    return done;
  }
};

ProfileScans::ProfileScans(std::function<void()> wake) : wake_(std::move(wake)) {}

ProfileScans::~ProfileScans() {
  for (const Root& root : roots_)
    if (root.scan) root.scan->cancel.cancel();  // cancel all before waiting for the first
}

void ProfileScans::set_roots(const std::vector<std::string>& paths) {
  if (std::ranges::equal(paths, roots_, {}, {}, &Root::path)) return;
  std::vector<Root> roots;
  for (const std::string& path : paths) {
    if (std::ranges::find(roots, path, &Root::path) != roots.end()) continue;
    const auto known = std::ranges::find(roots_, path, &Root::path);
    roots.push_back(known != roots_.end() ? std::exchange(*known, {}) : Root());
    roots.back().path = path;
  }
  for (Root& root : roots_)
    if (root.scan) leave(std::move(root.scan));
  roots_ = std::move(roots);
  for (Root& root : roots_)
    if (!root.scan && root.profiles.empty() && root.directories == 0 && root.problem.empty()) start(root);
}

void ProfileScans::look_again() {
  for (Root& root : roots_) {
    if (root.looking) continue;
    start(root);
    root.anew = true;
  }
}

void ProfileScans::start(Root& root) {
  root.looking = true;
  root.problem.clear();
  if (root.scan) leave(std::move(root.scan));
  root.scan = std::make_shared<Scan>();
  Scan& scan = *root.scan;
  scan.wake = wake_;
  scan.thread = std::thread([&scan, path = root.path] { scan.look(path); });
}

void ProfileScans::Scan::look(const std::string& path) {
  const auto tell = [this] {
    if (wake && !cancel.cancelled()) wake();
  };
  ingest::ListingOptions options;
  options.cancel = &cancel;
  options.found = [&](const ingest::FoundProfile& profile) {
    const MutexLock lock(mutex);
    found.push_back(profile);
    tell();
  };
  options.looked = [&](std::size_t looked) {
    const MutexLock lock(mutex);
    directories = looked;
    if (looked % 256 == 0) tell();
  };
  std::string failed;
  try {
    const auto listing = ingest::list_profiles(path, options);
    failed = listing ? listing->cut : listing.error().what;
  } catch (...) {
    failed = caught(path).what;
  }
  const MutexLock lock(mutex);
  problem = std::move(failed);
  done = true;
  tell();
}

/// Cancels a scan; update() destroys it once its thread has ended, so nothing waits for a slow disk.
void ProfileScans::leave(std::shared_ptr<Scan> scan) {
  scan->cancel.cancel();
  leaving_.push_back(std::move(scan));
}

bool ProfileScans::update() {
  bool changed = false;
  std::erase_if(leaving_, [](const auto& scan) { return scan->ended(); });
  for (Root& root : roots_) {
    if (!root.scan) continue;
    Scan& scan = *root.scan;
    {
      const MutexLock lock(scan.mutex);
      if (root.anew && !scan.done) continue;
      root.looking = !scan.done;
      changed = changed || scan.done || !scan.found.empty();
      root.directories = scan.directories;
      if (root.anew) root.profiles.clear();
      root.profiles.insert(root.profiles.end(), std::make_move_iterator(scan.found.begin()),
                           std::make_move_iterator(scan.found.end()));
      scan.found.clear();
      root.problem = scan.problem;
    }
    if (root.looking) continue;
    root.anew = false;
    root.scan.reset();
  }
  return changed;
}

bool ProfileScans::looking() const { return std::ranges::any_of(roots_, &Root::looking); }

}  // namespace warpscope::ui
