#include "core/rules/kineto/device_properties.hpp"

#include <fmt/format.h>

#include <string>

#include "core/base/json_facts.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::rules {

std::optional<std::int64_t> device_property(const trace::Rank& rank, std::int64_t device, std::string_view name) {
  const auto listed = rank.properties.find("deviceProperties");
  if (listed == rank.properties.end()) return std::nullopt;
  const auto facts = json_facts(listed->second);
  if (!facts) return std::nullopt;
  std::string entry;  // "[1]."
  for (const JsonFact& fact : *facts) {
    if (fact.name.ends_with("].id") && fact.value == std::to_string(device))
      entry = fact.name.substr(0, fact.name.size() - 2);
    if (entry.empty() || fact.name != entry + std::string(name)) continue;
    if (const auto value = parse_number<std::int64_t>(fact.value)) return value;
  }
  return std::nullopt;
}

bool has_bf16(const trace::Rank& rank, std::int64_t device) {
  constexpr std::int64_t kAmpere = 8;
  return rank.properties.contains("hip_runtime_version") ||
         device_property(rank, device, "computeMajor").value_or(kAmpere) >= kAmpere;
}

}  // namespace warpscope::rules
