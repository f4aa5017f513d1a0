#include "core/analysis/shared/collective_arguments.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/slices/slice_details.hpp"
#include "core/base/json_facts.hpp"
#include "core/base/parse_number.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::string_view kRecordCall = "record_param_comms";
constexpr std::array<std::string_view, 5> kCollectiveRows{"args.Collective name", "args.Process Group Name",
                                                          "args.Group size", "args.Process Group Ranks", "args.Seq"};

std::int64_t whole_number(const std::string* text) {
  return text == nullptr ? -1 : parse_number<std::int64_t>(*text).value_or(-1);
}

/// Reduces "[0, 1, ...]" to digits, commas and dots: writers differ in spaces.
std::string plain_list(std::string_view list) {
  std::string plain;
  for (const char c : list)
    if ((c >= '0' && c <= '9') || c == ',' || c == '.') plain += c;
  return plain;
}

/// Completes arguments that kernels may omit: the members of process groups, from distributedInfo.
class GroupMembers {
 public:
  explicit GroupMembers(const trace::Rank& rank) : world_(rank.world_size) {
    const auto info = rank.properties.find("distributedInfo");
    if (info == rank.properties.end()) return;
    auto facts = json_facts(info->second, {.most = 100'000, .longest = 1 << 20});
    if (facts) facts_ = std::move(*facts);
  }

  /// Returns the list of a group's ranks; "" if unknown. Groups of all ranks need no list.
  [[nodiscard]] std::string of(const std::string& name, std::int64_t size) const {
    for (const JsonFact& fact : facts_) {
      if (!fact.name.starts_with("pg_config[") || !fact.name.ends_with(".pg_name") || fact.value != name) continue;
      const std::string ranks = fact.name.substr(0, fact.name.rfind('.')) + ".ranks";
      for (const JsonFact& other : facts_)
        if (other.name == ranks && !plain_list(other.value).empty()) return plain_list(other.value);
    }
    return size > 0 && size == world_ ? "all" : "";
  }

 private:
  std::int64_t world_;
  std::vector<JsonFact> facts_;
};

class ArgumentReader {
 public:
  ArgumentReader(const trace::Rank& rank, StringTable& texts) : members_(rank), texts_(texts) {}

  std::optional<CollectiveArguments> read(const ingest::EventText& event) {
    const std::string* const operation = event.find("args.Collective name");
    const std::string* const group = event.find("args.Process Group Name");
    if (operation == nullptr && group == nullptr) return std::nullopt;
    CollectiveArguments arguments;
    if (operation != nullptr) {
      arguments.operation = texts_.intern(*operation);
      arguments.point_to_point = operation->starts_with("send") || operation->starts_with("recv");
    }
    if (group != nullptr)
      arguments.group =
          group_of(*group, whole_number(event.find("args.Group size")), event.find("args.Process Group Ranks"));
    arguments.sequence = whole_number(event.find("args.Seq"));
    return arguments;
  }

 private:
  // Groups without common ranks can share a name, and groups with different names can share a list. PyTorch ends lists
  // of more than 30 ranks with "...".
  NameId group_of(const std::string& name, std::int64_t size, const std::string* list) {
    std::string ranks = list == nullptr ? "" : plain_list(*list);
    if (ranks.empty()) ranks = members_.of(name, size);
    if (ranks.empty()) return 0;
    return texts_.intern(name + '\n' + std::to_string(size) + '\n' + ranks);
  }

  GroupMembers members_;
  StringTable& texts_;
};

/// Returns the call that describes the collective of a kernel: the innermost around its launch.
std::optional<trace::SliceOrdinal> record_call(const trace::Profile& profile, trace::SliceRef kernel) {
  const std::vector<trace::SliceRef> outer = slice_details(profile, kernel).launched_by;
  const auto call = std::find_if(outer.rbegin(), outer.rend(),
                                 [&](trace::SliceRef slice) { return profile.name(slice) == kRecordCall; });
  return call == outer.rend() ? std::nullopt : std::optional(call->slice);
}

}  // namespace

Failure read_collective_arguments(const AnalysisInput& input, std::uint32_t rank,
                                  const std::vector<trace::SliceOrdinal>& kernels, StringTable& texts,
                                  ArgumentsOfCollectives& found) {
  const trace::Profile& profile = input.profile;
  std::unordered_map<trace::SliceOrdinal, std::vector<trace::SliceOrdinal>> kernels_of_call;
  std::vector<trace::SliceOrdinal> slices = kernels;
  for (const trace::SliceOrdinal kernel : kernels) {
    const auto call = record_call(profile, {rank, kernel});
    if (!call) continue;
    std::vector<trace::SliceOrdinal>& launched = kernels_of_call[*call];
    if (launched.empty()) slices.push_back(*call);
    launched.push_back(kernel);
  }
  ArgumentReader reader(*profile.ranks[rank], texts);
  ArgumentsOfCollectives of_calls;
  const ingest::EventLookup sources;
  const ingest::EventLookup& events = input.events != nullptr ? *input.events : sources;
  auto failure = events.read_each(
      *profile.ranks[rank], slices,
      [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
        const auto arguments = reader.read(event);
        if (!arguments) return;
        const auto call = kernels_of_call.find(slice);
        if (call == kernels_of_call.end())
          found.insert_or_assign(slice, *arguments);
        else
          for (const trace::SliceOrdinal kernel : call->second) of_calls.insert_or_assign(kernel, *arguments);
      },
      input.cancel, kCollectiveRows);
  for (const auto& [kernel, arguments] : of_calls) {
    const auto [own, fresh] = found.try_emplace(kernel, arguments);
    if (!fresh && own->second.group == 0) own->second = arguments;
  }
  return failure;
}

}  // namespace warpscope::analysis
