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
  std::vector<ingest::FoundProfile> found GUARDED_BY(mutex);  // not taken yet
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
  for (const auto& scan : scans_)
    if (scan) scan->cancel.cancel();  // all before the first is waited for
}

void ProfileScans::set_roots(const std::vector<std::string>& paths) {
  if (std::ranges::equal(paths, roots_, {}, {}, &Root::path)) return;
  std::vector<Root> roots;
  std::vector<std::unique_ptr<Scan>> scans;
  std::vector<bool> anew;
  for (const std::string& path : paths) {
    if (std::ranges::find(roots, path, &Root::path) != roots.end()) continue;
    const auto known = std::ranges::find(roots_, path, &Root::path);
    if (known == roots_.end()) {
      roots.push_back({path, {}, 0, false, {}});
      scans.push_back(nullptr);
      anew.push_back(false);
    } else {
      const auto index = static_cast<std::size_t>(known - roots_.begin());
      roots.push_back(std::move(*known));
      roots_[index].path.clear();
      scans.push_back(std::move(scans_[index]));
      anew.push_back(anew_[index]);
    }
  }
  for (auto& scan : scans_)
    if (scan) leave(std::move(scan));
  roots_ = std::move(roots);
  scans_ = std::move(scans);
  anew_ = std::move(anew);
  for (std::size_t i = 0; i < roots_.size(); ++i)
    if (!scans_[i] && roots_[i].profiles.empty() && roots_[i].directories == 0 && roots_[i].problem.empty()) start(i);
}

void ProfileScans::look_again() {
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (roots_[i].looking) continue;
    start(i);
    anew_[i] = true;
  }
}

void ProfileScans::start(std::size_t index) {
  roots_[index].looking = true;
  roots_[index].problem.clear();
  if (scans_[index]) leave(std::move(scans_[index]));
  scans_[index] = std::make_unique<Scan>();
  Scan& scan = *scans_[index];
  scan.wake = wake_;
  scan.thread = std::thread([&scan, path = roots_[index].path] { scan.look(path); });
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
void ProfileScans::leave(std::unique_ptr<Scan> scan) {
  scan->cancel.cancel();
  leaving_.push_back(std::move(scan));
}

bool ProfileScans::update() {
  bool changed = false;
  std::erase_if(leaving_, [](const auto& scan) { return scan->ended(); });
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (!scans_[i]) continue;
    Root& root = roots_[i];
    Scan& scan = *scans_[i];
    bool done = false;
    {
      const MutexLock lock(scan.mutex);
      if (anew_[i] && !scan.done) continue;
      done = scan.done;
      changed = changed || done || !scan.found.empty();
      root.directories = scan.directories;
      if (anew_[i]) root.profiles.clear();
      root.profiles.insert(root.profiles.end(), std::make_move_iterator(scan.found.begin()),
                           std::make_move_iterator(scan.found.end()));
      scan.found.clear();
      root.problem = scan.problem;
    }
    if (!done) continue;
    root.looking = false;
    anew_[i] = false;
    scans_[i].reset();
  }
  return changed;
}

bool ProfileScans::looking() const { return std::ranges::any_of(roots_, &Root::looking); }

}  // namespace warpscope::ui
