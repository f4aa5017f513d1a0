// tracegen OUT_DIR [options]: writes a set of generated traces.
#include <fmt/format.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "app/cli/arguments.hpp"
#include "tests/tracegen/framework_timelines.hpp"
#include "tests/tracegen/place.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace {

using namespace warpscope::tracegen;
using warpscope::cli::Arguments;
using warpscope::cli::CommandLine;

// Sets `target` to the parsed `text`; empty text leaves it unchanged.
template <class T, class Parse>
void apply(const std::string& option, const std::string& text, T& target, Parse parse) {
  if (text.empty()) return;
  const auto value = parse(text);
  if (!value) throw std::invalid_argument(option + ": invalid value \"" + text + "\"");
  target = *value;
}

template <class T, class Parse>
void append(const std::string& option, const std::vector<std::string>& texts, std::vector<T>& target, Parse parse) {
  if (!texts.empty()) target.clear();
  for (const std::string& text : texts) {
    T value;
    apply(option, text, value, parse);
    target.push_back(value);
  }
}

std::string defect_help() {
  std::string text = "Faults (KIND@RANK=VALUE[,step=S][,name=N]; S counts from 0, without it all steps):\n";
  for (const FaultInfo& info : all_faults()) text += fmt::format("  {:<22} {}\n", info.name, info.what);
  text += "\nDefects (NAME, NAME@RANK or NAME@all; without a rank, the last one is affected):\n";
  for (const DefectInfo& info : all_defects()) text += fmt::format("  {:<22} {}\n", info.name, info.what);
  return text;
}

int run(int argc, char** argv) {
  CommandLine line("Generates the traces of a training job on several nodes, as PyTorch's profiler would write them.",
                   "tracegen");
  line.footer(defect_help());
  std::string folder;
  std::string preset_name = "demo";
  std::string format;
  std::string layout;
  std::string generation;
  std::string writer;
  std::string merge;
  std::string truth_file;
  std::string metrics;
  std::vector<std::string> stragglers;
  std::vector<std::string> stalls;
  std::vector<std::string> defects;
  std::vector<std::string> faults;
  std::vector<std::string> clocks;
  std::vector<std::string> late_starts;
  std::vector<std::string> missing_runs;
  const Options defaults;
  std::int64_t tensor = defaults.tensor;
  std::int64_t pipeline = defaults.pipeline;
  bool sharded = false;
  std::int64_t experts = defaults.experts;
  std::int64_t microbatches = defaults.microbatches;
  std::int64_t jitter = 0;
  bool no_sequence = false;
  std::int64_t nodes = defaults.nodes;
  std::int64_t gpus = defaults.gpus;
  std::int64_t steps = defaults.steps;
  std::int64_t layers = defaults.layers;
  auto slices = static_cast<std::int64_t>(defaults.slices);
  auto seed = static_cast<std::int64_t>(defaults.seed);
  bool shapes = false;
  bool python = false;
  std::int64_t python_depth = defaults.python_depth;
  bool host_folders = false;
  bool timelines = false;
  Arguments arguments = line.options();
  arguments.required("OUT_DIR", folder, "Folder to write into");
  arguments.text("--preset", preset_name, "demo, small or bench; other options change it");
  arguments.number("--nodes", nodes, "Nodes; drops the preset's straggler and stall");
  arguments.number("--gpus", gpus, "GPUs, and so ranks, per node; likewise");
  arguments.number("--steps", steps, "Recorded steps");
  arguments.number("--layers", layers, "Layers of the model");
  arguments.number("--slices", slices, "Approximate number of slices; decides the number of steps");
  arguments.number("--seed", seed, "Equal seeds give equal bytes");
  arguments.text("--format", format, "json, gz or zst");
  arguments.text("--layout", layout, "kineto, minified, oneline or indented");
  arguments.text("--generation", generation, "Dialect of PyTorch: new, 2023 or 1.8");
  arguments.text("--writer", writer, "pytorch, cuspy, jax or generic: the program that wrote the files");
  arguments.text("--merged", merge,
                 "sglang, tracelens, veomni, pid or unlabeled: one file with all ranks, as such a tool merges them");
  arguments.list("--straggler", stragglers, "RANK[:FACTOR]: a slow rank; repeatable");
  arguments.list("--stall", stalls, "RANK:STEP[:MS]: a rank waits for data; repeatable");
  arguments.number("--tensor", tensor, "Ranks that share each layer (tensor parallelism)");
  arguments.number("--pipeline", pipeline, "Pipeline stages; the remaining ranks are replicas");
  arguments.flag("--sharded", sharded, "Shard parameters over all ranks (FSDP)");
  arguments.number("--experts", experts, "Ranks that share the experts of each layer (expert parallelism)");
  arguments.number("--microbatches", microbatches, "Micro-batches of a step, with --tensor or --pipeline");
  arguments.list("--fault", faults, "Fault of a rank, see below; repeatable");
  arguments.number("--jitter", jitter, "Ranks leave a collective up to so many µs late");
  arguments.list("--clock", clocks, "NODE:US[:PPM]: how far a node's clock is ahead and what it gains; repeatable");
  arguments.list("--late-start", late_starts, "RANK:MS: the rank's recording starts later; repeatable");
  arguments.list("--missing-runs", missing_runs, "RANK:PERCENT: GPU activity missing in the rank's file; repeatable");
  arguments.flag("--no-sequence", no_sequence, "Leave out the sequence numbers of collectives");
  arguments.list("--defect", defects, "Defect, see below; repeatable");
  arguments.text("--system-metrics", metrics,
                 "Also write what SageMaker Debugger's agents measure, every MS: 100, 200, 500, 1000, 5000 or 60000");
  arguments.text("--truth", truth_file, "Write the contents of the set to this file, as JSON");
  arguments.flag("--shapes", shapes, "Record shapes of arguments");
  arguments.flag("--python", python, "Record Python frames");
  arguments.number("--python-depth", python_depth,
                   "Depth of the deepest Python stacks; adds wrappers around each frame");
  arguments.flag("--framework-timelines", timelines, "Also write the timelines of SageMaker Debugger's hooks");
  arguments.flag("--host-folders", host_folders, "One folder per node");
  if (const auto ended = line.parse(argc, argv)) {
    fmt::print(ended->problem.empty() ? stdout : stderr, "{}{}\n", ended->output, ended->problem);
    return ended->problem.empty() ? 0 : 2;
  }
  const auto given = [&](const char* option) { return !arguments.values(option).empty(); };
  try {
    Options options;
    apply("--preset", preset_name, options, preset);
    if (given("--nodes") || given("--gpus")) {
      options.stragglers.clear();
      options.stalls.clear();
    }
    if (given("--nodes")) options.nodes = static_cast<int>(nodes);
    if (given("--gpus")) options.gpus = static_cast<int>(gpus);
    if (given("--steps")) {
      options.steps = static_cast<int>(steps);
      options.slices = 0;
    }
    if (given("--layers")) options.layers = static_cast<int>(layers);
    if (given("--slices")) options.slices = static_cast<std::uint64_t>(slices);
    if (given("--seed")) options.seed = static_cast<std::uint64_t>(seed);
    options.shapes |= shapes;
    options.python |= python || given("--python-depth");
    if (given("--python-depth")) options.python_depth = static_cast<int>(python_depth);
    options.host_folders |= host_folders;
    apply("--format", format, options.format, parse_format);
    apply("--layout", layout, options.layout, parse_layout);
    apply("--generation", generation, options.generation, parse_generation);
    apply("--writer", writer, options.writer, parse_writer);
    apply("--merged", merge, options.merge, parse_merge);
    apply("--system-metrics", metrics, options.metrics_interval_ns, parse_metrics_interval);
    append("--straggler", stragglers, options.stragglers, parse_straggler);
    append("--stall", stalls, options.stalls, parse_stall);
    append("--defect", defects, options.defects, parse_defect);
    append("--fault", faults, options.faults, parse_fault);
    append("--clock", clocks, options.clocks, parse_clock);
    append("--late-start", late_starts, options.late_starts, parse_late_start);
    append("--missing-runs", missing_runs, options.missing_runs, parse_missing_runs);
    options.tensor = static_cast<int>(tensor);
    options.pipeline = static_cast<int>(pipeline);
    options.sharded = sharded;
    options.experts = static_cast<int>(experts);
    if (options.parallel() && (sharded || experts > 1))
      throw std::invalid_argument("--sharded and --experts go with neither --tensor nor --pipeline");
    if (experts < 1 || options.world() % options.experts != 0)
      throw std::invalid_argument("--experts: does not divide the number of ranks");
    for (const Fault& fault : options.faults)
      if (fault.kind == FaultKind::slow_link && !is_group(fault.name))
        throw std::invalid_argument("--fault: no group \"" + fault.name + "\"");
    options.microbatches = static_cast<int>(microbatches);
    options.jitter_ns = jitter * 1000;
    options.sequence_numbers = !no_sequence;

    const Truth truth = generate(options, std::filesystem::path(folder));
    if (timelines) {
      TimelineOptions hooks{.nodes = options.nodes, .processes = options.gpus, .steps = options.steps};
      hooks.start_us = places(options).front().start_ns / 1000;
      write_framework_timelines(hooks, files_under(folder));
    }
    if (!truth_file.empty()) {
      std::ofstream out(truth_file);
      out << truth.json();
      if (!out.flush()) throw std::runtime_error(truth_file + ": cannot be written");
    }
    const RankTruth total = truth.total();
    fmt::print("{}: {} ranks on {} nodes, {} slices, {} GPU activities, {} steps\n", folder, truth.world, truth.nodes,
               total.slices, total.runs(), total.steps);
    return 0;
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "tracegen: {}\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    fmt::print(stderr, "tracegen: {}\n", error.what());
    return 1;
  }
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv); }
