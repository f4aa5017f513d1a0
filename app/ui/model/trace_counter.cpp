#include "app/ui/model/trace_counter.hpp"

#include <atomic>
#include <deque>
#include <map>
#include <system_error>
#include <thread>

#include "app/ui/model/directory_listing.hpp"
#include "core/base/threads/mutex.hpp"

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

TraceCounter::Count count_traces(const fs::path& directory, const std::atomic<bool>& stop) {
  TraceCounter::Count count;
  std::size_t seen = 0;
  std::error_code failed;
  fs::recursive_directory_iterator entries(directory, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && entries != end && !stop; entries.increment(failed)) {
    if (++seen > TraceCounter::kMostEntries) {
      count.more = true;
      break;
    }
    const std::string name = entries->path().filename().string();
    std::error_code ignored;
    if (entries->is_directory(ignored)) {
      if (entries.depth() + 1 >= TraceCounter::kDepth || name.starts_with('.')) entries.disable_recursion_pending();
    } else if (looks_like_trace(name)) {
      ++count.traces;
    }
  }
  return count;
}

}  // namespace

struct TraceCounter::Shared {
  Mutex mutex;
  Condition asked;
  std::deque<fs::path> requests GUARDED_BY(mutex);
  std::map<fs::path, Count> known GUARDED_BY(mutex);
  std::map<fs::path, bool> waiting GUARDED_BY(mutex);  // requested, not answered yet
  std::atomic<bool> stop{false};
  std::function<void()> on_change;
};

TraceCounter::TraceCounter(std::function<void()> on_change) : shared_(std::make_unique<Shared>()) {
  shared_->on_change = std::move(on_change);
  thread_ = std::thread([this] { work(); });
}

TraceCounter::~TraceCounter() {
  {
    const MutexLock lock(shared_->mutex);
    shared_->stop = true;
  }
  shared_->asked.notify_all();
  thread_.join();
}

void TraceCounter::work() {
  MutexLock lock(shared_->mutex);
  while (true) {
    shared_->asked.wait(lock, [&]() REQUIRES(shared_->mutex) { return shared_->stop || !shared_->requests.empty(); });
    if (shared_->stop) return;
    const fs::path directory = std::move(shared_->requests.front());
    shared_->requests.pop_front();
    lock.unlock();
    Count count;
    try {
      count = count_traces(directory, shared_->stop);
    } catch (const std::exception&) {
      // The browser then shows no number of traces.
    }
    lock.lock();
    if (shared_->stop) return;
    shared_->known[directory] = count;
    shared_->waiting.erase(directory);
    if (shared_->on_change) shared_->on_change();
  }
}

std::optional<TraceCounter::Count> TraceCounter::count(const fs::path& directory) {
  const MutexLock lock(shared_->mutex);
  if (const auto found = shared_->known.find(directory); found != shared_->known.end()) return found->second;
  if (!shared_->waiting[directory]) {
    shared_->waiting[directory] = true;
    shared_->requests.push_back(directory);
    shared_->asked.notify_one();
  }
  return std::nullopt;
}

void TraceCounter::forget_requests() {
  const MutexLock lock(shared_->mutex);
  for (const fs::path& directory : shared_->requests) shared_->waiting.erase(directory);
  shared_->requests.clear();
}

bool TraceCounter::busy() const {
  const MutexLock lock(shared_->mutex);
  return !shared_->waiting.empty();
}

}  // namespace warpscope::ui
