#include "app/ui/model/unloading.hpp"

#include <chrono>
#include <utility>

#include "core/base/heap.hpp"

namespace warpscope::ui {

void Unloading::add(std::unique_ptr<OpenProfile> closed) {
  if (closed->loader) closed->loader->cancel();
  waiting_.push_back(std::move(closed));
}

void Unloading::update() {
  for (std::shared_ptr<OpenProfile>& closed : leaving_) {
    running_.push_back(std::async(std::launch::async, [closed = std::move(closed), wake = wake_]() mutable {
      closed.reset();
      give_memory_back();
      wake();
    }));
  }
  leaving_ = std::exchange(waiting_, {});
  if (!leaving_.empty()) wake_();
  std::erase_if(running_, [](auto& one) { return one.wait_for(std::chrono::seconds(0)) == std::future_status::ready; });
}

}  // namespace warpscope::ui
