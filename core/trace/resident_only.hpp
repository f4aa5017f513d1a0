#pragma once
// Keeps a thread from blocking on disk reads. Columns of a rank in a store are loaded on first use, by the thread that
// uses them. While a thread holds a ResidentOnly, it never loads columns. A column that is not in memory returns
// placeholder values (documented at its accessors) and is recorded as missed. The window holds a ResidentOnly during
// each frame: it draws the data in memory, marks the rest as loading, and lets other threads load the missed columns
// (app/ui/model/column_loader.hpp).
//
// Results computed from placeholder values are wrong and must not be kept. if_resident() returns nullopt instead of
// such results, and MissWatch detects missed columns. Threads without a ResidentOnly are not affected.
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_set>
#include <vector>

namespace warpscope::trace {

/// A column that may be on disk. Thread-safe.
class Loadable {
 public:
  virtual ~Loadable() = default;
  [[nodiscard]] virtual bool present() const = 0;
  /// Loads the column unless it is present; concurrent calls wait. Corruption is recorded by the column's RankStorage.
  /// Throws if there is not enough memory.
  virtual void load() const = 0;
};

class ResidentOnly {
 public:
  ResidentOnly();
  ~ResidentOnly();
  ResidentOnly(const ResidentOnly&) = delete;
  ResidentOnly& operator=(const ResidentOnly&) = delete;

  /// Returns the columns missed since the last call, each once, in the order they were needed.
  [[nodiscard]] std::vector<std::shared_ptr<const Loadable>> take_missed();

  /// Called by columns. Returns true and records `column` as missed if the calling thread must not load it.
  [[nodiscard]] static bool misses(const std::shared_ptr<const Loadable>& column);

 private:
  std::vector<std::shared_ptr<const Loadable>> missed_;
  std::unordered_set<const Loadable*> known_;  // those in missed_
  ResidentOnly* outer_;
};

/// Detects whether the calling thread has missed columns since construction.
class MissWatch {
 public:
  MissWatch();
  [[nodiscard]] bool any() const;

 private:
  std::uint64_t before_;
};

/// Returns `make()`, or nullopt if it missed columns.
template <class Make>
[[nodiscard]] auto if_resident(const Make& make) -> std::optional<decltype(make())> {
  const MissWatch watch;
  std::optional<decltype(make())> made(make());
  if (watch.any()) made.reset();
  return made;
}

}  // namespace warpscope::trace
