// `warpscope info PATH [--json]`: summarizes PATH, as text or JSON.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/diagnostics_line.hpp"
#include "app/cli/exit_status.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/ui/model/state_members.hpp"
#include "core/analysis/information/profile_summary.hpp"
#include "core/base/diagnostics_table.hpp"
#include "core/base/display_path.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/process_memory.hpp"
#include "core/base/table.hpp"
#include "core/base/table_writers.hpp"
#include "core/ingest/bytes/file_source.hpp"
#include "core/trace/partial_ranks.hpp"
#include "core/trace/profile.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::cli {

namespace {

using analysis::ProfileSummary;

struct InfoOptions {
  std::string path;
  bool json = false;
  LoadFlags load;
};

std::string joined_by(const trace::Node& node) {
  if (node.ranks.empty()) return "no traces";
  return node.metrics_by_order ? "order" : "name";
}

/// Returns a row per node with system metrics: the metrics found, the sampling interval, and missing data. Start and
/// length describe the samples; the start is relative to the start of the profile.
Table metrics_table(const trace::Profile& profile) {
  Table table("metrics", "System metrics",
              {{"node", "", ColumnRole::node},
               {"files", "", ColumnKind::integer},
               {"bytes", "", ColumnKind::bytes},
               {"cores", "", ColumnKind::integer},
               {"gpus", "", ColumnKind::integer},
               {"series", "", ColumnKind::integer},
               {"samples", "", ColumnKind::integer},
               {"interval", "", ColumnKind::duration},
               {"begin", "", ColumnRole::start},
               {"length", "", ColumnKind::duration},
               {"gaps", "", ColumnKind::integer},
               {"repeated", "", ColumnKind::integer},
               {"joined by", "", ColumnKind::text},
               {"source", "", ColumnKind::text}});
  for (const trace::Node& node : profile.nodes) {
    if (node.metrics == trace::Node::kNone) continue;
    const trace::NodeMetrics& metrics = *profile.metrics[node.metrics];
    table.add_row({node.label, metrics.origin().files, metrics.origin().bytes,
                   metrics.of(trace::Metric::cpu_utilisation).size(), metrics.of(trace::Metric::gpu_utilisation).size(),
                   metrics.series().size(), metrics.samples(), metrics.interval(),
                   metrics.span().begin - profile.span.begin, metrics.span().length(), metrics.gaps().size(),
                   metrics.origin().repeated, joined_by(node), display_path(metrics.origin().source, profile.path)});
  }
  return table;
}

/// Writes a list of objects, one per line; write(item) writes the members of one object.
template <class Items, class Write>
void write_list(JsonWriter& json, std::string_view key, Items&& items, const Write& write) {
  ui::write_objects(json, key, items, write, JsonWriter::Layout::one_line);
}

void write_counts(JsonWriter& json, std::string_view key, const std::map<std::string, std::uint64_t>& counts) {
  ui::write_object(json, key, [&] {
    for (const auto& [name, count] : counts) json.member(name, count);
  });
}

void write_nodes(JsonWriter& json, const trace::Profile& profile) {
  write_list(json, "nodes", profile.nodes, [&](const trace::Node& node) {
    json.member("label", node.label);
    json.member("host", node.host);
    json.member("ranks", node.ranks.size());
    json.member("gpus", node.gpus);
    ui::write_values(json, "rank_numbers", node.ranks, [&](std::uint32_t rank) { return profile.ranks[rank]->number; });
  });
}

/// True if the file is unchanged since it was read, or is missing (a store's sources may be missing).
bool unchanged(const trace::SourceFile& source) {
  const auto now = ingest::stamp_at(source.path);
  return !now || (now->size == source.size && now->modified_ns == source.modified_ns);
}

void write_rank_files(JsonWriter& json, const trace::Profile& profile) {
  const trace::CoveredTime covered(profile);
  const auto ranks = static_cast<std::uint32_t>(profile.ranks.size());
  write_list(json, "rank_files", std::views::iota(std::uint32_t{0}, ranks), [&](std::uint32_t i) {
    const trace::Rank& rank = *profile.ranks[i];
    json.member("rank", rank.number);
    json.member("node", profile.nodes[profile.node_of_rank[i]].label);
    json.member("file", rank.source.path);
    if (const std::string_view label = label_in_merged(rank.source.path); !label.empty()) json.member("label", label);
    const trace::PartialRank* partial = covered.find(i);
    json.member("complete", partial == nullptr && unchanged(rank.source));
    if (partial != nullptr) json.member("covered_ns", saturating_difference(partial->until, profile.span.begin));
  });
}

void write_metrics(JsonWriter& json, const trace::Profile& profile) {
  const auto sampled = [](const trace::Node& node) { return node.metrics != trace::Node::kNone; };
  write_list(json, "system_metrics", profile.nodes | std::views::filter(sampled), [&](const trace::Node& node) {
    const trace::NodeMetrics& metrics = *profile.metrics[node.metrics];
    json.member("node", node.label);
    json.member("joined_by_order", node.metrics_by_order);
    json.member("source", metrics.origin().source);
    json.member("files", metrics.origin().files);
    json.member("bytes", metrics.origin().bytes);
    json.member("series", metrics.series().size());
    json.member("samples", metrics.samples());
    json.member("repeated", metrics.origin().repeated);
    json.member("interval_ns", metrics.interval());
    json.member("begin_ns", metrics.span().begin);
    json.member("end_ns", metrics.span().end);
    json.member("gaps", metrics.gaps().size());
  });
}

void write_diagnostics(JsonWriter& json, const Diagnostics& diagnostics) {
  write_list(json, "diagnostics", diagnostics.all(), [&](const Diagnostic& diagnostic) {
    json.member("code", diagnostic.code);
    json.member("severity", to_string(diagnostic.severity));
    json.member("count", diagnostic.count);
    json.member("file", diagnostic.file);
    json.key("offset");
    if (diagnostic.offset == Diagnostic::kNoOffset)
      json.value(nullptr);
    else
      json.value(diagnostic.offset);
    json.member("example", diagnostic.example);
  });
}

std::string as_json(const trace::Profile& profile, const ProfileSummary& summary, double load_seconds) {
  const ProcessMemory memory = process_memory();
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("schema", 2);
  write_nodes(json, profile);
  write_rank_files(json, profile);
  json.member("ranks", summary.ranks);
  json.member("gpus", summary.gpus);
  json.member("streams", summary.streams);
  json.member("events", summary.events);
  json.member("slices", summary.slices);
  write_counts(json, "slices_by_category", summary.slices_by_category);
  json.member("launches", summary.launches);
  json.member("runs", summary.runs);
  json.member("connections", summary.connections);
  json.member("fwdbwd", summary.forward_backward);
  json.member("steps", summary.steps);
  write_counts(json, "annotations", summary.annotations);
  json.member("counters", summary.counters);
  write_metrics(json, profile);
  json.member("span_ns", summary.span_ns);
  json.member("load_seconds", load_seconds);
  json.member("resident_bytes", memory.resident);
  json.member("peak_resident_bytes", memory.peak);
  json.member("bytes_per_slice", summary.bytes_per_slice());
  json.member("slice_bytes", summary.slice_bytes);
  json.member("resident_slice_bytes", summary.resident_slice_bytes);
  write_diagnostics(json, profile.diagnostics);
  json.end_object();
  return out;
}

std::string count(std::uint64_t value) { return format_count(static_cast<std::int64_t>(value)); }

Table summary_table(const ProfileSummary& summary, const analysis::MemoryUse& memory, double load_seconds) {
  Table table("summary", "Profile", {{"what", "", ColumnKind::text}, {"value", "", ColumnKind::text}});
  table.add_row({"nodes", count(summary.nodes)});
  table.add_row({"ranks", count(summary.ranks)});
  table.add_row({"GPUs", count(summary.gpus)});
  table.add_row({"streams", count(summary.streams)});
  table.add_row({"span", format_duration(summary.span_ns)});
  table.add_row({"steps", count(summary.steps)});
  table.add_row({"events", count(summary.events)});
  table.add_row({"slices", count(summary.slices)});
  table.add_row({"GPU activity", count(summary.runs)});
  table.add_row({"with a known launch", count(summary.connections)});
  table.add_row({"launches", count(summary.launches)});
  table.add_row({"forward–backward connections", count(summary.forward_backward)});
  table.add_row({"counters", count(summary.counters)});
  table.add_row({"loaded in", format_duration(static_cast<Ns>(load_seconds * 1e9))});
  table.add_row({"memory", memory.text()});
  return table;
}

Table counts_table(std::string id, std::string title, std::string column,
                   const std::map<std::string, std::uint64_t>& counts) {
  Table table(std::move(id), std::move(title),
              {{std::move(column), "", ColumnKind::text}, {"count", "", ColumnKind::integer}});
  for (const auto& [name, number] : counts) table.add_row({name.empty() ? "(none)" : name, number});
  sort_rows(table, 1, SortOrder::descending);
  return table;
}

std::string as_text(const trace::Profile& profile, const ProfileSummary& summary, double load_seconds) {
  std::string out;
  const auto add = [&](const Table& table) {
    if (table.rows() == 0) return;
    if (!out.empty()) out += '\n';
    // Print file names and explanations in full, because without a display there is no other way to see them.
    write_text(out, table, {.max_text_width = 0, .title = true});
  };
  add(summary_table(summary, analysis::memory_use(profile), load_seconds));
  add(analysis::ranks_table(profile));
  add(metrics_table(profile));
  add(counts_table("categories", "Slices by category", "category", summary.slices_by_category));
  add(counts_table("annotations", "Annotations by family", "family", summary.annotations));
  add(diagnostics_table(profile.diagnostics, profile.path));
  return out;
}

/// JSON, "schema": 2: nodes[{label, host, ranks, gpus, rank_numbers[]}], ranks, gpus, streams, events, slices,
/// slices_by_category{}, launches, runs, connections, fwdbwd, steps, annotations{family: count}, counters,
/// system_metrics[{node, joined_by_order, folder, files, bytes, series, samples, repeated, interval_ns, begin_ns,
/// end_ns, gaps}], span_ns, load_seconds, resident_bytes and peak_resident_bytes (of the process), bytes_per_slice and
/// slice_bytes (columns, trees and connections when all of them are in memory), resident_slice_bytes (the part in
/// memory now), diagnostics[{code, severity, count, file, offset, example}].
ExitStatus run_info(const InfoOptions& options) {
  const settings::LoadSettings saved = saved_settings();
  const auto compute = [&](std::span<Loaded> loaded) -> Result<std::string> {
    const trace::Profile& profile = *loaded.front().profile;
    const ProfileSummary summary = analysis::summarize(profile);
    if (options.json) return as_json(profile, summary, loaded.front().seconds);
    print_diagnostics(profile, "see the diagnostics table");
    return as_text(profile, summary, loaded.front().seconds);
  };
  return load_and_print({options.path}, options.load, saved, compute, false);
}

std::function<ExitStatus()> declare_info(Arguments arguments) {
  const auto options = std::make_shared<InfoOptions>();
  arguments.required("PATH", options->path, "A trace file or a directory of trace files");
  arguments.flag("--json", options->json, "Print JSON (documented in docs/formats.md, \"schema\": 2)");
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  return [options] { return run_info(*options); };
}

}  // namespace

const Command registered::info::kCommand{.name = "info",
                                         .about = "Summarize the contents of a trace file or directory",
                                         .declare = declare_info,
                                         .on_host = true};

}  // namespace warpscope::cli
