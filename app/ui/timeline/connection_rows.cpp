#include "app/ui/timeline/connection_rows.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "core/analysis/slices/slice_details.hpp"
#include "core/base/word_at.hpp"

namespace warpscope::ui {

std::string_view to_string(ConnectionEnd end) {
  static constexpr std::array<std::string_view, 9> kWords{
      "launch", "run", "waits for", "graph node", "followed by", "forward", "backward", "flow start", "flow end"};
  return word_at(kWords, end);
}

std::vector<ConnectionRow> connection_rows(const trace::Profile& profile, trace::SliceRef slice) {
  const trace::Rank& rank = *profile.ranks[slice.rank];
  std::vector<ConnectionRow> rows;
  const trace::Connection* cause = rank.launches.cause_of(slice.slice);
  const trace::SliceRef launch = cause != nullptr ? trace::SliceRef{slice.rank, cause->from} : slice;
  for (const analysis::LaunchRun& pair : analysis::launch_runs(profile, launch)) {
    if (pair.launch != launch) continue;
    if (rows.empty()) rows.push_back({ConnectionEnd::launch, launch, std::nullopt});
    rows.push_back({ConnectionEnd::run, pair.run, pair.latency});
  }
  const std::vector<trace::Connection> before = rank.graph_edges.causes_of(slice.slice);
  const std::span<const trace::Connection> after = rank.graph_edges.caused_by(slice.slice);
  for (const trace::Connection& edge : before)
    rows.push_back({ConnectionEnd::predecessor, {slice.rank, edge.from}, std::nullopt});
  if (before.size() + after.size() > 0 && std::ranges::find(rows, slice, &ConnectionRow::slice) == rows.end())
    rows.push_back({ConnectionEnd::node, slice, std::nullopt});
  for (const trace::Connection& edge : after)
    rows.push_back({ConnectionEnd::successor, {slice.rank, edge.to}, std::nullopt});
  const trace::Connection* forward = rank.forward_backward.cause_of(slice.slice);
  const trace::SliceOrdinal source = forward != nullptr ? forward->from : slice.slice;
  const auto is_op = [&](trace::SliceOrdinal each) {
    return profile.dictionary->categories.role(rank.category(each)) == trace::Role::op;
  };
  bool first = true;
  for (const trace::Connection& pair : rank.forward_backward.caused_by(source)) {
    // Only PyTorch connects operators this way; in other traces, the meaning of a flow depends on the program.
    const bool passes = is_op(source) && is_op(pair.to);
    const ConnectionEnd from = passes ? ConnectionEnd::forward : ConnectionEnd::flow_start;
    if (first) rows.push_back({from, {slice.rank, source}, std::nullopt});
    first = false;
    rows.push_back({passes ? ConnectionEnd::backward : ConnectionEnd::flow_end, {slice.rank, pair.to}, std::nullopt});
  }
  return rows;
}

std::optional<trace::SliceRef> step_connection(const trace::Profile& profile, trace::SliceRef slice, int direction) {
  const std::vector<ConnectionRow> rows = connection_rows(profile, slice);
  const auto own = std::ranges::find(rows, slice, &ConnectionRow::slice);
  if (rows.size() < 2 || own == rows.end()) return std::nullopt;
  const auto count = static_cast<std::ptrdiff_t>(rows.size());
  const std::ptrdiff_t next = ((own - rows.begin()) + direction + count) % count;
  return rows[static_cast<std::size_t>(next)].slice;
}

}  // namespace warpscope::ui
