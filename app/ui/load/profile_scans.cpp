#include "app/ui/load/profile_scans.hpp"

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

namespace warpscope::ui {

struct ProfileScans::Scan {
  CancelToken cancel;
  std::mutex mutex;
  std::vector<ingest::FoundProfile> found;  // not taken yet
  std::size_t directories = 0;
  bool done = false;
  std::string problem;
  std::function<void()> wake;  // empty once the scans are destroyed

  void leave() {
    cancel.cancel();
    const std::lock_guard lock(mutex);
    wake = {};
  }
};

ProfileScans::ProfileScans(std::function<void()> wake) : wake_(std::move(wake)) {}

ProfileScans::~ProfileScans() {
  for (const auto& scan : scans_)
    if (scan) scan->leave();
}

void ProfileScans::set_roots(const std::vector<std::string>& paths) {
  if (std::ranges::equal(paths, roots_, {}, {}, &Root::path)) return;
  std::vector<Root> roots;
  std::vector<std::shared_ptr<Scan>> scans;
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
  for (const auto& scan : scans_)
    if (scan) scan->leave();
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
  auto scan = std::make_shared<Scan>();
  scan->wake = wake_;
  roots_[index].looking = true;
  roots_[index].problem.clear();
  scans_[index] = scan;
  std::thread([scan, path = roots_[index].path] {
    ingest::ListingOptions options;
    options.cancel = &scan->cancel;
    const auto tell = [&scan] {
      if (scan->wake) scan->wake();
    };
    options.found = [&](const ingest::FoundProfile& profile) {
      const std::lock_guard lock(scan->mutex);
      scan->found.push_back(profile);
      tell();
    };
    options.looked = [&](std::size_t directories) {
      const std::lock_guard lock(scan->mutex);
      scan->directories = directories;
      if (directories % 256 == 0) tell();
    };
    const auto listing = ingest::list_profiles(path, options);
    const std::lock_guard lock(scan->mutex);
    scan->problem = listing ? listing->cut : listing.error().what;
    scan->done = true;
    tell();
  }).detach();
}

bool ProfileScans::update() {
  bool changed = false;
  for (std::size_t i = 0; i < roots_.size(); ++i) {
    if (!scans_[i]) continue;
    Root& root = roots_[i];
    Scan& scan = *scans_[i];
    bool done = false;
    {
      const std::lock_guard lock(scan.mutex);
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
