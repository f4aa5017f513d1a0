#include "core/analysis/request/what_is_there.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace warpscope::analysis {

std::string annotations_there(const trace::Profile& profile, std::span<const std::uint32_t> ranks) {
  constexpr std::size_t kMostListed = 12;
  std::map<std::string_view, std::uint64_t> families;
  for (const std::uint32_t r : ranks)
    for (const auto& [family, count] : profile.ranks[r]->annotations) families[family] += count;
  if (families.empty()) return "none";
  std::vector<std::pair<std::string_view, std::uint64_t>> order(families.begin(), families.end());
  std::ranges::stable_sort(order, std::greater(), [](const auto& each) { return each.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(order.size(), kMostListed); ++i)
    text.append(i == 0 ? "" : ", ").append(order[i].first);
  if (order.size() > kMostListed) text += fmt::format(" and {} more", order.size() - kMostListed);
  return text;
}

}  // namespace warpscope::analysis
