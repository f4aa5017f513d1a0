#include "core/analysis/shared/answers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/analysis/shared/gpu_time.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {
namespace {

constexpr std::size_t kFirst = 5;
constexpr std::size_t kLongestInAnswer = 60;
constexpr std::size_t kMostParts = 3;
constexpr double kLeastPart = 0.01;

/// Truncates names of kernels that spell out their whole configuration.
std::string cut(const std::string& name) {
  std::size_t end = kLongestInAnswer;
  if (name.size() <= end) return name;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80) --end;  // inside a character
  return name.substr(0, end) + "…";
}

double fraction(Ns part, Ns all) { return static_cast<double>(part) / static_cast<double>(all); }

}  // namespace

std::string leading_answer(std::span<const NamedTime> largest_first, std::size_t count, Ns all,
                           std::string_view whole) {
  if (largest_first.empty() || all <= 0 || largest_first.front().second <= 0) return "";
  std::string answer = fmt::format("{} takes {} of {}", cut(largest_first.front().first),
                                   format_share(fraction(largest_first.front().second, all)), whole);
  if (count > kFirst && largest_first.size() >= kFirst) {
    Ns sum = 0;
    for (const NamedTime& part : largest_first.first(kFirst)) sum = saturating_add(sum, part.second);
    answer += fmt::format("; the top {} of {} take {}", kFirst, count, format_share(fraction(sum, all)));
  }
  return answer + ".";
}

std::string largest_parts(std::vector<NamedTime> parts, Ns all) {
  if (all <= 0) return "";
  std::ranges::stable_sort(parts, std::greater(), &NamedTime::second);
  std::string list;
  for (std::size_t i = 0; i < std::min(kMostParts, parts.size()); ++i) {
    const double share = fraction(parts[i].second, all);
    if (share < kLeastPart) break;
    list += fmt::format("{}{} {}", i > 0 ? ", " : "", parts[i].first, format_share(share));
  }
  return list;
}

}  // namespace warpscope::analysis
