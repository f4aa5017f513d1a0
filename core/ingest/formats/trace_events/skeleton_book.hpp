#pragma once
// The skeletons that one parser has learned, and when they are worth trying.
#include <memory>
#include <string>
#include <unordered_map>

#include "core/ingest/formats/trace_events/skeleton.hpp"

namespace warpscope::ingest::json {

class SkeletonBook {
 public:
  explicit SkeletonBook(SkeletonMatcher matcher);
  SkeletonBook(const SkeletonBook&) = delete;
  SkeletonBook& operator=(const SkeletonBook&) = delete;

  /// As SkeletonMatcher; null also if the text has nothing to do with what was learned, so that trying is a waste of
  /// time.
  [[nodiscard]] const char* match(const char* at, const char* end, RawEvent& event) {
    if (table_.count == 0 || resting_) return nullptr;
    const char* const next = matcher_(table_, at, end, event);
    if (next != nullptr) ++hits_;
    return next;
  }

  /// The event from `at` to `next` was no match, but parse_strict took it. `plain`: without any note.
  void learn(const char* at, const char* next, const RawEvent& event, bool plain);

  /// Events that matched since they were counted last: for tests and benchmarks.
  [[nodiscard]] std::uint64_t hits() const { return hits_; }

 private:
  friend std::uint32_t name_key(SkeletonTable& table, const char* text, std::size_t length);
  friend void remember_place(SkeletonTable& table, Skeleton& skeleton, const char* begin, RawEvent& event);

  void judge();
  void add(const char* at, const char* next, const RawEvent& event);
  std::uint32_t place_of(const RawEvent& event);

  SkeletonMatcher matcher_;
  SkeletonTable table_;
  std::unique_ptr<Skeleton[]> skeletons_;
  NameBook names_;
  std::unordered_map<std::string, std::uint32_t> places_;
  std::string place_key_;
  std::uint32_t shapes_ = 0;  ///< ever learned
  std::uint64_t hits_ = 0;
  std::uint64_t hits_before_ = 0;  ///< when the misses were counted from
  std::uint32_t misses_ = 0;
  bool resting_ = false;
};

}  // namespace warpscope::ingest::json
