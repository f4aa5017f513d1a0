#pragma once
// How far a long piece of work is, and the way to stop it. Written by workers, read by whoever shows it; no locks.
#include <atomic>
#include <cstdint>

namespace warpscope {

/// Asked for by the user, looked at by workers between blocks of work.
class CancelToken {
 public:
  void cancel() { cancelled_.store(true, std::memory_order_relaxed); }
  [[nodiscard]] bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> cancelled_{false};
};

/// Bytes of the input done, of the bytes there are. `total` is known before work starts.
struct Progress {
  std::atomic<std::uint64_t> done{0};
  std::atomic<std::uint64_t> total{0};
};

}  // namespace warpscope
