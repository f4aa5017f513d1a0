#include "app/ui/timeline/late_marks.hpp"

namespace warpscope::ui {

std::string_view LateMarks::of_entry(const trace::Profile& profile, const trace::TreeEntry& entry, bool open) const {
  const JobRanks* ranks = matcher_.ranks();
  if (ranks == nullptr || ranks->late.empty()) return {};
  const JobRanks::Late* worst = nullptr;
  const auto look_at = [&](std::uint32_t rank) {
    const auto found = ranks->late.find(rank);
    if (found != ranks->late.end() && (worst == nullptr || found->second.place < worst->place)) worst = &found->second;
  };
  if (entry.kind == trace::TreeKind::process) look_at(entry.rank);
  if (entry.kind == trace::TreeKind::node && !open)
    for (const std::uint32_t rank : profile.nodes[entry.node].ranks) look_at(rank);
  return worst == nullptr ? std::string_view() : worst->sentence;
}

}  // namespace warpscope::ui
