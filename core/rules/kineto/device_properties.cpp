#include "core/rules/kineto/device_properties.hpp"

#include <fmt/format.h>

#include <string>

#include "core/base/json_facts.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::rules {

std::map<std::int64_t, std::int64_t> device_properties(const trace::Rank& rank, std::string_view name) {
  std::map<std::int64_t, std::int64_t> values;
  const auto listed = rank.properties.find("deviceProperties");
  if (listed == rank.properties.end()) return values;
  const auto facts = json_facts(listed->second);
  if (!facts) return values;
  std::map<std::string_view, std::int64_t> devices;  // by entry: "[1]."
  for (const JsonFact& fact : *facts)
    if (const auto id = parse_number<std::int64_t>(fact.value); id && fact.name.ends_with("].id"))
      devices.emplace(std::string_view(fact.name).substr(0, fact.name.size() - 2), *id);
  for (const JsonFact& fact : *facts) {
    const std::size_t dot = fact.name.find('.') + 1;  // 0: no entry of a device
    const auto device = devices.find(std::string_view(fact.name).substr(0, dot));
    if (device == devices.end() || std::string_view(fact.name).substr(dot) != name) continue;
    if (const auto value = parse_number<std::int64_t>(fact.value)) values.emplace(device->second, *value);
  }
  return values;
}

std::optional<std::int64_t> device_property(const trace::Rank& rank, std::int64_t device, std::string_view name) {
  const auto values = device_properties(rank, name);
  const auto value = values.find(device);
  return value == values.end() ? std::nullopt : std::optional(value->second);
}

bool has_bf16(const trace::Rank& rank, std::int64_t device) {
  constexpr std::int64_t kAmpere = 8;
  return rank.properties.contains("hip_runtime_version") ||
         device_property(rank, device, "computeMajor").value_or(kAmpere) >= kAmpere;
}

}  // namespace warpscope::rules
