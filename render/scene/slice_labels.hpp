#pragma once
// The labels of slices as the timeline draws them, each made once for a profile: a frame draws thousands.
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/trace/profile.hpp"

namespace warpscope::scene {

class SliceLabels {
 public:
  /// Labels are of this profile's slices from now on; those of another load are forgotten. The profile, or a later one
  /// of the same load, must outlive what of() returns.
  void use(const trace::Profile& profile);
  void forget();

  /// As trace::slice_label(). Valid until use() of another load or forget().
  [[nodiscard]] std::string_view of(trace::CategoryId category, NameId name);

 private:
  const StringTable* names_ = nullptr;
  const trace::Categories* categories_ = nullptr;
  std::unordered_map<NameId, std::string> kernels_;
  std::unordered_map<NameId, std::string> frames_;  // of Python
};

}  // namespace warpscope::scene
