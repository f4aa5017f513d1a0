// HostStall: individual host calls that take unusually long.
//
// Also infers the likely cause from the call and from what is recorded on other threads at the time. Traces do not
// record page faults or scheduling, so most stalls have no known cause.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/base/ascii.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/facts.hpp"
#include "core/rules/kineto/fault_rule.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::host_stall {

namespace {

using analysis::FaultKind;

enum class StallSuspect : std::uint8_t {
  garbage_collection,  ///< Python's garbage collector ran at the same time
  gil,                 ///< another thread ran Python for most of the time
  driver_memory,       ///< the call allocates or frees through the driver
  module_loading,      ///< the call sets up a kernel or loads a module
  compilation,         ///< the call compiles
  unknown,
};
constexpr std::size_t kStallSuspects = 6;

constexpr double kMost = 0.5;  // of the stall

bool has_any(std::string_view name, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

constexpr std::array<std::string_view, 7> kDriverMemory{
    "Malloc", "cudaFree", "hipFree", "cudaHostAlloc", "cuMemCreate", "cuMemMap", "cuMemAddressReserve"};
constexpr std::array<std::string_view, 7> kModules{
    "FuncSetAttribute",  "FuncGetAttributes",       "ModuleLoad", "LibraryLoad", "LibraryGet",
    "ModuleGetFunction", "OccupancyMaxActiveBlocks"};
constexpr std::array<std::string_view, 4> kCompilation{"dynamo_timed", "inductor", "triton", "compile"};
struct SuspectText {
  std::string_view words;   ///< "compilation"; "" for unknown
  std::string_view advice;  ///< what to do about it
};

const SuspectText& text_of(StallSuspect suspect) {
  static constexpr std::array<SuspectText, kStallSuspects> kTexts{
      {{"Python's garbage collection",
        "Call gc.freeze() and gc.disable() after setup, and gc.collect() every N steps."},
       {"Python code in other threads holding the GIL",
        "Move other threads' Python code to separate processes: data loading (num_workers), logging, metrics."},
       {"memory allocation through the driver",
        "Set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True and keep batch shapes constant."},
       {"kernels and modules loaded on first use",
        "Load kernels at startup (CUDA_MODULE_LOADING=EAGER), or warm up every shape before training."},
       {"compilation",
        "Warm up every shape before training, and mark changing dimensions with torch._dynamo.mark_dynamic."},
       {"", ""}}};
  return kTexts[static_cast<std::size_t>(suspect)];
}

/// Finds the likely causes of the stalls of one rank. Not thread-safe.
class StallJudge {
 public:
  StallJudge(Facts& facts, std::uint32_t rank_index) : facts_(facts) {
    const trace::Profile& profile = facts.profile();
    const trace::Rank& rank = *profile.ranks[rank_index];
    const analysis::RoleOfCategory roles = analysis::roles_of_categories(profile);
    for (std::uint32_t t = 0; t < rank.tracks.size(); ++t) {
      const trace::Track& track = rank.tracks[t];
      if (track.kind == trace::TrackKind::stream) continue;
      std::vector<Interval> python;
      std::vector<Interval> native;  // native code called from Python usually releases the GIL or is short
      for (const std::uint32_t l : analysis::recorded_lanes(rank, track)) {
        for (trace::SliceOrdinal slice = rank.lane_start[l]; slice < rank.lane_start[l + 1]; ++slice) {
          const std::string_view name = profile.names().view(rank.name(slice));
          const trace::Role role = roles[rank.category(slice)];
          const Interval time{rank.begin(slice), saturating_add(rank.begin(slice), rank.duration(slice))};
          if (name.starts_with("Python GC"))
            collections_.push_back(time);
          else if (role == trace::Role::python && !name.starts_with("<built-in"))
            python.push_back(time);
          else if (role == trace::Role::python || role == trace::Role::op || role == trace::Role::launch)
            native.push_back(time);
        }
      }
      if (python.empty()) continue;
      python_.emplace_back(t, analysis::without(joined(std::move(python)), joined(std::move(native))));
    }
    collections_ = joined(std::move(collections_));
  }

  [[nodiscard]] StallSuspect suspect_of(const analysis::HostStall& stall) const {
    const std::string_view name = facts_.profile().names().view(stall.name);
    if (covers_most(collections_, stall)) return StallSuspect::garbage_collection;
    if (has_any(name, kDriverMemory)) return StallSuspect::driver_memory;
    if (has_any(name, kModules)) return StallSuspect::module_loading;
    if (has_any(lower(std::string(name)), kCompilation)) return StallSuspect::compilation;
    if (runs_python_elsewhere(stall)) return StallSuspect::gil;
    return StallSuspect::unknown;
  }

 private:
  [[nodiscard]] static bool covers_most(const std::vector<Interval>& times, const analysis::HostStall& stall) {
    return static_cast<double>(analysis::common_length(stall.time, times)) >
           kMost * static_cast<double>(stall.time.length());
  }
  [[nodiscard]] bool runs_python_elsewhere(const analysis::HostStall& stall) const {
    return std::ranges::any_of(
        python_, [&](const auto& track) { return track.first != stall.track && covers_most(track.second, stall); });
  }

  Facts& facts_;
  std::vector<Interval> collections_;                                    // runs of Python's garbage collector
  std::vector<std::pair<std::uint32_t, std::vector<Interval>>> python_;  // by track
};

constexpr std::array kParameters{share_parameter()};

/// All stalled calls with the same name.
struct StallGroup {
  std::uint64_t count = 0;
  Ns time = 0;
  Ns usual = 0;
  std::array<Ns, kStallSuspects> suspects{};  ///< time by suspect
};

StallSuspect main_suspect(const std::array<Ns, kStallSuspects>& times) {
  return static_cast<StallSuspect>(std::ranges::max_element(times) - times.begin());
}

Detail stalls_table(Facts& facts, const std::map<NameId, StallGroup>& groups) {
  Table table("stalls", "Stalled calls by name",
              {{"name", "", ColumnRole::name},
               {"calls", "", ColumnRole::count},
               {"total", "", ColumnKind::duration, ColumnRole::total},
               {"mean", "", ColumnKind::duration, ColumnRole::mean},
               {"usual", "", ColumnKind::duration, ColumnRole::median},
               {"suspect", "", ColumnKind::text}});
  for (const auto& [name, group] : groups)
    table.add_row({facts.profile().names().view(name), group.count, group.time,
                   group.time / static_cast<Ns>(group.count), group.usual,
                   text_of(main_suspect(group.suspects)).words});
  sort_rows(table, 2, SortOrder::descending);
  table.note = "Suspected causes are inferred from the call and from what other threads do at the time.";
  return {std::move(table)};
}

struct Stalls {
  std::map<NameId, StallGroup> groups;
  std::array<Ns, kStallSuspects> suspects{};
  Ns time = 0;
};

/// Returns the stalled calls of the evaluated time.
Stalls find_stalls(Facts& facts) {
  Stalls found;
  std::optional<std::uint32_t> before;
  for (std::size_t g = 0; g < facts.gpus().size() && !facts.cancelled(); ++g) {
    const GpuWindow& gpu = facts.gpus()[g];
    if (before == gpu.rank) continue;
    before = gpu.rank;
    const std::vector<analysis::HostStall>& stalls = facts.stalls(gpu.rank);
    if (stalls.empty()) continue;
    const StallJudge judge(facts, gpu.rank);
    for (const analysis::HostStall& stall : stalls) {
      if (common({stall.time}, {gpu.host}).empty()) continue;
      StallGroup& group = found.groups[stall.name];
      ++group.count;
      group.time = saturating_add(group.time, stall.self);
      group.usual = std::max(group.usual, stall.usual);
      found.time = saturating_add(found.time, stall.self);
      const auto suspect = static_cast<std::size_t>(judge.suspect_of(stall));
      group.suspects[suspect] = saturating_add(group.suspects[suspect], stall.self);
      found.suspects[suspect] = saturating_add(found.suspects[suspect], stall.self);
    }
  }
  return found;
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  Outcome outcome = outcome_of_faults(
      input, {.kinds = {FaultKind::pauses, FaultKind::callbacks, FaultKind::collection, FaultKind::checkpoint},
              .advice = [](Facts&, const analysis::Fault& fault) -> std::string {
                if (fault.kind == FaultKind::collection)
                  return std::string(text_of(StallSuspect::garbage_collection).advice);
                if (fault.kind == FaultKind::checkpoint)
                  return "Save checkpoints asynchronously (torch.distributed.checkpoint.async_save) "
                         "or less often.";
                if (fault.kind == FaultKind::callbacks)
                  return "Keep host functions out of captured graphs, or make them shorter: their "
                         "stream waits until they return.";
                return "";
              },
              .none = "Calls that take longer than usual cost little or nothing."});
  if (outcome.verdict == Verdict::not_evaluable || outcome.verdict == Verdict::insufficient_data) return outcome;
  const Stalls stalls = find_stalls(facts);
  if (stalls.groups.empty()) return outcome;
  const StallSuspect most = main_suspect(stalls.suspects);
  for (Finding& finding : outcome.findings) {
    if (finding.cause != analysis::to_string(FaultKind::pauses)) continue;
    const auto longest = std::ranges::max_element(stalls.groups, {}, [](const auto& each) { return each.second.time; });
    finding.evidence_lines.push_back(
        fmt::format("{} to {}: {} on average instead of {}.", counted(longest->second.count, "call", "calls"),
                    facts.profile().names().view(longest->first),
                    format_duration(longest->second.time / static_cast<Ns>(longest->second.count)),
                    format_duration(longest->second.usual)));
    const double share = static_cast<double>(stalls.suspects[static_cast<std::size_t>(most)]) /
                         static_cast<double>(std::max<Ns>(1, stalls.time));
    finding.evidence_lines.push_back(
        most == StallSuspect::unknown
            ? "The recording does not show why: nothing recorded at that time explains it."
            : fmt::format("Likely cause: {} ({} of this time).", text_of(most).words, format_share(share)));
    finding.advice = text_of(most).advice;
    std::map<NameId, Ns> times;
    for (const auto& [name, each] : stalls.groups) times[name] = each.time;
    finding.evidence = bars_by_name(facts, "Time in stalled calls, by name", times);
  }
  outcome.details.push_back(stalls_table(facts, stalls.groups));
  return outcome;
}

}  // namespace

extern const Rule kRule{"HostStall",
                        "Host pauses",
                        "Time that a replay gains if host work before each launch takes no longer than usual at that "
                        "place in a step, without garbage collections, checkpoints and host functions in CUDA graphs.",
                        kParameters,
                        evaluate,
                        "Record host load and Python's garbage collection (record_python_gc_info=True) to find the "
                        "cause. Common ones are garbage collection (gc.freeze()), too few CPU cores (OMP_NUM_THREADS, "
                        "data loader workers, CPU binding), page faults in host memory, and other threads that hold "
                        "the GIL."};

}  // namespace warpscope::rules::registered::host_stall
