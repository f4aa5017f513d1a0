#pragma once
// Indices of this process and its node, from environment variables set by distributed job launchers (SageMaker,
// torchrun, Slurm, MPI).
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace warpscope::record {

struct LaunchPlace {
  std::optional<int> node;             ///< starts at 0
  std::optional<int> process_of_node;  ///< index of this process within its node
};

/// Returns the value of an environment variable; null if it is not set.
using ReadVariable = std::function<const char*(const char*)>;

[[nodiscard]] LaunchPlace launch_place(const ReadVariable& variable);

/// Returns "algo-3" for "algo-3" and "3"; nullopt for other strings. The metrics reader does not recognize other node
/// names.
[[nodiscard]] std::optional<std::string> node_name(std::string_view text);

}  // namespace warpscope::record
