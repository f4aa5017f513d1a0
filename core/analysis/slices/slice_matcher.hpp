#pragma once
// A filter prepared for one profile; used to search, highlight, hide and count slices.
//
// Most of a filter is evaluated up front: each test runs once per name, category, family or lane. Matching a slice then
// combines four masks and compares its times only if the result is still undecided, which takes a few ns. Construction
// is O(names · name tests).
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/filter/filter.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

class LaneMatcher;

/// Immutable and thread-safe. Works only with its own profile, which it keeps alive; ignores names added to the string
/// table later.
class SliceMatcher {
 public:
  SliceMatcher(std::shared_ptr<const trace::Profile> profile, Filter filter);

  [[nodiscard]] const trace::Profile& profile() const { return *profile_; }
  [[nodiscard]] const Filter& filter() const { return filter_; }
  /// Returns a matcher for the slices of one lane; it must not outlive this object. O(tests).
  [[nodiscard]] LaneMatcher lane(std::uint32_t rank, std::uint32_t lane) const;
  /// Returns whether a single slice matches. O(log lanes + tests).
  [[nodiscard]] bool matches(trace::SliceRef slice) const;
  /// Returns all values of a slice that a filter can test. The strings live as long as the profile.
  [[nodiscard]] FilterRecord record(trace::SliceRef slice) const;

 private:
  friend class LaneMatcher;

  [[nodiscard]] FilterRecord lane_record(std::uint32_t rank, std::uint32_t lane) const;
  void run_name_tests();
  void run_category_tests();

  std::shared_ptr<const trace::Profile> profile_;
  Filter filter_;
  TestMask time_tests_ = 0;
  TestMask lane_tests_ = 0;
  std::vector<TestMask> by_name_;            // by NameId; empty without tests of names
  std::vector<std::uint8_t> communication_;  // by NameId; empty without tests of families
  std::array<TestMask, 256> by_category_{};
  std::array<TestMask, trace::kFamilies> by_family_{};
};

class LaneMatcher {
 public:
  /// Returns yes if every slice of the lane matches, no if none match, unknown if each slice must be tested.
  [[nodiscard]] Truth truth() const { return truth_; }

  /// Returns whether slice `i` of the lane matches.
  [[nodiscard]] bool matches(std::uint32_t i) const { return truth_ == Truth::unknown ? ask(i) : truth_ == Truth::yes; }

 private:
  friend class SliceMatcher;

  LaneMatcher(const SliceMatcher& matcher, const trace::Lane& lane, TestMask values, Truth truth)
      : matcher_(&matcher), lane_(&lane), values_(values), truth_(truth) {}
  [[nodiscard]] bool ask(std::uint32_t i) const;

  const SliceMatcher* matcher_;
  const trace::Lane* lane_;
  TestMask values_;  // tests that are true for the lane
  Truth truth_;
};

}  // namespace warpscope::analysis
