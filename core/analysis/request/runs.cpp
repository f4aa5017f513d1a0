#include "core/analysis/request/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "core/base/format.hpp"
#include "core/ingest/formats/format_list.hpp"

namespace warpscope::analysis {

RoleOfCategory roles_of_categories(const trace::Profile& profile) {
  RoleOfCategory roles{};
  for (std::size_t id = 0; id < roles.size(); ++id)
    roles[id] = profile.categories().role(static_cast<trace::CategoryId>(id));
  return roles;
}

std::size_t analysis_threads() { return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8); }

std::uint64_t count_impossible(const trace::Profile& profile, const Scope& scope, RoleSet wanted) {
  const RoleOfCategory roles = roles_of_categories(profile);
  std::uint64_t count = 0;
  for (const std::uint32_t r : ranks_in(profile, scope)) {
    const trace::Rank& rank = *profile.ranks[r];
    for (std::uint32_t l = 0; l < rank.lanes.size(); ++l) {
      if (rank.rows_of(l) != trace::LaneKind::damaged) continue;
      const trace::Lane& lane = rank.lanes[l];
      for (std::uint32_t i = 0; i < lane.size(); ++i)
        if ((wanted & role_set(roles[lane.category(i)])) != 0) ++count;
    }
  }
  return count;
}

std::string impossible_note(std::uint64_t count, std::string_view what) {
  if (count == 0) return {};
  return fmt::format("Excludes {} {}{} with impossible times.", format_count(static_cast<std::int64_t>(count)), what,
                     count == 1 ? "" : "s");
}

std::string joined_notes(std::initializer_list<std::string_view> notes) {
  std::string text;
  for (const std::string_view note : notes) {
    if (note.empty()) continue;
    if (!text.empty()) text += ' ';
    text += note;
  }
  return text;
}

bool of_pytorch(const trace::Profile& profile, const Scope& scope) {
  return std::ranges::any_of(ranks_in(profile, scope),
                             [&](std::uint32_t r) { return ingest::is_pytorch(ingest::format_of(*profile.ranks[r])); });
}

std::string not_recorded_note(const trace::Profile& profile, const Scope& scope, std::string_view missing,
                              std::string_view advice) {
  return of_pytorch(profile, scope) ? fmt::format("{}; {}.", missing, advice) : fmt::format("{}.", missing);
}

}  // namespace warpscope::analysis
