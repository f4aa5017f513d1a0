#include "app/cli/load.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "app/cli/progress_line.hpp"
#include "core/base/progress_text.hpp"
#include "core/base/rate.hpp"

namespace warpscope::cli {

Result<std::shared_ptr<const trace::Profile>> load(const std::string& path, ingest::LoadOptions options) {
  std::mutex mutex;
  std::condition_variable news;
  options.on_change = [&] {
    const std::lock_guard lock(mutex);
    news.notify_all();
  };
  ingest::Loader loader(path, std::move(options));
  ProgressLine line;
  Rate rate;
  constexpr std::chrono::milliseconds kLook{100};
  for (std::unique_lock lock(mutex); !loader.finished(); news.wait_for(lock, kLook)) {
    lock.unlock();
    const ingest::LoadStatus status = loader.status();
    rate.update(status.seconds, status.bytes_done);
    line.show(
        progress_text(status.bytes_done, status.bytes_total, rate.per_second(), rate.seconds_left(status.bytes_total)));
    lock.lock();
  }
  loader.wait();
  if (auto failure = loader.failure()) return *failure;
  return loader.profile();
}

}  // namespace warpscope::cli
