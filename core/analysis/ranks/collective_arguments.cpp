#include "core/analysis/ranks/collective_arguments.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/ranks/collective_kind.hpp"
#include "core/analysis/slices/slice_details.hpp"
#include "core/base/json_facts.hpp"
#include "core/base/parse_number.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::string_view kRecordCall = "record_param_comms";
constexpr std::string_view kAnnotation = "nccl:";
constexpr std::array<std::string_view, 12> kCollectiveRows{"args.Collective name",
                                                           "args.Process Group Name",
                                                           "args.Group size",
                                                           "args.Process Group Ranks",
                                                           "args.Seq",
                                                           "args.dtype",
                                                           "args.In msg nelems",
                                                           "args.Out msg nelems",
                                                           "args.Src Rank",
                                                           "args.Dst Rank",
                                                           "args.Input Dims",
                                                           "args.Input type"};

std::int64_t whole_number(const std::string* text) {
  return text == nullptr ? -1 : parse_number<std::int64_t>(*text).value_or(-1);
}

/// Reduces "[0, 1, ...]" to digits, commas and dots, because spacing differs between writers.
std::string plain_list(std::string_view list) {
  std::string plain;
  for (const char c : list)
    if ((c >= '0' && c <= '9') || c == ',' || c == '.') plain += c;
  return plain;
}

/// Finds the members of process groups in distributedInfo, for kernels whose arguments omit them.
class GroupMembers {
 public:
  explicit GroupMembers(const trace::Rank& rank) : world_(rank.world_size) {
    const auto info = rank.properties.find("distributedInfo");
    if (info == rank.properties.end()) return;
    auto facts = json_facts(info->second, {.most = 100'000, .longest = 1 << 20});
    if (facts) facts_ = std::move(*facts);
  }

  /// Returns the list of a group's ranks; "" if unknown. Groups that contain all ranks need no list.
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

/// Input of a rank, according to the shapes in an annotation.
struct AnnotatedShape {
  std::int64_t elements = 0;
  NameId type = 0;
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
    if (const std::string* const type = event.find("args.dtype")) arguments.type = texts_.intern(*type);
    arguments.sequence = whole_number(event.find("args.Seq"));
    arguments.in_elements = whole_number(event.find("args.In msg nelems"));
    arguments.out_elements = whole_number(event.find("args.Out msg nelems"));
    arguments.source = whole_number(event.find("args.Src Rank"));
    arguments.destination = whole_number(event.find("args.Dst Rank"));
    return arguments;
  }

  std::optional<AnnotatedShape> read_shape(const ingest::EventText& event) {
    const std::string* const dims = event.find("args.Input Dims");
    const std::string* const type = event.find("args.Input type");
    if (dims == nullptr || type == nullptr) return std::nullopt;
    std::string_view name = *type;
    name.remove_prefix(std::min(name.find_first_not_of("[\" "), name.size()));
    return AnnotatedShape{elements_of_shapes(*dims), texts_.intern(name.substr(0, name.find('"')))};
  }

 private:
  // Disjoint groups can share a name, and groups with different names can share a list. PyTorch ends lists of more than
  // 30 ranks with "...".
  NameId group_of(const std::string& name, std::int64_t size, const std::string* list) {
    const std::string key = name + '\n' + std::to_string(size) + '\n' + (list == nullptr ? "" : plain_list(*list));
    if (const auto known = groups_.find(key); known != groups_.end()) return known->second;
    std::string ranks = list == nullptr ? "" : plain_list(*list);
    if (ranks.empty() || ranks.ends_with('.'))
      if (const std::string whole = members_.of(name, size); !whole.empty()) ranks = whole;
    const NameId group = ranks.empty() ? NameId{0} : texts_.intern(name + '\n' + std::to_string(size) + '\n' + ranks);
    groups_.emplace(key, group);
    return group;
  }

  GroupMembers members_;
  StringTable& texts_;
  std::unordered_map<std::string, NameId> groups_;
};

/// Host calls around the launch of a kernel whose arguments do not describe its collective.
struct HostSide {
  std::optional<trace::SliceOrdinal> call;        ///< the innermost record_param_comms
  std::optional<trace::SliceOrdinal> annotation;  ///< the innermost "nccl:…"
};

HostSide host_side(const trace::Profile& profile, trace::SliceRef kernel) {
  HostSide side;
  for (const trace::SliceRef outer : slice_details(profile, kernel).launched_by) {
    const std::string_view name = profile.name(outer);
    if (name == kRecordCall) side.call = outer.slice;
    if (name.starts_with(kAnnotation)) side.annotation = outer.slice;
  }
  return side;
}

/// Completes the arguments of kernels of one rank from the host calls around their launches.
Failure read_host_side(const AnalysisInput& input, const ingest::EventLookup& events, KernelsOfRank& kernels_of_rank,
                       ArgumentReader& reader, StringTable& texts) {
  const trace::Profile& profile = input.profile;
  const std::uint32_t rank = kernels_of_rank.rank;
  const std::vector<trace::SliceOrdinal>& kernels = kernels_of_rank.kernels;
  ArgumentsOfCollectives& found = kernels_of_rank.found;
  std::unordered_map<trace::SliceOrdinal, std::vector<trace::SliceOrdinal>> kernels_of_call;
  std::vector<trace::SliceOrdinal> calls;
  const auto look_at = [&](std::optional<trace::SliceOrdinal> call, trace::SliceOrdinal kernel) {
    if (!call) return;
    std::vector<trace::SliceOrdinal>& launched = kernels_of_call[*call];
    if (launched.empty()) calls.push_back(*call);
    launched.push_back(kernel);
  };
  std::vector<std::pair<trace::SliceOrdinal, trace::SliceOrdinal>> annotated;  // kernel, annotation
  for (const trace::SliceOrdinal kernel : kernels) {
    const auto own = found.find(kernel);
    if (own != found.end() && own->second.group != 0) continue;
    const HostSide side = host_side(profile, {rank, kernel});
    look_at(side.call, kernel);
    look_at(side.annotation, kernel);
    if (side.annotation) annotated.emplace_back(kernel, *side.annotation);
  }
  if (calls.empty()) return {};
  std::unordered_map<trace::SliceOrdinal, AnnotatedShape> shapes;  // by annotation
  auto failure = events.read_each(
      *profile.ranks[rank], calls,
      [&](trace::SliceOrdinal call, const ingest::EventText& event) {
        if (const auto arguments = reader.read(event)) {
          for (const trace::SliceOrdinal kernel : kernels_of_call[call]) {
            const auto [own, fresh] = found.try_emplace(kernel, *arguments);
            if (!fresh && own->second.group == 0) own->second = *arguments;
          }
        } else if (const auto shape = reader.read_shape(event)) {
          shapes.emplace(call, *shape);
        }
      },
      input.cancel, kCollectiveRows);
  for (const auto& [kernel, annotation] : annotated) {
    CollectiveArguments& arguments = found[kernel];
    if (arguments.operation == 0) arguments.operation = texts.intern(profile.name({rank, annotation}));
    const auto shape = shapes.find(annotation);
    if (shape == shapes.end() || arguments.in_elements >= 0) continue;
    arguments.in_elements = shape->second.elements;
    if (arguments.type == 0) arguments.type = shape->second.type;
  }
  return failure;
}

}  // namespace

Failure read_collective_arguments(const AnalysisInput& input, std::span<KernelsOfRank> ranks, StringTable& texts) {
  const ingest::EventLookup sources;
  const ingest::EventLookup& events = input.events != nullptr ? *input.events : sources;
  std::vector<ArgumentReader> readers;
  readers.reserve(ranks.size());
  std::vector<ingest::EventLookup::RankSlices> slices;
  for (const KernelsOfRank& each : ranks) {
    const trace::Rank& rank = *input.profile.ranks[each.rank];
    readers.emplace_back(rank, texts);
    slices.push_back({rank, each.kernels});
  }
  auto failure = events.read_ranks(
      slices,
      [&](std::size_t rank, trace::SliceOrdinal kernel, const ingest::EventText& event) {
        if (const auto arguments = readers[rank].read(event)) ranks[rank].found.insert_or_assign(kernel, *arguments);
      },
      input.cancel, kCollectiveRows);
  for (std::size_t r = 0; r < ranks.size() && !failure; ++r)
    failure = read_host_side(input, events, ranks[r], readers[r], texts);
  return failure;
}

}  // namespace warpscope::analysis
