#pragma once
// A filter made ready for one profile: what search, highlight, hide and count ask of every slice.
//
// Most of a filter is settled before a slice is looked at. Its tests are run once per name, once per category, once per
// family and once per lane; a slice costs the union of four masks, and its times are compared only if the answer is
// still open. Built in O(names · tests of names); a slice then costs some nanoseconds.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/base/filter.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

class LaneMatcher;

/// Immutable: may be asked from several threads. Names that enter the dictionary later are not known to it, so it is
/// good for the profile it was made for, which it keeps alive.
class SliceMatcher {
 public:
  SliceMatcher(std::shared_ptr<const trace::Profile> profile, Filter filter);

  [[nodiscard]] const trace::Profile& profile() const { return *profile_; }
  [[nodiscard]] const Filter& filter() const { return filter_; }
  /// For the slices of one lane; must not outlive this. O(tests).
  [[nodiscard]] LaneMatcher lane(std::uint32_t rank, std::uint32_t lane) const;
  /// One slice by itself. O(log lanes + tests).
  [[nodiscard]] bool matches(trace::SliceRef slice) const;
  /// The slice with all that a filter can ask for. Text lives as long as the profile.
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
  std::vector<TestMask> by_name_;            // by NameId; empty if there is no test of names
  std::vector<std::uint8_t> communication_;  // by NameId; empty if there is no test of families
  std::array<TestMask, 256> by_category_{};
  std::array<TestMask, trace::kFamilies> by_family_{};
};

class LaneMatcher {
 public:
  /// Yes if every slice of the lane passes, no if none, unknown if each has to be asked.
  [[nodiscard]] Truth truth() const { return truth_; }

  /// Whether slice `i` of the lane passes.
  [[nodiscard]] bool matches(std::uint32_t i) const { return truth_ == Truth::unknown ? ask(i) : truth_ == Truth::yes; }

 private:
  friend class SliceMatcher;

  LaneMatcher(const SliceMatcher& matcher, const trace::Lane& lane, TestMask values, Truth truth)
      : matcher_(&matcher), lane_(&lane), values_(values), truth_(truth) {}
  [[nodiscard]] bool ask(std::uint32_t i) const;

  const SliceMatcher* matcher_;
  const trace::Lane* lane_;
  TestMask values_;  // tests of the lane that hold
  Truth truth_;
};

}  // namespace warpscope::analysis
