#include "app/ui/model/trace_counter.hpp"

#include <algorithm>
#include <system_error>
#include <utility>

#include "app/ui/model/directory_listing.hpp"

namespace warpscope::ui {
namespace {

namespace fs = std::filesystem;

TraceCounter::Count count_traces(const fs::path& directory, const CancelToken& cancel) {
  TraceCounter::Count count;
  std::size_t seen = 0;
  std::error_code failed;
  fs::recursive_directory_iterator entries(directory, fs::directory_options::skip_permission_denied, failed);
  for (const fs::recursive_directory_iterator end; !failed && entries != end && !cancel.cancelled();
       entries.increment(failed)) {
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

std::optional<TraceCounter::Count> TraceCounter::count(const fs::path& directory) {
  go_on();
  if (const auto found = known_.find(directory); found != known_.end()) return found->second;
  if (directory != counting_ && std::ranges::find(waiting_, directory) == waiting_.end()) waiting_.push_back(directory);
  go_on();
  return std::nullopt;
}

void TraceCounter::go_on() {
  if (const auto count = work_.take()) known_.insert_or_assign(std::exchange(counting_, {}), *count);
  if (work_.running() || waiting_.empty()) return;
  counting_ = std::move(waiting_.front());
  waiting_.erase(waiting_.begin());
  work_.start([directory = counting_](const CancelToken& cancel) { return count_traces(directory, cancel); }, wake_);
}

}  // namespace warpscope::ui
