#pragma once
// The skeletons that one parser has learned. Decides when to try them.
#include <memory>
#include <string>
#include <unordered_map>

#include "core/ingest/events/interner.hpp"
#include "core/ingest/formats/trace_events/skeleton.hpp"

namespace warpscope::ingest::json {

class SkeletonBook {
 public:
  /// `exact`: check the arguments of every event completely, even if some with as many strings were valid.
  explicit SkeletonBook(SkeletonMatcher matcher, bool exact = false);
  SkeletonBook(const SkeletonBook&) = delete;
  SkeletonBook& operator=(const SkeletonBook&) = delete;

  /// Same as SkeletonMatcher, but also returns null while skeletons match too rarely to be worth trying.
  [[nodiscard]] const char* match(const char* at, const char* end, RawEvent& event) {
    if (table_.count == 0 || resting_) return nullptr;
    const char* const next = matcher_(table_, at, end, event);
    if (next != nullptr) ++hits_;
    return next;
  }

  /// Learns the event from `at` to `next`, which did not match but was accepted by parse_strict. `plain`: the event had
  /// no notes.
  void learn(const char* at, const char* next, const RawEvent& event, bool plain);

  /// Returns the number of matches so far, for tests and benchmarks.
  [[nodiscard]] std::uint64_t hits() const { return hits_; }

 private:
  static constexpr std::uint32_t kMostNames = 1U << 14;
  static constexpr std::size_t kLongestName = 4096;

  friend std::uint32_t name_key(SkeletonTable& table, const char* text, std::size_t length);
  friend void remember_place(SkeletonTable& table, Skeleton& skeleton, const char* begin, RawEvent& event);

  void judge();
  void add(const char* at, const char* next, const RawEvent& event);
  std::uint32_t place_of(const RawEvent& event);

  SkeletonMatcher matcher_;
  SkeletonTable table_;
  std::unique_ptr<Skeleton[]> skeletons_;
  Interner names_{kMostNames};
  std::unordered_map<std::string, std::uint32_t> places_;
  std::string place_key_;
  std::uint32_t shapes_ = 0;  ///< number of shapes learned so far
  std::uint64_t hits_ = 0;
  std::uint64_t hits_before_ = 0;  ///< value of hits_ when misses_ was last reset
  std::uint32_t misses_ = 0;
  bool resting_ = false;
};

}  // namespace warpscope::ingest::json
