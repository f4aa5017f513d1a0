#include "core/ingest/events/copy_name.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/parse_number.hpp"
#include "core/ingest/json/flat_arguments.hpp"

namespace warpscope::ingest {

namespace {

// Indexed by CUPTI's numbers, which are written for kinds that the exporter does not know.
constexpr std::array<std::string_view, 11> kDirections{"",     "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                                       "AtoD", "DtoA", "DtoD", "HtoH", "PtoP"};
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kMemoryKinds{
    {{"unknown", "Unknown"},
     {"pageable", "Pageable"},
     {"pinned", "Pinned"},
     {"device", "Device"},
     {"array", "Array"},
     {"managed", "Managed"},
     {"device_static", "Device Static"},
     {"managed_static", "Managed Static"}}};

// Unknown values are left out: the raw text of arguments may contain anything.
std::string_view direction(std::string_view value) {
  if (const auto number = parse_number<std::size_t>(value))
    return *number < kDirections.size() ? kDirections[*number] : std::string_view();
  const auto known = std::ranges::find(kDirections, value);
  return known == kDirections.end() ? std::string_view() : *known;
}

std::string_view memory_kind(std::string_view value) {
  if (const auto number = parse_number<std::size_t>(value))
    return *number < kMemoryKinds.size() ? kMemoryKinds[*number].second : std::string_view();
  const auto known = std::ranges::find(kMemoryKinds, value, [](const auto& kind) { return kind.first; });
  return known == kMemoryKinds.end() ? std::string_view() : known->second;
}

}  // namespace

std::string full_copy_name(std::string_view bare, std::string_view arguments) {
  std::string_view towards;
  std::string_view from;
  std::string_view to;
  for_each_argument(arguments, [&](std::string_view name, std::string_view value) {
    if (name == "copy kind") towards = direction(value);
    if (name == "src kind") from = memory_kind(value);
    if (name == "dst kind" || name == "memory kind") to = memory_kind(value);
  });
  std::string full(bare);
  if (!towards.empty()) full.append(1, ' ').append(towards);
  if (from.empty() && to.empty()) return full;
  full.append(" (").append(from).append(from.empty() || to.empty() ? "" : " -> ").append(to).append(1, ')');
  return full;
}

}  // namespace warpscope::ingest
