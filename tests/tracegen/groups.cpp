#include "tests/tracegen/groups.hpp"

#include <fmt/format.h>

#include <array>

namespace warpscope::tracegen {
namespace {

std::vector<int> ranks_from(int first, int count, int stride) {
  std::vector<int> ranks;
  for (int i = 0; i < count; ++i) ranks.push_back(first + i * stride);
  return ranks;
}

}  // namespace

std::string_view to_string(Group group) {
  constexpr std::array<std::string_view, kGroups> kNames{"world",    "node",     "tensor", "data",
                                                         "pipeline", "pipeline", "expert"};
  return kNames[static_cast<std::size_t>(group)];
}

bool is_group(std::string_view part) {
  for (std::size_t group = 0; group < kGroups; ++group)
    if (to_string(static_cast<Group>(group)).find(part) != std::string_view::npos) return true;
  return false;
}

int stage_of(const Options& options, int rank) { return rank / options.tensor % options.pipeline; }

int neighbor_of(const Options& options, int rank, int stages) { return rank + stages * options.tensor; }

GroupInfo group_of(const Options& options, Group group, int rank) {
  const int tensor = options.tensor;
  const int replica = tensor * options.pipeline;  // ranks of one replica
  const int tensors = options.world() / tensor;
  switch (group) {
    case Group::world:
      return {"0", "default_pg", ranks_from(0, options.world(), 1), 0};
    case Group::node: {
      const int node = rank / options.gpus;
      return {fmt::format("{}", 1 + node), "undefined", ranks_from(node * options.gpus, options.gpus, 1), node};
    }
    case Group::tensor: {
      const int index = rank / tensor;
      return {fmt::format("{}", 1 + index), "tensor", ranks_from(index * tensor, tensor, 1), index};
    }
    case Group::data: {
      const int index = rank % replica;
      return {fmt::format("{}", 1 + tensors + index), "data", ranks_from(index, options.world() / replica, replica),
              index};
    }
    case Group::forward:
    case Group::backward: {
      const int index = rank / replica * tensor + rank % tensor;
      return {fmt::format("{}", 1 + tensors + replica + index), "pipeline",
              ranks_from(rank / replica * replica + rank % tensor, options.pipeline, tensor), index};
    }
    case Group::expert: {
      const int index = rank / options.experts;
      return {fmt::format("{}", 1 + options.nodes + index), "expert",
              ranks_from(index * options.experts, options.experts, 1), index};
    }
  }
  return {};
}

std::vector<GroupInfo> groups_of(const Options& options, int rank) {
  std::vector<GroupInfo> groups{group_of(options, Group::world, rank)};
  if (!options.parallel()) {
    if (options.gpus > 1) groups.push_back(group_of(options, Group::node, rank));
    if (options.experts > 1) groups.push_back(group_of(options, Group::expert, rank));
    return groups;
  }
  if (options.tensor > 1) groups.push_back(group_of(options, Group::tensor, rank));
  if (options.world() > options.tensor * options.pipeline) groups.push_back(group_of(options, Group::data, rank));
  if (options.pipeline > 1) groups.push_back(group_of(options, Group::forward, rank));
  return groups;
}

}  // namespace warpscope::tracegen
