#pragma once
// Progress and cancellation of long operations. Worker threads update the progress; the window or the command line
// reads it. No locks.
#include <atomic>
#include <cstdint>

namespace warpscope {

/// Cancellation flag that the user sets and workers poll between blocks of work.
class CancelToken {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
};

/// Input bytes processed so far and in total. `total` is set before work starts.
struct Progress {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};
};

}  // namespace warpscope
