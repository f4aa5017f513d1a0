#include "app/ui/model/store_usage.hpp"

#include <utility>

#include "core/store/cache.hpp"

namespace warpscope::ui {

StoreUsage::StoreUsage(std::filesystem::path folder, std::function<void()> wake)
    : folder_(std::move(folder)), wake_(std::move(wake)) {}

void StoreUsage::count() {
  if (work_.running()) return;
  work_.start(
      [folder = folder_](const CancelToken&) {
        return Outcome{store::Cache(folder).bytes(), std::nullopt};
      },
      wake_);
}

void StoreUsage::clear() {
  work_.start(
      [folder = folder_](const CancelToken&) {
        const store::Cache cache(folder);
        const std::uint64_t freed = cache.clear();
        return Outcome{cache.bytes(), freed};
      },
      wake_);
}

std::optional<std::uint64_t> StoreUsage::update() {
  const auto outcome = work_.take();
  if (!outcome) return std::nullopt;
  bytes_ = outcome->bytes;
  return outcome->freed;
}

}  // namespace warpscope::ui
