#include "app/ui/model/store_usage.hpp"

#include <utility>

#include "core/store/cache.hpp"

namespace warpscope::ui {

StoreUsage::StoreUsage(std::filesystem::path folder, std::function<void()> wake)
    : folder_(std::move(folder)), wake_(std::move(wake)) {}

void StoreUsage::count() {
  if (work_.running()) return;
  work_.start([folder = folder_](const CancelToken&) { return store::Cache(folder).bytes(); }, wake_);
}

void StoreUsage::clear() {
  work_.start(
      [folder = folder_](const CancelToken&) {
        const store::Cache cache(folder);
        static_cast<void>(cache.clear());
        return cache.bytes();
      },
      wake_);
}

void StoreUsage::update() {
  if (const auto bytes = work_.take()) bytes_ = *bytes;
}

}  // namespace warpscope::ui
