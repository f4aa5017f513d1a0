// tracegen OUT_DIR [options]: writes a set of generated traces.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "tests/tracegen/tracegen.hpp"

namespace {

using namespace warpscope::tracegen;

// Sets `target` from `text` by `parse`; empty text leaves it.
template <class T, class Parse>
void apply(const std::string& option, const std::string& text, T& target, Parse parse) {
  if (text.empty()) return;
  const auto value = parse(text);
  if (!value) throw CLI::ValidationError(option, "cannot understand \"" + text + "\"");
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
  std::string text = "Defects (NAME, NAME@RANK or NAME@all; without a rank the last one is struck):\n";
  for (const DefectInfo& info : all_defects()) text += fmt::format("  {:<22} {}\n", info.name, info.what);
  return text;
}

int run(int argc, char** argv) {
  CLI::App app{"Generates the traces of a training job on several nodes, as PyTorch's profiler would write them."};
  app.footer(defect_help());
  std::string folder;
  std::string preset_name = "demo";
  std::string format;
  std::string layout;
  std::string generation;
  std::string truth_file;
  std::string metrics;
  std::vector<std::string> stragglers;
  std::vector<std::string> stalls;
  std::vector<std::string> defects;
  Options given;
  app.add_option("OUT_DIR", folder, "Folder to write into")->required();
  app.add_option("--preset", preset_name, "demo, small or bench; other options change it")->capture_default_str();
  const CLI::Option* nodes =
      app.add_option("--nodes", given.nodes, "Nodes; the preset's straggler and stall are dropped then");
  const CLI::Option* gpus = app.add_option("--gpus", given.gpus, "GPUs, and so ranks, of a node; likewise");
  const CLI::Option* steps = app.add_option("--steps", given.steps, "Recorded steps");
  const CLI::Option* layers = app.add_option("--layers", given.layers, "Layers of the model");
  const CLI::Option* slices =
      app.add_option("--slices", given.slices, "About so many slices in all; decides the steps");
  const CLI::Option* seed = app.add_option("--seed", given.seed, "Equal seeds give equal bytes");
  app.add_option("--format", format, "json, gz or zst");
  app.add_option("--layout", layout, "kineto, minified, oneline or indented");
  app.add_option("--generation", generation, "new, 2023 or 1.8: whose dialect");
  app.add_option("--straggler", stragglers, "RANK[:FACTOR]: a slow rank; may be repeated");
  app.add_option("--stall", stalls, "RANK:STEP[:MS]: a rank waits for data; may be repeated");
  app.add_option("--defect", defects, "Damage, see below; may be repeated");
  app.add_option("--system-metrics", metrics,
                 "Also write what SageMaker Debugger's agents measure, every MS: 100, 200, 500, 1000, 5000 or 60000")
      ->expected(0, 1)
      ->default_str("500")
      ->type_name("MS");
  app.add_option("--truth", truth_file, "Write what is in the set to this file, as JSON");
  const CLI::Option* shapes = app.add_flag("--shapes", given.shapes, "Record shapes of arguments");
  const CLI::Option* python = app.add_flag("--python", given.python, "Record Python frames");
  const CLI::Option* folders = app.add_flag("--host-folders", given.host_folders, "A folder for each node");
  try {
    app.parse(argc, argv);
    Options options;
    apply("--preset", preset_name, options, preset);
    if (nodes->count() + gpus->count() != 0) {
      options.stragglers.clear();
      options.stalls.clear();
    }
    if (nodes->count() != 0) options.nodes = given.nodes;
    if (gpus->count() != 0) options.gpus = given.gpus;
    if (steps->count() != 0) {
      options.steps = given.steps;
      options.slices = 0;
    }
    if (layers->count() != 0) options.layers = given.layers;
    if (slices->count() != 0) options.slices = given.slices;
    if (seed->count() != 0) options.seed = given.seed;
    if (shapes->count() != 0) options.shapes = true;
    if (python->count() != 0) options.python = true;
    if (folders->count() != 0) options.host_folders = true;
    apply("--format", format, options.format, parse_format);
    apply("--layout", layout, options.layout, parse_layout);
    apply("--generation", generation, options.generation, parse_generation);
    if (app.count("--system-metrics") != 0 && metrics.empty()) metrics = "500";
    apply("--system-metrics", metrics, options.metrics_interval_ns, parse_metrics_interval);
    append("--straggler", stragglers, options.stragglers, parse_straggler);
    append("--stall", stalls, options.stalls, parse_stall);
    append("--defect", defects, options.defects, parse_defect);

    const Truth truth = generate(options, std::filesystem::path(folder));
    if (!truth_file.empty()) {
      std::ofstream out(truth_file);
      out << truth.json();
      if (!out.flush()) throw std::runtime_error(truth_file + ": cannot be written");
    }
    const RankTruth total = truth.total();
    fmt::print("{}: {} ranks on {} nodes, {} slices, {} runs, {} steps\n", folder, truth.world, truth.nodes,
               total.slices, total.runs(), total.steps);
    return 0;
  } catch (const CLI::Error& error) {
    return app.exit(error) == 0 ? 0 : 2;
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
