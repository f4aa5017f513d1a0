// bench_load [FILE…]: measures time and memory of a load, compared with the floor and with peers. Without files, uses
// generated traces of one rank: 1 million slices with shapes in every format and layout, and 5 million without shapes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "tests/bench/loads.hpp"
#include "tests/bench/peers.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;

// Below this size, process startup dominates and ratios are meaningless.
constexpr double kLeastText = 50e6;
// On the trace with 1 M slices Python takes 4 times as long as Perfetto, so it can substitute for it.
constexpr double kPythonToPerfetto = 4;
// CPU time relative to the experiment: 1 M slices with shapes, 5 M without, and the former as gzip.
constexpr double kSmallToExperiment = 1.25;
constexpr double kLargeToExperiment = 1.35;
constexpr double kGzToExperiment = 1.2;
// Peak memory for the plain files, in bytes.
constexpr double kSmallPeak = 52 * 1048576.0;
constexpr double kLargePeak = 205 * 1048576.0;

std::vector<TraceSpec> generated(bool all_layouts) {
  const TraceSpec one{.slices = 1'000'000, .shapes = true};
  const TraceSpec five{.slices = 5'000'000};
  std::vector<TraceSpec> specs;
  const auto add = [&specs](TraceSpec spec, const char* format, const char* layout) {
    spec.format = format;
    spec.layout = layout;
    specs.push_back(spec);
  };
  for (const TraceSpec& spec : {one, five}) {
    for (const char* format : {"json", "gz", "zst"}) add(spec, format, "kineto");
    if (spec.shapes || all_layouts)
      for (const char* layout : {"minified", "oneline", "indented"}) add(spec, "json", layout);
  }
  return specs;
}

const LoadFigures* find_plain(const std::vector<LoadFigures>& loads, const TraceSpec& like) {
  for (const LoadFigures& load : loads)
    if (load.spec && load.plain && load.spec->layout == like.layout && load.spec->slices == like.slices &&
        load.spec->shapes == like.shapes)
      return &load;
  return nullptr;
}

// Returns the maximum over all traces except small ones; NaN if any of them was not measured.
template <class Figure>
Requirement worst(const std::vector<LoadFigures>& loads, std::string what, double limit, std::string unit, Figure of) {
  const LoadFigures* most = nullptr;
  for (const LoadFigures& load : loads) {
    if (load.text_bytes < kLeastText) continue;
    if (most != nullptr && std::isnan(of(*most))) break;
    if (most == nullptr || std::isnan(of(load)) || of(load) > of(*most)) most = &load;
  }
  std::string which = "all: " + what;
  if (most != nullptr) which += fmt::format(" (most: {})", most->title);
  return {std::move(which), most != nullptr ? of(*most) : NAN, limit, std::move(unit)};
}

void add_requirements(Report& report, const std::vector<LoadFigures>& loads) {
  auto& all = report.requirements;
  const bool cores = std::thread::hardware_concurrency() >= 2;
  for (const LoadFigures& load : loads) {
    if (!load.plain || load.text_bytes < kLeastText) continue;
    all.push_back({load.title + ": CPU : floor", load.cpu_to_floor(), 3.5, "×"});
    if (cores) all.push_back({load.title + ": wall : CPU", load.wall_to_cpu(), 0.6, "×"});
    if (!load.spec || load.spec->layout != "kineto") continue;
    const double most = load.spec->slices <= 1'000'000 ? kSmallPeak : kLargePeak;
    all.push_back({load.title + ": peak", load.peak / 1048576, most / 1048576, "MiB"});
  }
  for (const LoadFigures& load : loads) {
    const LoadFigures* plain = load.spec && load.spec->format == "gz" ? find_plain(loads, *load.spec) : nullptr;
    if (plain == nullptr) continue;
    all.push_back({load.title + ": wall : wall of the plain file", load.wall / plain->wall, 1.8, "×"});
    all.push_back({load.title + ": peak above that of the plain file", 1e-6 * (load.peak - plain->peak), 16, "MB"});
  }
  all.push_back(worst(loads, "peak above 64 B a slice", 32, "MB",
                      [](const LoadFigures& load) { return 1e-6 * (load.peak - 64 * load.slices); }));
  all.push_back(worst(loads, "after the load above 28 B a slice", 20, "MB",
                      [](const LoadFigures& load) { return 1e-6 * (load.resident - 28 * load.slices); }));
  all.push_back(worst(loads, "columns, trees and connections", 28, "B/slice",
                      [](const LoadFigures& load) { return load.columns; }));
}

// Medians of a peer's runs, each right after one of ours, and of the ratios peer / ours of each pair.
struct PeerFigures {
  double wall = 0;
  double cpu = 0;
  double peak = 0;
  double wall_to_ours = 0;
  double cpu_to_ours = 0;
  double peak_to_ours = 0;
};

Result<PeerFigures> measure_pairs(const Peer& peer, const LoadFigures& load, const Options& options) {
  std::vector<double> wall, cpu, peak, wall_to_ours, cpu_to_ours, peak_to_ours;
  for (int round = 0; round < std::min(options.runs, peer.most_runs); ++round) {
    const auto ours = run_info(load.path, options.program);
    if (!ours) return ours.error();
    const auto theirs = run_peer(peer, load.path);
    if (!theirs) return theirs.error();
    wall.push_back(theirs->wall_seconds);
    cpu.push_back(theirs->cpu_seconds());
    peak.push_back(static_cast<double>(theirs->peak_bytes));
    wall_to_ours.push_back(wall.back() / ours->wall_seconds);
    cpu_to_ours.push_back(cpu.back() / ours->cpu_seconds());
    peak_to_ours.push_back(peak.back() / static_cast<double>(ours->peak_bytes));
  }
  return PeerFigures{median(wall),         median(cpu),         median(peak),
                     median(wall_to_ours), median(cpu_to_ours), median(peak_to_ours)};
}

void add_peer_requirements(Report& report, const Peer& peer, const LoadFigures& load, const PeerFigures& figures) {
  if (!load.spec || load.spec->layout != "kineto") return;
  const bool small = load.spec->slices <= 1'000'000;
  const std::string title = load.title + ": " + peer.name;
  auto& all = report.requirements;
  if (peer.kind == PeerKind::experiment) {
    if (load.plain || small)
      all.push_back({load.title + ": CPU : " + peer.name, 1 / figures.cpu_to_ours,
                     !load.plain ? kGzToExperiment
                     : small     ? kSmallToExperiment
                                 : kLargeToExperiment,
                     "×"});
    return;
  }
  if (!load.plain) return;
  if (peer.kind == PeerKind::perfetto) {
    all.push_back({title + ", wall : ours", figures.wall_to_ours, small ? 12.0 : 8.0, "×", true});
    all.push_back({title + ", CPU : ours", figures.cpu_to_ours, small ? 8.0 : 5.0, "×", true});
    all.push_back({title + ", peak : ours", figures.peak_to_ours, small ? 10.0 : 8.0, "×", true});
  } else if (small) {
    all.push_back({title + ", wall : ours", figures.wall_to_ours, 12 * kPythonToPerfetto, "×", true});
    all.push_back({title + ", CPU : ours", figures.cpu_to_ours, 8 * kPythonToPerfetto, "×", true});
  }
}

void measure_peer(Report& report, const Peer& peer, const std::vector<LoadFigures>& loads, const Options& options) {
  // For peers faster than ours, the inverse ratio is easier to read.
  const bool turned = peer.kind == PeerKind::experiment;
  const auto ratio_column = [&](const std::string& of) {
    return Column{turned ? "ours : its " + of : of + " : ours", "", ColumnKind::real};
  };
  const int pairs = std::min(options.runs, peer.most_runs);
  Table table("load-peer-" + std::string(peer.kind == PeerKind::experiment ? "experiment" : "other"),
              fmt::format("A peer: {}; medians of {} paired with a load of ours", peer.name,
                          pairs == 1 ? "one run" : fmt::format("{} runs", pairs)),
              {{"trace", "", ColumnKind::text},
               {"wall", "", ColumnKind::duration},
               {"CPU", "", ColumnKind::duration},
               {"peak", "", ColumnKind::bytes},
               ratio_column("wall"),
               ratio_column("CPU"),
               ratio_column("peak")});
  for (const LoadFigures& load : loads) {
    const bool one_of_a_kind = !load.spec || load.spec->layout == "kineto";
    if (!one_of_a_kind || !load.trouble.empty() || !can_read(peer, load.path)) continue;
    fmt::print(stderr, "bench: {}, {}\n", peer.name, load.title);
    const auto figures = measure_pairs(peer, load, options);
    if (!figures) {
      report.notes.push_back(load.title + ": " + peer.name + ": " + figures.error().what);
      continue;
    }
    const auto ratio = [&](double to_ours) { return turned ? 1 / to_ours : to_ours; };
    table.add_row({load.title, duration_cell(figures->wall), duration_cell(figures->cpu), bytes_cell(figures->peak),
                   ratio(figures->wall_to_ours), ratio(figures->cpu_to_ours), ratio(figures->peak_to_ours)});
    add_peer_requirements(report, peer, load, *figures);
  }
  report.tables.push_back(std::move(table));
}

// Shortens the middle of a long file name to keep tables narrow.
std::string short_title(const std::string& file) {
  constexpr std::size_t kEnd = 11;
  const std::string name = std::filesystem::path(file).filename().string();
  return name.size() <= 2 * kEnd + 2 ? name : name.substr(0, kEnd) + "…" + name.substr(name.size() - kEnd);
}

int run(int argc, char** argv) {
  Options options;
  std::vector<std::string> files;
  bool all_layouts = false;
  bool no_peer = false;
  CommandLine line("Measures loads: time, memory, the floor (a bare simdjson pass over the same text), and peers.",
                   options);
  line.add("FILE", files, "Traces to load instead of generated ones");
  line.add("--all-layouts", all_layouts, "The 5 million slices minified, on one line and indented, too (7 GB)");
  line.add("--no-peer", no_peer, "Leave the peers out, which take longest");
  if (const auto status = line.parse(argc, argv)) return *status;

  Report report{.name = "load", .title = "Loading: warpscope info, a fresh process each time", .runs = options.runs};
  LoadPlan plan{.subjects = {}, .floor_runs = options.runs};
  for (const std::string& file : files) plan.subjects.push_back({short_title(file), file, {}});
  if (files.empty()) add_generated(plan, generated(all_layouts), options, report);
  const std::vector<LoadFigures> loads = measure_loads(plan, options);
  for (const LoadFigures& load : loads)
    if (!load.trouble.empty()) report.notes.push_back(load.title + ": " + load.trouble);
  report.tables = {time_table(loads), floor_table(loads), memory_table(loads)};
  if (std::ranges::any_of(loads, [](const LoadFigures& load) { return load.text_bytes >= kLeastText; }))
    add_requirements(report, loads);
  if (!no_peer) {
    Peers peers = find_peers();
    for (const Peer& peer : peers.there) measure_peer(report, peer, loads, options);
    report.notes.insert(report.notes.end(), peers.missing.begin(), peers.missing.end());
  }
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&]() -> int {
    if (const auto status = run_as_floor_child(argc, argv)) return *status;
    return run(argc, argv);
  });
}
