#include "core/analysis/information/information.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "core/analysis/information/profile_summary.hpp"
#include "core/analysis/information/rank_values.hpp"
#include "core/analysis/shared/gpu_time.hpp"
#include "core/analysis/shared/python_tables.hpp"
#include "core/base/calendar.hpp"
#include "core/base/diagnostics_table.hpp"
#include "core/base/display_path.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/base/word_at.hpp"
#include "core/trace/partial_ranks.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::analysis {
namespace {

// Earlier times are relative to the start of the machine or of the recording, not to 1970.
constexpr Ns kFirstCalendarTime = Ns{946'684'800} * 1'000'000'000;  // the year 2000

std::string count_of(std::size_t count) { return format_count(static_cast<std::int64_t>(count)); }

std::string listed(const std::set<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

/// Returns the first value found in the job's documents, which are sorted by distance from the traces, nearest first.
template <class Get>
auto first_told(const trace::Profile& profile, Get get) {
  for (const trace::JobDocument& document : *profile.job)
    if (auto told = get(document); told != decltype(told){}) return told;
  return decltype(get(profile.job->front())){};
}

std::string models(const trace::Profile& profile) {
  const Table devices = devices_table(profile);
  const auto node = devices.find_role(ColumnRole::node);
  const auto gpu_id = devices.find_role(ColumnRole::gpu);
  const auto model = devices.find_role(ColumnRole::model);
  std::map<std::pair<std::string_view, std::int64_t>, std::string_view> model_of;  // by node and GPU
  for (std::size_t row = 0; node && gpu_id && model && row < devices.rows(); ++row)
    model_of.try_emplace({devices.at(row, *node).text(), devices.at(row, *gpu_id).integer()},
                         devices.at(row, *model).text());
  std::map<std::string, std::size_t> count;
  for (const trace::Gpu& gpu : gpus_in(profile, {}))
    ++count[std::string(model_of[{profile.nodes[gpu.node].label, gpu.device}])];
  std::string text;
  for (const auto& [name, number] : count) {
    const std::string what = name.empty() ? "of unknown model" : name;
    text += (text.empty() ? "" : ", ") + count_of(number) + (name.empty() ? " " : " × ") + what;
  }
  return text;
}

std::string instances(const trace::Profile& profile) {
  const auto type = first_told(profile, [](const auto& document) { return document.instance_type; });
  const auto count = first_told(profile, [](const auto& document) { return document.instance_count; });
  return type.empty() || count == 0 ? type : count_of(static_cast<std::size_t>(count)) + " × " + type;
}

std::string clock_base(const trace::Rank& rank) {
  const auto base = rank.properties.find("baseTimeNanoseconds");
  if (base != rank.properties.end()) return "1970, from baseTimeNanoseconds = " + plain_text(base->second);
  if (rank.span.begin > rank.span.end) return "";
  return rank.span.begin >= kFirstCalendarTime ? "1970, from timestamps" : "unknown";
}

std::string when(Ns time) {
  return time >= kFirstCalendarTime ? format_calendar_time(time, true) : format_duration(time);
}

bool is_damaged(const trace::Profile& profile, const std::string& python_stats) {
  return std::ranges::any_of(profile.diagnostics.all(), [&](const Diagnostic& one) {
    return one.code == "python-stats-damaged" && one.file == python_stats;
  });
}

std::string_view kind_text(trace::JobDocumentKind kind) {
  static constexpr std::array<std::string_view, 6> kWords{
      "training job", "profiler configuration", "machines", "hyper-parameters", "input channels", "report of a rule"};
  return word_at(kWords, kind);
}

/// Formats times as calendar times, since saved API responses often have seconds since 1970. Returns other values
/// unchanged.
std::string shown_fact(const JsonFact& fact) {
  if (!fact.name.ends_with("Time")) return fact.value;
  const auto time = parse_calendar_time(fact.value);
  return time ? format_calendar_time(*time) : fact.value;
}

std::set<std::int64_t> numbers_of(const trace::Profile& profile, const trace::Node& node) {
  std::set<std::int64_t> numbers;
  for (const std::uint32_t rank : node.ranks) numbers.insert(profile.ranks[rank]->number);
  return numbers;
}

}  // namespace

Table overview_table(const trace::Profile& profile) {
  Table table("overview", "Overview", {col::name, col::text("value")});
  const auto add = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) table.add_row({name, value});
  };
  const ProfileSummary summary = summarize(profile);
  const TraceFiles files = trace_files(profile);
  std::int64_t world = 0;
  std::set<std::string> hosts;
  for (const auto& rank : profile.ranks) {
    world = std::max(world, rank->world_size);
    if (!rank->host.empty()) hosts.insert(rank->host);
  }
  add("Job", first_told(profile, [](const auto& document) { return document.job_name; }));
  add("Status", first_told(profile, [](const auto& document) { return document.status; }));
  add("Instances", instances(profile));
  add("Opened", profile.path);
  add("Nodes", count_of(summary.nodes) + (hosts.empty() || hosts.size() > 4 ? "" : " (" + listed(hosts) + ")"));
  const auto ranks = static_cast<std::int64_t>(summary.ranks);
  add("Ranks", format_count(ranks) + (world > ranks ? " of " + format_count(world) : ""));
  add("GPUs", profile.gpus == 0 ? std::string("no GPU activity") : models(profile));
  if (profile.span.begin >= kFirstCalendarTime) {
    add("Recorded from", format_calendar_time(profile.span.begin, true));
    add("Recorded until", format_calendar_time(profile.span.end, true));
  }
  add("Span", format_duration(summary.span_ns));
  add("Steps", count_of(summary.steps));
  const Table software = software_table(profile);
  for (std::size_t row = 0; row < software.rows(); ++row)
    add(software.at(row, 0).text(), std::string(software.at(row, 1).text()));
  const Table groups = process_groups_table(profile);
  std::set<std::string> backends;
  for (std::size_t row = 0; row < groups.rows(); ++row)
    if (const std::string_view backend = groups.at(row, 2).text(); !backend.empty()) backends.emplace(backend);
  add("Communication", listed(backends));
  add("Files", count_of(files.files) + ", " + format_bytes(static_cast<std::int64_t>(files.bytes)));
  add("Slices", format_count(static_cast<std::int64_t>(summary.slices)));
  add("Kernels, memcpys and memsets", format_count(static_cast<std::int64_t>(summary.runs)));
  add("Memory", memory_use(profile).text());
  add("Diagnostics", count_of(profile.diagnostics.all().size()));
  return table;
}

Table job_table(const trace::Profile& profile) {
  Table table("job", "Job", {col::name, col::text("value"), col::text("file")});
  for (const trace::JobDocument& document : *profile.job)
    for (const JsonFact& fact : document.facts)
      table.add_row({fact.name, shown_fact(fact), display_path(document.path, profile.path)});
  if (table.rows() == 0)
    table.note =
        "No job description found next to the traces. Save the output of `aws sagemaker describe-training-job` as a "
        ".json file in their directory; profilerconfig.json, resourceconfig.json and hyperparameters.json are read too";
  return table;
}

Table nodes_table(const trace::Profile& profile) {
  Table table("nodes", "Nodes",
              {col::node, col::text("host"), col::text("instance type"), col::text("ranks"), col::integer("gpus"),
               col::model, col::integer("slices")});
  const auto type = first_told(profile, [](const auto& document) { return document.instance_type; });
  for (const trace::Node& node : profile.nodes) {
    std::set<std::string> names;
    std::uint64_t slices = 0;
    for (const std::uint32_t index : node.ranks) {
      const trace::Rank& rank = *profile.ranks[index];
      slices += rank.counts.slices;
      for (const trace::Device& device : rank.devices)
        if (!device.model.empty()) names.insert(device.model);
    }
    table.add_row(
        {node.label, node.host, type, number_ranges(numbers_of(profile, node)), node.gpus, listed(names), slices});
  }
  return table;
}

Table files_table(const trace::Profile& profile) {
  Table table("files", "Files",
              {col::file, col::kind, col::rank, col::size("size"), col::size("text"), col::text("changed"),
               col::integer("events"), col::integer("slices"), col::text("begins").labeled("start"), col::ns("span"),
               col::text("clock counts from"), col::text("read")});
  const trace::CoveredTime covered(profile);
  for (std::uint32_t i = 0; i < profile.ranks.size(); ++i) {
    const trace::Rank& rank = *profile.ranks[i];
    const bool any = rank.span.begin <= rank.span.end;
    const bool merged = !label_in_merged(rank.source.path).empty();
    const bool unverified = rank.diagnostics.count("clocks-unverified") > 0;
    table.add_row({display_path(rank.source.path, profile.path), merged ? "merged trace" : "trace", rank.number,
                   rank.source.size, rank.source.text_bytes > 0 ? Cell(rank.source.text_bytes) : Cell(),
                   rank.source.modified_ns > 0 ? format_calendar_time(rank.source.modified_ns) : std::string(),
                   rank.counts.events, rank.counts.slices, any ? when(rank.span.begin) : std::string(),
                   any ? Cell(measurable(rank.span).length()) : Cell(),
                   clock_base(rank) + (unverified ? ", unverified" : ""),
                   covered.find(i) == nullptr ? "complete" : "partial"});
  }
  for (const auto& metrics : profile.metrics) {
    const trace::NodeMetrics::Origin& origin = metrics->origin();
    const bool any = metrics->span().begin <= metrics->span().end;
    table.add_row({display_path(origin.source, profile.path), "system metrics of " + origin.node, Cell(), origin.bytes,
                   Cell(), "", metrics->samples(), Cell(), any ? when(metrics->span().begin) : std::string(),
                   any ? Cell(measurable(metrics->span()).length()) : Cell(), "1970, from timestamps",
                   format_count(static_cast<std::int64_t>(origin.files)) + " files"});
  }
  for (const auto& memory : profile.memory)
    table.add_row({display_path(memory->path, profile.path), "memory timeline", Cell(), memory->size, Cell(), "",
                   memory->times.size(), Cell(), memory->times.empty() ? std::string() : when(memory->times.front()),
                   memory->times.empty() ? Cell() : Cell(memory->times.back() - memory->times.front()),
                   "1970, from timestamps", "complete"});
  for (const auto& stats : profile.python)
    table.add_row(
        {display_path(stats->path, profile.path), std::string(trace::to_string(stats->profiler)) + " statistics",
         Cell(), stats->size, Cell(), "", Cell(), Cell(), stats->start.time ? when(*stats->start.time) : std::string(),
         stats->start.time && stats->end.time ? Cell(*stats->end.time - *stats->start.time) : Cell(),
         stats->start.time ? "1970, from its path" : "", is_damaged(profile, stats->path) ? "partial" : "complete"});
  for (const trace::JobDocument& document : *profile.job)
    table.add_row({display_path(document.path, profile.path), kind_text(document.kind), Cell(), document.size, Cell(),
                   document.modified_ns > 0 ? format_calendar_time(document.modified_ns) : std::string(), Cell(),
                   Cell(), "", Cell(), "", "complete"});
  return table;
}

std::vector<Table> information_tables(const trace::Profile& profile) {
  std::vector<Table> tables;
  for (const auto make : {overview_table, job_table, nodes_table, ranks_table, devices_table, software_table,
                          process_groups_table, profiler_options_table, metadata_table})
    tables.push_back(make(profile));
  if (!profile.python.empty()) tables.push_back(python_profiles_table(profile));
  tables.push_back(files_table(profile));
  tables.push_back(diagnostics_table(profile.diagnostics, profile.path));
  return tables;
}

const Analysis registered::information::kAnalysis{
    .name = "information",
    .title = "Information",
    .about = "Facts about the job and its traces.",
    .parameters = {},
    .run = [](const AnalysisInput& input) -> Result<std::vector<Table>> { return information_tables(input.profile); }};

}  // namespace warpscope::analysis
