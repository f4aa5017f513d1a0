// The devices of a job: those listed in the deviceProperties of a trace, and those with activity.
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/information/information.hpp"
#include "core/analysis/information/rank_values.hpp"
#include "core/base/json_facts.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis {
namespace {

struct Known {
  std::map<std::string, std::string> properties;
  std::set<std::int64_t> ranks;  // ranks with activity on it
};

using DeviceKey = std::pair<std::uint32_t, std::int64_t>;  // node, id
using Devices = std::map<DeviceKey, Known>;

/// "[12].name" → 12, "name".
std::pair<std::size_t, std::string_view> split_index(std::string_view name) {
  std::size_t index = 0;
  if (!name.starts_with('[')) return {index, name};
  const std::size_t close = name.find("].");
  if (close == std::string_view::npos) return {index, {}};
  std::from_chars(name.data() + 1, name.data() + close, index);
  return {index, name.substr(close + 2)};
}

void add_properties(Devices& devices, std::uint32_t node, const std::string& json) {
  const auto facts = json_facts(json);
  if (!facts) return;
  std::map<std::size_t, std::vector<std::pair<std::string, std::string>>> listed;
  for (const JsonFact& fact : *facts) {
    const auto [index, key] = split_index(fact.name);
    if (!key.empty()) listed[index].emplace_back(key, fact.value);
  }
  for (auto& [index, properties] : listed) {
    std::int64_t id = static_cast<std::int64_t>(index);
    for (const auto& [key, value] : properties)
      if (key == "id") id = parse_number<std::int64_t>(value).value_or(id);
    Known& device = devices[{node, id}];
    for (auto& [key, value] : properties)
      if (key != "id") device.properties.insert_or_assign(key, value);
  }
}

Devices known_devices(const trace::Profile& profile) {
  Devices devices;
  std::set<std::pair<std::uint32_t, std::string>> seen;  // ranks of a node usually list the same devices
  for (std::size_t i = 0; i < profile.ranks.size(); ++i) {
    const trace::Rank& rank = *profile.ranks[i];
    const std::uint32_t node = profile.node_of_rank[i];
    const auto listed = rank.properties.find("deviceProperties");
    if (listed != rank.properties.end() && seen.emplace(node, listed->second).second)
      add_properties(devices, node, listed->second);
    for (const trace::Device& one : rank.devices) {
      Known& device = devices[{node, one.id}];
      device.ranks.insert(rank.number);
      if (!one.model.empty()) device.properties.try_emplace("name", one.model);
    }
  }
  return devices;
}

Cell number_of(const Known& device, std::string_view key) {
  const auto found = device.properties.find(std::string(key));
  if (found == device.properties.end()) return {};
  const auto value = parse_number<std::int64_t>(found->second);
  return value ? Cell(*value) : Cell();
}

std::string text_of(const Known& device, std::string_view key) {
  const auto found = device.properties.find(std::string(key));
  return found == device.properties.end() ? std::string() : found->second;
}

std::string capability(const Known& device) {
  const std::string major = text_of(device, "computeMajor");
  return major.empty() ? std::string() : major + "." + text_of(device, "computeMinor");
}

}  // namespace

Table devices_table(const trace::Profile& profile) {
  Table table("devices", "Devices",
              {col::node, col::gpu, col::model, col::size("memory"), col::text("compute capability"),
               col::integer("multiprocessors"), col::text("ranks")});
  for (const auto& [key, device] : known_devices(profile))
    table.add_row({profile.nodes[key.first].label, key.second, text_of(device, "name"),
                   number_of(device, "totalGlobalMem"), capability(device), number_of(device, "numSms"),
                   device.ranks.empty() ? std::string(kNoRanks) : number_ranges(device.ranks)});
  if (table.rows() == 0) table.note = "The traces contain no devices or GPU activity; only the host was recorded";
  return table;
}

}  // namespace warpscope::analysis
