#include "app/ui/model/unloading.hpp"

#include <chrono>
#include <utility>

#include "core/base/heap.hpp"
#include "core/base/process_memory.hpp"

namespace warpscope::ui {

void Unloading::add(std::unique_ptr<OpenProfile> closed, bool tell) {
  if (closed->loader) closed->loader->cancel();
  waiting_.push_back({std::move(closed), tell});
}

void Unloading::update(bool quiet) {
  for (Closed& closed : leaving_) {
    running_.push_back(std::async(std::launch::async, [closed = std::move(closed), quiet, wake = wake_]() mutable {
      std::optional<Unloaded> unloaded;
      // No exception may leave this thread, or update() would throw on the UI thread. Freeing memory matters more than
      // reporting it.
      try {
        if (closed.tell) unloaded = {closed.profile->name(), closed.profile->resident_bytes()};
      } catch (...) {
        unloaded.reset();
      }
      try {
        const std::uint64_t before = process_memory().resident;
        closed.profile.reset();
        give_memory_back();
        const std::uint64_t after = process_memory().resident;
        if (unloaded && quiet && before > after) unloaded->bytes = before - after;
        wake();
      } catch (...) {
        closed.profile.reset();
      }
      return unloaded;
    }));
  }
  leaving_ = std::exchange(waiting_, {});
  if (!leaving_.empty()) wake_();
  std::erase_if(running_, [this](auto& one) {
    if (one.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return false;
    if (auto unloaded = one.get()) done_.push_back(std::move(*unloaded));
    return true;
  });
}

std::optional<Unloaded> Unloading::take() {
  if (done_.empty()) return std::nullopt;
  Unloaded first = std::move(done_.front());
  done_.erase(done_.begin());
  return first;
}

}  // namespace warpscope::ui
