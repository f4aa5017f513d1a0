// bench_cluster: what it costs to convert a job in shares, compared with one process, and to open the shards. Shares
// run one after the other, as on machines of their own.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/child_process.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/traces.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;

constexpr double kMostCpu = 1.15;  // of two shares, times that of one process

struct Figures {
  double cpu = 0;   ///< of all processes
  double wall = 0;  ///< of the slowest
  double peak = 0;  ///< of the largest
  double bytes = 0;
  double open_wall = 0;
  double open_peak = 0;
};

class Bench {
 public:
  Bench(const Options& options, std::string traces) : options_(options), traces_(std::move(traces)) {}

  /// Converts in this many shares, or without shares if 0.
  [[nodiscard]] Figures measure(int shares) const {
    const TemporaryFolder folder;
    const std::string out = (folder.path() / "job.wscope").string();
    Figures figures;
    for (int share = 1; share <= std::max(shares, 1); ++share) {
      std::vector<std::string> words{"convert", traces_, "--no-store", "--out", out};
      if (shares > 0) words.insert(words.end(), {"--share", fmt::format("{}/{}", share, shares)});
      const ProcessRun run = start(folder, words);
      figures.cpu += run.cpu_seconds();
      figures.wall = std::max(figures.wall, run.wall_seconds);
      figures.peak = std::max(figures.peak, static_cast<double>(run.peak_bytes));
    }
    figures.bytes = static_cast<double>(disk_bytes(out));
    const ProcessRun opened = start(folder, {"info", out});
    figures.open_wall = opened.wall_seconds;
    figures.open_peak = static_cast<double>(opened.peak_bytes);
    return figures;
  }

 private:
  [[nodiscard]] ProcessRun start(const TemporaryFolder& folder, std::vector<std::string> words) const {
    words.insert(words.begin(), options_.program);
    const auto run = run_successfully({std::move(words), fresh_user(folder), true});
    if (!run) throw std::runtime_error(run.error().message());
    return *run;
  }

  const Options& options_;
  std::string traces_;
};

Figures median_of(const std::vector<Figures>& runs) {
  const auto of = [&](double Figures::*figure) {
    std::vector<double> values;
    for (const Figures& run : runs) values.push_back(run.*figure);
    return median(std::move(values));
  };
  return {of(&Figures::cpu),   of(&Figures::wall),      of(&Figures::peak),
          of(&Figures::bytes), of(&Figures::open_wall), of(&Figures::open_peak)};
}

int run(int argc, char** argv) {
  Options options;
  options.runs = 3;
  int ranks = 1024;
  int slices = 20'000;
  CommandLine line("Measures converting a job in shares, and opening the shards", options);
  line.add("--ranks", ranks, "Ranks, one file each");
  line.add("--slices", slices, "Slices of a rank");
  if (const auto status = line.parse(argc, argv)) return *status;
  const TraceSpec spec{
      .slices = static_cast<std::uint64_t>(ranks) * static_cast<std::uint64_t>(slices), .ranks = ranks, .format = "gz"};
  const auto traces = make_trace(spec, options.generator);
  if (!traces) throw std::runtime_error(traces.error().message());
  warm(*traces);
  Report report{.name = "cluster",
                .title = fmt::format("Converting {} ranks of {} slices in shares, one after the other", ranks, slices),
                .runs = options.runs};
  Table table("shares", "By number of shares",
              {{"shares", "", ColumnKind::text},
               {"cpu", "", ColumnKind::duration},
               {"cpu : one process", "", ColumnKind::real},
               {"longest share", "", ColumnKind::duration},
               {"largest peak", "", ColumnKind::bytes},
               {"stored", "", ColumnKind::bytes},
               {"info", "", ColumnKind::duration},
               {"peak of info", "", ColumnKind::bytes}});
  const Bench bench(options, traces->string());
  const std::vector<int> divisions{0, 1, 2, 4, 16};
  std::vector<std::vector<Figures>> runs(divisions.size());
  for (int i = 0; i < options.runs; ++i)  // alternating, so that noise of the machine meets all of them
    for (std::size_t d = 0; d < divisions.size(); ++d) runs[d].push_back(bench.measure(divisions[d]));
  const Figures one = median_of(runs.front());
  for (std::size_t d = 0; d < divisions.size(); ++d) {
    const Figures each = median_of(runs[d]);
    table.add_row({divisions[d] == 0 ? std::string("one process") : std::to_string(divisions[d]),
                   duration_cell(each.cpu), each.cpu / one.cpu, duration_cell(each.wall), bytes_cell(each.peak),
                   bytes_cell(each.bytes), duration_cell(each.open_wall), bytes_cell(each.open_peak)});
    if (divisions[d] == 1 || divisions[d] == 2)
      report.requirements.push_back(
          {fmt::format("CPU time of {} shares : one process", divisions[d]), each.cpu / one.cpu, kMostCpu, "×"});
  }
  report.tables.push_back(std::move(table));
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&] { return run(argc, argv); });
}
