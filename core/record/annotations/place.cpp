#include "core/record/annotations/place.hpp"

#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace warpscope::annotations {

namespace {

long number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0' || std::strspn(text, "0123456789") != std::strlen(text)) return -1;
  return std::strlen(text) > 9 ? -1 : std::atol(text);
}

/// The number in "algo-3"; -1 for other values.
long node_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || std::strncmp(text, "algo-", 5) != 0) return -1;
  const long number = std::atol(text + 5);
  return number > 0 && std::strspn(text + 5, "0123456789") == std::strlen(text + 5) ? number : -1;
}

}  // namespace

Place place_of_process() {
  static constexpr const char* kRanks[][2]{
      {"RANK", "WORLD_SIZE"},           {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},         {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
      {"HOROVOD_RANK", "HOROVOD_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"},
  };
  Place place;
  for (const auto& [rank, ranks] : kRanks) {
    if (place.rank >= 0) break;
    place.rank = number_of(rank);
    place.ranks = number_of(ranks);
  }
  for (const char* variable : {"WARPSCOPE_NODE", "SM_CURRENT_HOST"})
    if (place.node < 0) place.node = node_in(variable);
  for (const char* variable : {"GROUP_RANK", "SLURM_NODEID"})
    if (place.node < 0 && number_of(variable) >= 0) place.node = number_of(variable) + 1;
  return place;
}

}  // namespace warpscope::annotations
