#include "core/analysis/information/profile_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/analysis/shared/graph_nodes.hpp"
#include "core/base/display_path.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/trace/clock_check.hpp"
#include "core/trace/partial_ranks.hpp"
#include "core/trace/recordings.hpp"

namespace warpscope::analysis {

namespace {

std::size_t count_streams(const trace::Rank& rank) {
  return static_cast<std::size_t>(std::ranges::count_if(rank.tracks, &trace::Track::runs));
}

}  // namespace

double ProfileSummary::bytes_per_slice() const {
  return slices == 0 ? 0.0 : static_cast<double>(slice_bytes) / static_cast<double>(slices);
}

std::string MemoryUse::text() const {
  const std::string words = format_bytes(static_cast<std::int64_t>(now));
  // Spare capacity and lazily built structures vary in size; show the total only if ranks are still on disk.
  return now >= whole / 10 * 9 ? words : words + " of " + format_bytes(static_cast<std::int64_t>(whole)) + " loaded";
}

MemoryUse memory_use(const trace::Profile& profile) {
  MemoryUse use{profile.resident_bytes(), profile.resident_bytes()};
  for (const auto& rank : profile.ranks)
    use.whole += rank->whole_bytes() - std::min(rank->whole_bytes(), rank->resident_bytes());
  return use;
}

TraceFiles trace_files(const trace::Profile& profile) {
  TraceFiles all;
  std::set<std::string_view> merged;
  for (const auto& rank : profile.ranks) {
    const std::string_view file = file_of(rank->source.path);
    if (file != rank->source.path && !merged.insert(file).second) continue;
    ++all.files;
    all.bytes += rank->source.size;
  }
  return all;
}

ProfileSummary summarize(const trace::Profile& profile) {
  ProfileSummary summary;
  summary.nodes = profile.nodes.size();
  summary.ranks = trace::count_ranks(profile.ranks);
  summary.gpus = profile.gpus;
  for (const auto& rank : profile.ranks) {
    summary.streams += count_streams(*rank);
    summary.events += rank->counts.events;
    summary.slices += rank->counts.slices;
    summary.runs += rank->counts.runs;
    summary.launches += rank->counts.launches;
    summary.connections += linked_activity(profile, *rank);
    summary.forward_backward += rank->forward_backward.size();
    summary.counters += rank->counters.size();
    summary.slice_bytes += rank->whole_bytes();
    summary.resident_slice_bytes += rank->resident_bytes();
    for (const auto& [category, count] : rank->counts.by_category)
      summary.slices_by_category[std::string(profile.categories().name(category))] += count;
    for (const auto& [family, count] : rank->annotations) summary.annotations[family] += count;
  }
  summary.steps = profile.steps.size();
  summary.span_ns = profile.span.length();
  return summary;
}

Table ranks_table(const trace::Profile& profile) {
  Table table(
      "ranks", "Ranks",
      {col::node, col::text("host"), col::rank, col::text("gpu"), col::integer("streams"), col::integer("slices"),
       col::integer("runs").labeled("GPU activity"), col::integer("linked").labeled("launches"), col::file});
  table.note = joined_notes({trace::clock_note(profile), trace::partial_note(profile)});
  for (std::size_t i = 0; i < profile.ranks.size(); ++i) {
    const trace::Rank& rank = *profile.ranks[i];
    const trace::Node& node = profile.nodes[profile.node_of_rank[i]];
    std::string devices;
    for (const trace::Device& device : rank.devices)
      devices += (devices.empty() ? "" : ", ") + std::to_string(device.id);
    table.add_row({node.label, node.host, rank.number, devices, count_streams(rank), rank.counts.slices,
                   rank.counts.runs, linked_activity(profile, rank), display_path(rank.source.path, profile.path)});
  }
  return table;
}

}  // namespace warpscope::analysis
