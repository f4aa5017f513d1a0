#include "core/trace/missing_nodes.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

#include "core/trace/profile.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::trace {

namespace {

constexpr std::string_view kPrefix = "algo-";
constexpr std::int64_t kMostNodes = 10'000;  // beyond, the number is not one of a job
constexpr std::size_t kMostNamed = 6;

/// 3 for "algo-3"; 0 for other names.
std::int64_t number_of_node(std::string_view name) {
  std::int64_t number = 0;
  if (!name.starts_with(kPrefix)) return 0;
  name.remove_prefix(kPrefix.size());
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  return error == std::errc() && end == name.data() + name.size() && number <= kMostNodes ? number : 0;
}

}  // namespace

void note_missing_nodes(Profile& profile) {
  std::set<std::int64_t> present;
  for (const auto& metrics : profile.metrics) {
    const std::int64_t number = number_of_node(metrics->node());
    if (number <= 0) return;
    present.insert(number);
  }
  if (present.empty()) return;
  std::int64_t nodes = *present.rbegin();
  for (const JobDocument& document : *profile.job)
    if (document.instance_count <= kMostNodes) nodes = std::max(nodes, document.instance_count);
  const auto count = nodes - static_cast<std::int64_t>(present.size());
  if (count <= 0) return;
  std::string names;
  std::size_t named = 0;
  for (std::int64_t number = 1; number <= nodes && named < kMostNamed; ++number) {
    if (present.contains(number)) continue;
    names += (named++ == 0 ? "algo-" : ", algo-") + std::to_string(number);
  }
  if (static_cast<std::int64_t>(named) < count) names += ", …";
  profile.diagnostics.add("nodes-missing", Severity::warning, profile.path, Diagnostic::kNoOffset,
                          names + " of " + std::to_string(nodes), static_cast<std::uint64_t>(count));
}

}  // namespace warpscope::trace
