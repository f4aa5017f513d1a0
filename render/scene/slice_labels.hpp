#pragma once
// Caches the labels of timeline slices, because a frame draws thousands of them.
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/trace/profile.hpp"

namespace warpscope::scene {

class SliceLabels {
 public:
  /// Selects the profile whose slices are labeled and drops the labels of other loads. The profile, or a later one of
  /// the same load, must outlive the results of of().
  void use(const trace::Profile& profile);
  void forget();

  /// Same as trace::slice_label(). Valid until forget(), or until use() with another load.
  [[nodiscard]] std::string_view of(trace::CategoryId category, NameId name);

 private:
  const StringTable* names_ = nullptr;
  const trace::Categories* categories_ = nullptr;
  std::unordered_map<NameId, std::string> kernels_;
  std::unordered_map<NameId, std::string> frames_;  // labels of Python frames
};

}  // namespace warpscope::scene
