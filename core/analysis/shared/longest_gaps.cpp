#include "core/analysis/shared/longest_gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "core/base/format.hpp"

namespace warpscope::analysis {
namespace {

/// Longer gaps come first.
bool comes_before(const LongestGaps::Gap& a, const LongestGaps::Gap& b) {
  const auto place = [](const LongestGaps::Gap& gap) {
    return std::tuple(-gap.time.length(), gap.time.begin, gap.rank, gap.device, gap.stream);
  };
  return place(a) < place(b);
}

}  // namespace

void LongestGaps::add(const Gap& gap) {
  ++added_;
  if (most_ == 0 || gaps_.size() < most_) {
    gaps_.push_back(gap);
    if (gaps_.size() == most_) std::ranges::make_heap(gaps_, comes_before);
    return;
  }
  if (!comes_before(gap, gaps_.front())) return;
  std::ranges::pop_heap(gaps_, comes_before);
  gaps_.back() = gap;
  std::ranges::push_heap(gaps_, comes_before);
}

Table LongestGaps::table(std::string_view id, std::string_view title, const trace::Profile& profile, Ns zero) const {
  Table table(std::string(id), std::string(title),
              {{"rank", "", ColumnRole::rank, "rank"},
               {"device", "", ColumnRole::device, "device"},
               {"stream", "", ColumnRole::stream, "stream"},
               {"begin", "", ColumnRole::start, "ts", 1000, zero},
               {"duration", "", ColumnRole::duration, "dur", 1000, 0, 1},
               {"cause", "", ColumnRole::wait_cause, "idle_category"},
               {"host wait", "", ColumnRole::host_wait, "host_wait", 1000, 0, 1},
               {"next run", "", ColumnRole::kernel_names, "next_run"},
               {"waited for", "", ColumnKind::text, "waited_for"},
               {"on stream", "", ColumnKind::identifier, "waited_for_stream"}});
  std::vector<Gap> order = gaps_;
  std::ranges::sort(order, comes_before);
  for (const Gap& gap : order) {
    const trace::Rank& rank = *profile.ranks[gap.rank];
    const auto name = [&](trace::SliceOrdinal slice) { return profile.names().view(rank.name(slice)); };
    table.add_row({rank.number, gap.device, gap.stream, saturating_difference(gap.time.begin, profile.span.begin),
                   gap.time.length(), gap.cause, gap.host_wait ? Cell(*gap.host_wait) : Cell(), name(gap.next_run),
                   gap.awaited ? Cell(name(*gap.awaited)) : Cell(),
                   gap.awaited ? Cell(rank.tracks[rank.track_of_lane(rank.locate(*gap.awaited).lane)].id) : Cell()});
  }
  if (table.rows() < added_)
    table.note = fmt::format("The {} longest of {}.", format_count(static_cast<std::int64_t>(table.rows())),
                             format_count(static_cast<std::int64_t>(added_)));
  return table;
}

}  // namespace warpscope::analysis
