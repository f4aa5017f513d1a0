#include "core/analysis/slices/range_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "core/analysis/shared/intervals.hpp"
#include "core/base/format.hpp"

namespace warpscope::analysis {

namespace {

struct CategoryTotal {
  NameId name = 0;
  trace::CategoryId category = 0;
  std::uint64_t count = 0;
  Ns total = 0;
  std::vector<Interval> runs;
};

}  // namespace

std::vector<LaneRef> all_lanes(const trace::Profile& profile) {
  std::vector<LaneRef> lanes;
  for (std::uint32_t rank = 0; rank < profile.ranks.size(); ++rank)
    for (std::uint32_t lane = 0; lane < profile.ranks[rank]->lanes.size(); ++lane) lanes.push_back({rank, lane});
  return lanes;
}

Table range_summary(const trace::Profile& profile, Interval range, std::span<const LaneRef> lanes,
                    const CancelToken* cancel) {
  std::unordered_map<std::uint64_t, CategoryTotal> groups;  // by name and category
  std::uint64_t impossible = 0;
  for (const LaneRef& ref : lanes) {
    if (cancel != nullptr && cancel->cancelled()) break;
    const trace::Lane& lane = profile.ranks[ref.rank]->lanes[ref.lane];
    lane.for_each_overlapping(range.begin, range.end, [&](std::uint32_t i) {
      if (lane.kind() == trace::LaneKind::damaged) {
        ++impossible;
        return;
      }
      CategoryTotal& group = groups[static_cast<std::uint64_t>(lane.name(i)) << 8 | lane.category(i)];
      group.name = lane.name(i);
      group.category = lane.category(i);
      const Interval part{std::max(range.begin, lane.time().begin(i)), std::min(range.end, lane.time().end(i))};
      ++group.count;
      group.total += std::max<Ns>(0, part.length());
      group.runs.push_back(part);
    });
  }

  std::vector<CategoryTotal*> order;
  for (auto& [key, group] : groups) order.push_back(&group);
  std::sort(order.begin(), order.end(), [&](const CategoryTotal* a, const CategoryTotal* b) {
    if (a->total != b->total) return a->total > b->total;
    return std::pair(profile.names().view(a->name), a->category) <
           std::pair(profile.names().view(b->name), b->category);
  });

  Table table("range", "Range summary",
              {col::name, col::text("category"), col::count, col::total, col::mean, col::percent("busy share")});
  table.reserve(order.size());
  for (CategoryTotal* group : order) {
    const double mean = static_cast<double>(group->total) / static_cast<double>(group->count);
    const double share =
        static_cast<double>(total_length(joined(std::move(group->runs)))) / static_cast<double>(range.length());
    table.add_row({profile.names().view(group->name), profile.categories().name(group->category), group->count,
                   group->total, mean, share});
  }
  if (impossible > 0)
    table.note = fmt::format("{} impossible {} omitted", format_count(static_cast<std::int64_t>(impossible)),
                             impossible == 1 ? "slice" : "slices");
  return table;
}

}  // namespace warpscope::analysis
