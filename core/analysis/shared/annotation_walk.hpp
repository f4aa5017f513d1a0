#pragma once
// Iterates over host or device annotations, and defines what counts as an annotation.
#include <string_view>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"

namespace warpscope::analysis {

/// PyTorch recorded steps as operators before annotations had their own category.
inline constexpr std::string_view kStepOperator = "ProfilerStep#";

/// Calls visit(rank index, lane index, i) for every annotation on one side, ordered by rank, lane and start. Ignores
/// the scope's range; the visitor applies it.
template <class Visit>
void for_each_annotation(const trace::Profile& profile, const Scope& scope, Side side, const CancelToken* cancel,
                         Visit visit) {
  const RoleOfCategory roles = roles_of_categories(profile);
  for (const std::uint32_t r : ranks_in(profile, scope)) {
    const trace::Rank& rank = *profile.ranks[r];
    for (const trace::Track& track : rank.tracks) {
      if (side == Side::cpu && track.kind != trace::TrackKind::thread) continue;
      for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l) {
        if (cancelled(cancel)) return;
        const trace::Lane& lane = rank.lanes[l];
        if (side == Side::gpu) {
          if (rank.rows_of(l) != trace::LaneKind::gpu_annotation) continue;
          for (std::uint32_t i = 0; i < lane.size(); ++i) visit(r, l, i);
          continue;
        }
        if (!holds_recorded(rank, l)) continue;
        for (std::uint32_t i = 0; i < lane.size(); ++i) {
          const trace::Role role = roles[lane.category(i)];
          if (role == trace::Role::annotation ||
              (role == trace::Role::op && profile.names().view(lane.name(i)).starts_with(kStepOperator)))
            visit(r, l, i);
        }
      }
    }
  }
}

}  // namespace warpscope::analysis
