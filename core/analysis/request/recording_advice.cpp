#include "core/analysis/request/recording_advice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/ingest/formats/format_list.hpp"

namespace warpscope::analysis {

bool of_pytorch(const trace::Profile& profile, const Scope& scope) {
  return std::ranges::any_of(ranks_in(profile, scope),
                             [&](std::uint32_t r) { return ingest::is_pytorch(ingest::format_of(*profile.ranks[r])); });
}

std::string not_recorded_note(const trace::Profile& profile, const Scope& scope, std::string_view missing,
                              std::string_view advice) {
  return of_pytorch(profile, scope) ? fmt::format("{}; {}.", missing, advice) : fmt::format("{}.", missing);
}

}  // namespace warpscope::analysis
