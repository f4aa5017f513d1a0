#include "tests/tracegen/tracegen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tests/tracegen/chrome_dialects.hpp"
#include "tests/tracegen/machine.hpp"
#include "tests/tracegen/place.hpp"
#include "tests/tracegen/program.hpp"
#include "tests/tracegen/recorder.hpp"
#include "tests/tracegen/system_metrics.hpp"

namespace warpscope::tracegen {
namespace {

using Recorders = std::vector<std::unique_ptr<Recorder>>;

// All machines are at the same collective: ends it for each group once its last rank has arrived and the data has
// moved.
void complete_collective(const Options& options, const Program& program, std::vector<Machine>& machines, int step,
                         std::vector<CollectiveTruth>* truths) {
  const int index = machines.front().collective();
  const Collective& collective = program.collectives[static_cast<std::size_t>(index)];
  const auto size = static_cast<std::size_t>(collective.group == Group::world ? options.world() : options.gpus);
  for (std::size_t first = 0; first < machines.size(); first += size) {
    CollectiveTruth truth{index,
                          step,
                          collective.group,
                          machines[first].place().node,
                          0,
                          machines[first].arrival(),
                          machines[first].arrival(),
                          0};
    truth.last_rank = machines[first].place().rank;
    for (std::size_t i = first; i < first + size; ++i) {
      truth.first_begin_ns = std::min(truth.first_begin_ns, machines[i].arrival());
      if (machines[i].arrival() > truth.last_begin_ns) {
        truth.last_begin_ns = machines[i].arrival();
        truth.last_rank = machines[i].place().rank;
      }
    }
    truth.end_ns = truth.last_begin_ns + collective.transfer_ns;
    for (std::size_t i = first; i < first + size; ++i) machines[i].complete_collective(truth.end_ns);
    if (truths != nullptr) truths->push_back(truth);
  }
}

// Runs the whole job once; returns the end of recording on each rank.
std::vector<std::int64_t> run_job(const Options& options, const Program& program, const std::vector<Place>& where,
                                  const Recorders& recorders, std::vector<CollectiveTruth>* truths) {
  std::vector<Machine> machines;
  machines.reserve(where.size());
  for (std::size_t i = 0; i < where.size(); ++i) machines.emplace_back(options, program, where[i], *recorders[i]);
  for (int step = 0; step < options.steps; ++step) {
    for (Machine& machine : machines) machine.begin_step(step);
    for (;;) {
      bool waiting = false;
      for (Machine& machine : machines) waiting = machine.advance();
      if (!waiting) break;
      complete_collective(options, program, machines, step, truths);
    }
    for (Machine& machine : machines) machine.end_step();
  }
  std::vector<std::int64_t> ends;
  for (Machine& machine : machines) ends.push_back(machine.finish());
  return ends;
}

// Slices of a rank: per step (mean of an even and an odd one) and per file.
struct Size {
  std::int64_t per_step;
  std::int64_t once;
};

Size slices_of_rank(Options options) {
  const Program program = training_step(options);
  options.defects.clear();
  const std::vector<Place> where{places(options).front()};
  Options alone = options;
  alone.steps = 4;
  Recorder recorder(alone, program, where.front(), nullptr);
  for (const Section section : {Section::host, Section::device}) {
    recorder.begin_section(section);
    Machine machine(alone, program, where.front(), recorder);
    for (int step = 0; step < alone.steps; ++step) {
      machine.begin_step(step);
      while (machine.advance()) machine.complete_collective(machine.arrival() + 1'000'000);
      machine.end_step();
    }
  }
  return {recorder.truth().slices / alone.steps, 3};
}

void check(const Options& options) {
  const auto refuse = [](std::string_view what) { throw std::invalid_argument(std::string(what)); };
  if (options.nodes < 1 || options.gpus < 1) refuse("a job needs at least one node and one GPU");
  if (options.world() > 4096) refuse("more than 4096 ranks");
  if (options.steps < 1 || options.layers < 1) refuse("a job needs at least one step and one layer");
  if (options.python_depth < 1 || options.python_depth > kDeepestPython)
    refuse(fmt::format("the depth of Python stacks must be 1 to {}", kDeepestPython));
  const auto known = [&](int rank) { return rank < options.world(); };
  if (options.metrics_interval_ns < 0) refuse("the interval of system metrics must be positive");
  for (const Straggler& straggler : options.stragglers) {
    if (!known(straggler.rank)) refuse(fmt::format("straggler: no rank {}", straggler.rank));
  }
  for (const Stall& stall : options.stalls) {
    if (!known(stall.rank)) refuse(fmt::format("stall: no rank {}", stall.rank));
  }
  for (const DefectAt& defect : options.defects) {
    if (!known(defect.rank)) refuse(fmt::format("defect: no rank {}", defect.rank));
  }
}

void write_file(const OpenFile& open_file, const std::string& path, std::string_view bytes, Truth& truth) {
  const std::unique_ptr<ByteSink> sink = open_file(path);
  sink->write(bytes);
  sink->close();
  truth.foreign_files.push_back(path);
}

void write_foreign_files(const Place& place, const OpenFile& open_file, Truth& truth) {
  const std::string folder = std::filesystem::path(place.file).parent_path().string();
  const std::string prefix = folder.empty() ? folder : folder + "/";
  if (place.defects.has(Defect::empty_file)) {
    write_file(open_file, fmt::format("{}{}_{}.1.pt.trace.json", prefix, place.host, place.pid + 1), "", truth);
  }
  if (place.defects.has(Defect::foreign_file)) {
    write_file(open_file, prefix + "config.json", "{\"learning_rate\": 0.0003, \"layers\": [1, 2, 3]}\n", truth);
    write_file(open_file, prefix + "train.log", "epoch 1 loss 3.217\nepoch 2 loss 2.981\n", truth);
  }
}

std::unique_ptr<ByteSink> sink_of(const Options& options, const Place& place, const OpenFile& open_file) {
  if (place.defects.has(Defect::missing_rank)) return nullptr;
  std::unique_ptr<ByteSink> file = open_file(place.file);
  if (place.defects.has(Defect::truncated_stream)) file = without_last_third(std::move(file));
  return in_dialect(options.writer, compressed(options.format, std::move(file)));
}

}  // namespace

Options resolved(Options options) {
  if (options.slices <= 0) return options;
  constexpr int kFewestSteps = 3;
  const std::int64_t of_rank = options.slices / options.world();
  Size size = slices_of_rank(options);
  while (options.layers > 1 && of_rank < size.per_step * kFewestSteps) {
    options.layers = std::max(1, options.layers * 3 / 4);
    size = slices_of_rank(options);
  }
  const std::int64_t steps = (of_rank - size.once + size.per_step / 2) / size.per_step;
  options.steps = static_cast<int>(std::clamp<std::int64_t>(steps, 1, 1'000'000));
  options.slices = 0;
  return options;
}

Truth generate(const Options& wanted, const OpenFile& open_file) {
  check(wanted);
  const Options options = resolved(wanted);
  const Program program = training_step(options);
  const std::vector<Place> where = places(options);
  Truth truth;
  truth.seed = options.seed;
  truth.world = options.world();
  truth.nodes = options.nodes;
  Recorders recorders;
  for (const Place& place : where) {
    recorders.push_back(std::make_unique<Recorder>(options, program, place, sink_of(options, place, open_file)));
  }
  std::vector<std::int64_t> ends;
  for (const Section section : {Section::host, Section::device}) {
    for (const auto& recorder : recorders) recorder->begin_section(section);
    ends = run_job(options, program, where, recorders, section == Section::host ? &truth.collectives : nullptr);
  }
  for (std::size_t i = 0; i < where.size(); ++i) {
    recorders[i]->finish(where[i].start_ns, ends[i]);
    if (!where[i].defects.has(Defect::missing_rank)) truth.ranks.push_back(recorders[i]->truth());
    write_foreign_files(where[i], open_file, truth);
  }
  if (options.metrics_interval_ns > 0) write_system_metrics(options, where, ends, open_file, truth);
  return truth;
}

Truth generate(const Options& options, const std::filesystem::path& folder) {
  return generate(options, files_under(folder));
}

MemorySet generate_in_memory(const Options& options) {
  std::map<std::string, std::string> files;
  MemorySet set;
  set.truth = generate(options, [&](const std::filesystem::path& path) { return append_to(files[path.string()]); });
  for (auto& [path, bytes] : files) set.files.push_back({path, std::move(bytes)});
  return set;
}

}  // namespace warpscope::tracegen
