#include "tests/tracegen/tracegen.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "tests/tracegen/chrome_dialects.hpp"
#include "tests/tracegen/machine.hpp"
#include "tests/tracegen/merged_file.hpp"
#include "tests/tracegen/place.hpp"
#include "tests/tracegen/program.hpp"
#include "tests/tracegen/random.hpp"
#include "tests/tracegen/recorder.hpp"
#include "tests/tracegen/system_metrics.hpp"

namespace warpscope::tracegen {
namespace {

using Recorders = std::vector<std::unique_ptr<Recorder>>;

// From the arrival of the last rank to the end.
std::int64_t transfer_of(const Options& options, const Collective& collective, const std::vector<Machine*>& members,
                         int step) {
  std::int64_t percent = 100;
  for (const Machine* member : members)
    percent = std::max(percent, fault_percent(options.faults, FaultKind::slow_link, member->place().rank, step,
                                              to_string(collective.group)));
  return percent == 100 ? collective.transfer_ns : collective.transfer_ns * percent / 100;
}

void leave_collective(const Options& options, const std::vector<Machine*>& members, std::int64_t end) {
  for (Machine* member : members) {
    std::int64_t late = 0;
    if (options.jitter_ns > 0) {
      Random random(options.seed ^ static_cast<std::uint64_t>(end) * 0x9E3779B97F4A7C15ULL ^
                    static_cast<std::uint64_t>(member->place().rank) << 40U);
      random.next();
      late = random.below(options.jitter_ns + 1);
    }
    member->complete_collective(end + late);
  }
}

// All machines are at the same collective: ends it for each group once its last rank has arrived and the data has
// moved.
void complete_collective(const Options& options, const Program& program, std::vector<Machine>& machines, int step,
                         std::vector<CollectiveTruth>* truths) {
  const int index = machines.front().collective();
  const Collective& collective = program.collectives[static_cast<std::size_t>(index)];
  const auto size = group_of(options, collective.group, 0).ranks.size();
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
    std::vector<Machine*> members;
    for (std::size_t i = first; i < first + size; ++i) members.push_back(&machines[i]);
    truth.end_ns = truth.last_begin_ns + transfer_of(options, collective, members, step);
    leave_collective(options, members, truth.end_ns);
    if (truths != nullptr) truths->push_back(truth);
  }
}

const Program& program_of(const Options& options, const std::vector<Program>& programs, const Place& place) {
  return programs[static_cast<std::size_t>(options.parallel() ? stage_of(options, place.rank) : 0)];
}

std::vector<Program> programs_of(const Options& options) {
  if (!options.parallel()) return {training_step(options)};
  std::vector<Program> programs;
  for (int stage = 0; stage < options.pipeline; ++stage) programs.push_back(parallel_step(options, stage));
  return programs;
}

// Ranks that join the collective a machine waits at: the members of its group, or itself and the other side.
std::vector<int> members_of(const Options& options, const Machine& machine) {
  const Group group = machine.collective_info().group;
  const int rank = machine.place().rank;
  if (group != Group::forward && group != Group::backward) return group_of(options, group, rank).ranks;
  const bool sends = machine.collective_info().name == "send";
  const int peer = neighbor_of(options, rank, (group == Group::forward) == sends ? 1 : -1);
  return {std::min(rank, peer), std::max(rank, peer)};
}

// Stages run different programs: each machine goes on as soon as all members of its collective have arrived.
void run_parallel_step(const Options& options, std::vector<Machine>& machines, int step,
                       std::vector<CollectiveTruth>* truths) {
  std::map<std::tuple<Group, int, int, std::int64_t>, std::vector<Machine*>> waiting;
  std::vector<Machine*> running;
  for (auto machine = machines.rbegin(); machine != machines.rend(); ++machine) running.push_back(&*machine);
  while (!running.empty()) {
    Machine* const machine = running.back();
    running.pop_back();
    if (!machine->advance()) continue;
    const Collective& collective = machine->collective_info();
    const std::vector<int> ranks = members_of(options, *machine);
    const std::tuple key(collective.group, ranks.front(), ranks.back(), machine->sequence());
    std::vector<Machine*>& arrived = waiting[key];
    arrived.push_back(machine);
    if (arrived.size() < ranks.size()) continue;
    const std::vector<Machine*> members = std::move(arrived);
    waiting.erase(key);
    CollectiveTruth truth{
        machine->collective(), step, collective.group, ranks.front(), 0, members.front()->arrival(), 0, 0};
    for (const Machine* member : members) {
      truth.first_begin_ns = std::min(truth.first_begin_ns, member->arrival());
      if (member->arrival() <= truth.last_begin_ns) continue;
      truth.last_begin_ns = member->arrival();
      truth.last_rank = member->place().rank;
    }
    truth.end_ns = truth.last_begin_ns + transfer_of(options, collective, members, step);
    leave_collective(options, members, truth.end_ns);
    if (truths != nullptr) truths->push_back(truth);
    running.insert(running.end(), members.begin(), members.end());
  }
  if (!waiting.empty()) throw std::logic_error("a collective lacks ranks");
}

// Runs the whole job once; returns the end of recording on each rank.
std::vector<std::int64_t> run_job(const Options& options, const std::vector<Program>& programs,
                                  const std::vector<Place>& where, const Recorders& recorders,
                                  std::vector<CollectiveTruth>* truths) {
  std::vector<Machine> machines;
  machines.reserve(where.size());
  for (std::size_t i = 0; i < where.size(); ++i)
    machines.emplace_back(options, program_of(options, programs, where[i]), where[i], *recorders[i]);
  for (int step = 0; step < options.steps; ++step) {
    for (Machine& machine : machines) machine.begin_step(step);
    if (options.parallel()) {
      run_parallel_step(options, machines, step, truths);
    } else {
      for (;;) {
        bool waiting = false;
        for (Machine& machine : machines) waiting = machine.advance();
        if (!waiting) break;
        complete_collective(options, programs.front(), machines, step, truths);
      }
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
  const Program program = options.parallel() ? parallel_step(options, 0) : training_step(options);
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
  if (options.merge != Merge::none && options.writer != Writer::kineto) refuse("only PyTorch's traces can be merged");
  if (options.metrics_interval_ns < 0) refuse("the interval of system metrics must be positive");
  for (const Straggler& straggler : options.stragglers) {
    if (!known(straggler.rank)) refuse(fmt::format("straggler: no rank {}", straggler.rank));
  }
  for (const Stall& stall : options.stalls) {
    if (!known(stall.rank)) refuse(fmt::format("stall: no rank {}", stall.rank));
  }
  if (options.tensor < 1 || options.pipeline < 1 || options.microbatches < 1 ||
      options.world() % (options.tensor * options.pipeline) != 0)
    refuse("tensor times pipeline ranks must divide the number of ranks");
  for (const Fault& fault : options.faults) {
    if (!known(fault.rank)) refuse(fmt::format("fault: no rank {}", fault.rank));
  }
  for (const std::vector<Recorded>* list : {&options.late_starts, &options.missing_runs})
    for (const Recorded& recorded : *list)
      if (!known(recorded.rank)) refuse(fmt::format("no rank {}", recorded.rank));
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

std::unique_ptr<ByteSink> sink_of(const Options& options, const Place& place, const OpenFile& open_file,
                                  std::string& text) {
  if (place.defects.has(Defect::missing_rank)) return nullptr;
  if (options.merge != Merge::none) return append_to(text);
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
  const std::vector<Program> programs = programs_of(options);
  const std::vector<Place> where = places(options);
  Truth truth;
  truth.seed = options.seed;
  truth.world = options.world();
  truth.nodes = options.nodes;
  truth.faults = options.faults;
  Recorders recorders;
  std::vector<std::string> texts(where.size());  // of files to merge
  for (std::size_t i = 0; i < where.size(); ++i) {
    recorders.push_back(std::make_unique<Recorder>(options, program_of(options, programs, where[i]), where[i],
                                                   sink_of(options, where[i], open_file, texts[i])));
  }
  std::vector<std::int64_t> ends;
  for (const Section section : {Section::host, Section::device}) {
    for (const auto& recorder : recorders) recorder->begin_section(section);
    ends = run_job(options, programs, where, recorders, section == Section::host ? &truth.collectives : nullptr);
  }
  for (std::size_t i = 0; i < where.size(); ++i) {
    recorders[i]->finish(where[i].start_ns, ends[i]);
    if (!where[i].defects.has(Defect::missing_rank)) truth.ranks.push_back(recorders[i]->truth());
    write_foreign_files(where[i], open_file, truth);
  }
  if (options.merge != Merge::none) write_merged(options, where, texts, open_file);
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
