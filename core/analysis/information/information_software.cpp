// Tables of the versions, process groups and profiler options recorded in the traces.
#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/information/information.hpp"
#include "core/analysis/information/rank_values.hpp"
#include "core/base/json_facts.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis {
namespace {

struct Label {
  std::string_view key;
  std::string_view words;
};

constexpr std::array kVersions{
    Label{"cuda_runtime_version", "CUDA runtime"},
    Label{"cuda_driver_version", "CUDA driver"},
    Label{"cupti_version", "CUPTI"},
    Label{"hip_runtime_version", "HIP runtime"},
    Label{"hip_driver_version", "HIP driver"},
    Label{"roctracer_version", "roctracer"},
    Label{"rocprofiler_version", "rocprofiler"},
    Label{"nccl_version", "NCCL"},
    Label{"pytorch_version", "PyTorch"},
    Label{"torch_version", "PyTorch"},
    Label{"driver_version", "Driver"},
    Label{"schemaVersion", "Trace format"},
};

constexpr std::array kOptions{
    Label{"record_shapes", "Input shapes (record_shapes)"},
    Label{"with_stack", "Python stacks (with_stack)"},
    Label{"profile_memory", "Allocations (profile_memory)"},
    Label{"with_flops", "Floating point operations (with_flops)"},
    Label{"with_modules", "Modules (with_modules)"},
};

// Shown in separate tables.
constexpr std::array<std::string_view, 2> kElsewhere = {"deviceProperties", "distributedInfo"};
constexpr std::array<std::string_view, 4> kLogs = {"INFO", "WARNING", "ERROR", "VERBOSE"};

const Label* find(std::span<const Label> words, std::string_view key) {
  const auto found = std::find_if(words.begin(), words.end(), [&](const Label& one) { return one.key == key; });
  return found == words.end() ? nullptr : &*found;
}

bool is_version(std::string_view key) { return find(kVersions, key) != nullptr || key.ends_with("_version"); }

/// Decodes version numbers of CUDA and HIP: 12040 → "12.4", 60443483 → "6.4.43483".
std::string version_text(std::string_view key, const std::string& value) {
  const int number = parse_number<int>(value).value_or(0);
  if (number <= 0) return value;
  if (key.starts_with("cuda_") && number >= 1000)
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  if (key.starts_with("hip_") && number >= 10'000'000)
    return std::to_string(number / 10'000'000) + "." + std::to_string(number / 100'000 % 100) + "." +
           std::to_string(number % 100'000);
  return value;
}

std::string name_of(std::span<const Label> words, std::string_view key) {
  const Label* known = find(words, key);
  return std::string(known != nullptr ? known->words : key);
}

std::string compact_ranks(const std::string& listed) {
  std::set<std::int64_t> numbers;
  const char* at = listed.data();
  const char* const end = at + listed.size();
  while (at < end) {
    std::int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{}) return listed;
    numbers.insert(number);
    at = next;
    while (at < end && (*at == ',' || *at == ' ')) ++at;
  }
  return number_ranges(numbers);
}

/// A process group as recorded by one rank.
struct ProcessGroup {
  std::string name, description, backend, ranks;
  std::int64_t size = 0;

  friend auto operator<=>(const ProcessGroup&, const ProcessGroup&) = default;
};

std::vector<ProcessGroup> groups_of(const std::string& json) {
  std::map<std::size_t, ProcessGroup> groups;
  const auto facts = json_facts(json, {.most = 100'000, .longest = 1 << 20});
  if (!facts) return {};
  for (const JsonFact& fact : *facts) {
    constexpr std::string_view kBegin = "pg_config[";
    if (!fact.name.starts_with(kBegin)) continue;
    std::size_t index = 0;
    const char* const at = fact.name.data() + kBegin.size();
    std::from_chars(at, fact.name.data() + fact.name.size(), index);
    const std::string_view key = std::string_view(fact.name).substr(fact.name.rfind('.') + 1);
    ProcessGroup& group = groups[index];
    if (key == "pg_name") group.name = fact.value;
    if (key == "pg_desc") group.description = fact.value;
    if (key == "backend_config" || key == "backend") group.backend = fact.value;
    if (key == "ranks") group.ranks = compact_ranks(fact.value);
    if (key == "pg_size") std::from_chars(fact.value.data(), fact.value.data() + fact.value.size(), group.size);
  }
  std::vector<ProcessGroup> listed;
  for (auto& [index, group] : groups) listed.push_back(std::move(group));
  return listed;
}

std::string fact_of(const std::string& json, std::string_view name) {
  const auto facts = json_facts(json, {.most = 100'000});
  if (!facts) return {};
  for (const JsonFact& fact : *facts)
    if (fact.name == name) return fact.value;
  return {};
}

const std::string* property(const trace::Rank& rank, const std::string& key) {
  const auto found = rank.properties.find(key);
  return found == rank.properties.end() ? nullptr : &found->second;
}

}  // namespace

Table software_table(const trace::Profile& profile) {
  Table table("software", "Software",
              {col::text("what"), col::text("version"), col::text("as recorded"), col::text("ranks")});
  std::map<std::string, std::string> recorded;  // name and version → raw value
  RankValues values;
  for (const auto& rank : profile.ranks) {
    const auto add = [&](const std::string& key, const std::string& value) {
      const std::string name = name_of(kVersions, key);
      const std::string version = version_text(key, value);
      recorded[name + '\n' + version] = key + " = " + value;
      values.add(name, version, rank->number);
    };
    for (const Label& known : kVersions)
      if (const std::string* json = property(*rank, std::string(known.key)))
        add(std::string(known.key), plain_text(*json));
    for (const auto& [key, json] : rank->properties)
      if (is_version(key) && find(kVersions, key) == nullptr) add(key, plain_text(json));
    if (const std::string* json = property(*rank, "distributedInfo"))
      if (const std::string version = fact_of(*json, "nccl_version"); !version.empty()) add("nccl_version", version);
  }
  for (const RankValues::Row& row : values.rows())
    table.add_row({row.name, row.value, recorded[row.name + '\n' + row.value], ranks_text(profile, row.ranks)});
  if (table.rows() == 0) table.note = "The traces contain no version numbers; newer versions of PyTorch record them";
  return table;
}

Table process_groups_table(const trace::Profile& profile) {
  Table table("process-groups", "Process groups",
              {col::name, col::text("description"), col::text("backend"), col::integer("size"), col::text("members"),
               col::text("reported by ranks")});
  std::vector<std::pair<ProcessGroup, std::set<std::int64_t>>> groups;
  const auto add = [&](const ProcessGroup& group, std::int64_t rank) {
    const auto known = std::find_if(groups.begin(), groups.end(), [&](const auto& one) { return one.first == group; });
    (known == groups.end() ? groups.emplace_back(group, std::set<std::int64_t>{}) : *known).second.insert(rank);
  };
  for (const auto& rank : profile.ranks) {
    const std::string* json = property(*rank, "distributedInfo");
    if (json == nullptr) continue;
    const std::vector<ProcessGroup> listed = groups_of(*json);
    for (const ProcessGroup& group : listed) add(group, rank->number);
    // Older versions record only the whole job.
    if (listed.empty())
      add({"", "all ranks of the job", fact_of(*json, "backend"), "", rank->world_size}, rank->number);
  }
  for (const auto& [group, ranks] : groups)
    table.add_row({group.name, group.description, group.backend, group.size > 0 ? Cell(group.size) : Cell(),
                   group.ranks, ranks_text(profile, ranks)});
  if (table.rows() == 0)
    table.note = "The traces contain no process groups; the job was not distributed, or PyTorch did not record them";
  return table;
}

Table profiler_options_table(const trace::Profile& profile) {
  Table table("profiler-options", "Profiler options", {col::text("option"), col::text("setting"), col::text("ranks")});
  RankValues values;
  for (const Label& option : kOptions) {
    for (const auto& rank : profile.ranks) {
      const std::string* json = property(*rank, std::string(option.key));
      const std::string value = json == nullptr ? "" : plain_text(*json);
      const bool on = value == "1" || value == "true";
      const bool off = value == "0" || value == "false";
      values.add(option.words,
                 json == nullptr ? "not recorded, probably off"
                 : on            ? "on"
                 : off           ? "off"
                                 : value,
                 rank->number);
    }
  }
  for (const RankValues::Row& row : values.rows()) table.add_row({row.name, row.value, ranks_text(profile, row.ranks)});
  return table;
}

Table metadata_table(const trace::Profile& profile) {
  Table table("metadata", "Other metadata", {col::text("key"), col::text("value"), col::text("ranks")});
  RankValues values;
  for (const auto& rank : profile.ranks) {
    for (const auto& [key, json] : rank->properties) {
      if (is_version(key) || find(kOptions, key) != nullptr || std::ranges::count(kElsewhere, key) > 0 ||
          std::ranges::count(kLogs, key) > 0)
        continue;
      const auto facts = json_facts(json);
      if (!facts) {
        values.add(key, json, rank->number);
        continue;
      }
      for (const JsonFact& fact : *facts) {
        const bool place = fact.name.empty() || fact.name.front() == '[';
        values.add(key + (place ? fact.name : "." + fact.name), fact.value, rank->number);
      }
    }
  }
  for (const std::string_view log : kLogs)
    for (const auto& rank : profile.ranks)
      if (const std::string* json = property(*rank, std::string(log)))
        for (const std::string& line : json_texts(*json)) values.add(log, line, rank->number);
  for (const RankValues::Row& row : values.rows()) table.add_row({row.name, row.value, ranks_text(profile, row.ranks)});
  if (table.rows() == 0) table.note = "No other metadata";
  return table;
}

}  // namespace warpscope::analysis
