#include "core/record/launch_place.hpp"

#include "core/base/parse_number.hpp"

namespace warpscope::record {

namespace {

constexpr std::string_view kNodePrefix = "algo-";

std::optional<int> number_in(const ReadVariable& variable, const char* name) {
  const char* const text = variable(name);
  const auto number = text != nullptr ? parse_number<int>(text) : std::nullopt;
  return number && *number >= 0 ? number : std::nullopt;
}

std::optional<int> first_of(const ReadVariable& variable, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto number = number_in(variable, name)) return number;
  return std::nullopt;
}

/// Returns the node of a rank, assuming that every node has the same number of ranks and ranks are numbered node by
/// node.
std::optional<int> node_of_rank(const ReadVariable& variable, const char* rank, const char* ranks_of_node) {
  const auto number = number_in(variable, rank);
  const auto ranks = number_in(variable, ranks_of_node);
  if (!number || !ranks || *ranks == 0) return std::nullopt;
  return *number / *ranks;
}

}  // namespace

LaunchPlace launch_place(const ReadVariable& variable) {
  LaunchPlace place;
  for (const char* name : {"WARPSCOPE_NODE", "SM_CURRENT_HOST"})
    if (const char* const host = variable(name); !place.node && host != nullptr && node_name(host))
      place.node = *parse_number<int>(node_name(host)->substr(kNodePrefix.size())) - 1;
  if (!place.node) place.node = first_of(variable, {"GROUP_RANK", "SLURM_NODEID"});
  if (!place.node) place.node = node_of_rank(variable, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE");
  if (!place.node) place.node = node_of_rank(variable, "PMI_RANK", "MPI_LOCALNRANKS");
  if (!place.node) place.node = node_of_rank(variable, "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_LOCAL_SIZE");
  if (!place.node) place.node = node_of_rank(variable, "RANK", "LOCAL_WORLD_SIZE");
  place.process_of_node = first_of(variable, {"LOCAL_RANK", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                              "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID"});
  return place;
}

std::optional<std::string> node_name(std::string_view text) {
  if (text.starts_with(kNodePrefix)) text.remove_prefix(kNodePrefix.size());
  const auto number = parse_number<int>(text);
  if (!number || *number < 1) return std::nullopt;
  return std::string(kNodePrefix) + std::to_string(*number);
}

}  // namespace warpscope::record
