#pragma once
// Process groups of a job, which determine the ranks that a collective joins, and the names of the groups in traces.
// Without tensor or pipeline parallelism a job has the world, one group per node, and groups of consecutive ranks that
// share experts. With them, ranks count tensor first, then pipeline stage, then replica.
#include <cstdint>
#include <string>
#include <vector>

#include "tests/tracegen/options.hpp"

namespace warpscope::tracegen {

/// Participating ranks.
enum class Group : std::uint8_t {
  world,
  node,
  tensor,    ///< shards of one layer
  data,      ///< replicas of one shard
  forward,   ///< a stage and the next: activations
  backward,  ///< a stage and the next: gradients
  expert,    ///< ranks that share the experts of each layer
};
inline constexpr std::size_t kGroups = 7;

/// "world", "node", "tensor", "data", "pipeline", "expert".
[[nodiscard]] std::string_view to_string(Group group);
/// True for a part of such a name, as faults accept it.
[[nodiscard]] bool is_group(std::string_view part);

struct GroupInfo {
  std::string name;         ///< as in traces: "0"
  std::string description;  ///< "default_pg"
  std::vector<int> ranks;   ///< of the process group; a pair communicates within its pipeline
  int index = 0;            ///< among the groups of its kind
};

/// The group of a rank. Pairs are in the group of their pipeline.
[[nodiscard]] GroupInfo group_of(const Options& options, Group group, int rank);

/// Groups of a rank in the order of `pg_config`.
[[nodiscard]] std::vector<GroupInfo> groups_of(const Options& options, int rank);

/// Coordinates in a parallel job.
[[nodiscard]] int stage_of(const Options& options, int rank);
/// The rank of the same shard and replica in another stage.
[[nodiscard]] int neighbor_of(const Options& options, int rank, int stages);

}  // namespace warpscope::tracegen
