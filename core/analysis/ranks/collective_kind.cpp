#include "core/analysis/ranks/collective_kind.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis {

std::string_view to_string(CollectiveKind kind) {
  constexpr std::array<std::string_view, 13> kWords{"allreduce", "allgather", "reducescatter", "alltoall", "broadcast",
                                                    "reduce",    "gather",    "scatter",       "barrier",  "send",
                                                    "recv",      "sendrecv",  "other"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::string_view words_of(CollectiveKind kind) {
  constexpr std::array<std::string_view, 13> kWords{
      "all-reduce", "all-gather", "reduce-scatter", "all-to-all",   "broadcast",    "reduce", "gather",
      "scatter",    "barrier",    "send/receive",   "send/receive", "send/receive", ""};
  return kWords[static_cast<std::size_t>(kind)];
}

CollectiveKind collective_kind_of(std::string_view name) {
  std::string plain;
  for (const char c : lower(name.substr(0, 512)))
    if (c != '_' && c != '-' && c != ' ') plain += c;
  constexpr std::array<std::pair<std::string_view, CollectiveKind>, 13> kParts{{
      {"allreduce", CollectiveKind::all_reduce},
      {"reducescatter", CollectiveKind::reduce_scatter},
      {"allgather", CollectiveKind::all_gather},
      {"alltoall", CollectiveKind::all_to_all},
      {"all2all", CollectiveKind::all_to_all},
      {"broadcast", CollectiveKind::broadcast},
      {"barrier", CollectiveKind::barrier},
      {"sendrecv", CollectiveKind::send_receive},
      {"recv", CollectiveKind::receive},
      {"send", CollectiveKind::send},
      {"gather", CollectiveKind::gather},
      {"scatter", CollectiveKind::scatter},
      {"reduce", CollectiveKind::reduce},
  }};
  for (const auto& [part, kind] : kParts)
    if (plain.find(part) != std::string::npos) return kind;
  return CollectiveKind::other;
}

bool leaves_together(CollectiveKind kind) {
  switch (kind) {
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
      return false;
    default:
      return true;
  }
}

double bus_factor(CollectiveKind kind, std::int64_t ranks) {
  if (ranks < 2) return 0;
  const auto n = static_cast<double>(ranks);
  switch (kind) {
    case CollectiveKind::all_reduce:
      return 2 * (n - 1) / n;
    case CollectiveKind::all_gather:
    case CollectiveKind::reduce_scatter:
    case CollectiveKind::all_to_all:
    case CollectiveKind::gather:
    case CollectiveKind::scatter:
      return (n - 1) / n;
    case CollectiveKind::broadcast:
    case CollectiveKind::reduce:
    case CollectiveKind::send:
    case CollectiveKind::receive:
    case CollectiveKind::send_receive:
      return 1;
    default:
      return 0;
  }
}

std::int64_t element_bytes(std::string_view type) {
  const std::string name = lower(type);
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 14> kSizes{{{"64", 8},
                                                                              {"32", 4},
                                                                              {"16", 2},
                                                                              {"8", 1},
                                                                              {"half", 2},
                                                                              {"double", 8},
                                                                              {"float", 4},
                                                                              {"long", 8},
                                                                              {"short", 2},
                                                                              {"int", 4},
                                                                              {"byte", 1},
                                                                              {"char", 1},
                                                                              {"bool", 1},
                                                                              {"e4m3", 1}}};
  for (const auto& [part, bytes] : kSizes)
    if (name.find(part) != std::string::npos) return bytes;
  return 0;
}

std::int64_t elements_of_shapes(std::string_view shapes) {
  double sum = 0;
  double product = 1;
  bool any = false;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    if (is_digit(shapes[i])) {
      const std::size_t digits = digits_at(shapes, i);
      product *= parse_number<double>(shapes.substr(i, digits)).value_or(0);
      any = true;
      i += digits - 1;
    } else if (shapes[i] == ']') {
      if (any) sum += product;
      product = 1;
      any = false;
    }
  }
  return static_cast<std::int64_t>(std::min(sum, 0x1p62));
}

}  // namespace warpscope::analysis
