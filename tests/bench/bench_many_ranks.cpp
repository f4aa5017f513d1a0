// bench_many_ranks: checks what a rank costs when there are thousands: opening a store of 4096 small ranks, a frame of
// its Timeline, and rows that need event arguments from the store.
#include <fmt/format.h>
#include <time.h>

#include <cmath>
#include <memory>
#include <stdexcept>

#include "core/analysis/request/registry.hpp"
#include "core/base/process_memory.hpp"
#include "core/ingest/load/loader.hpp"
#include "core/store/reader.hpp"
#include "render/scene/timeline_scene.hpp"
#include "tests/bench/child_process.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/report.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;

constexpr double kMostOpenMs = 0.1;
constexpr double kMostOpenBytes = 20'000;
constexpr double kMostFrameMs = 16;
constexpr double kMostRowUs = 2;

double process_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// CPU time of drawing a full window in ms, as the view moves.
double frame_ms(const std::shared_ptr<const trace::Profile>& profile, bool nodes_open, int runs) {
  scene::TrackState tracks;
  for (std::uint32_t i = 0; i < profile->tree.entries.size() && nodes_open; ++i)
    if (profile->tree.entries[i].kind == trace::TreeKind::node) tracks.set_open(profile->tree, i, true);
  scene::TimelineInput input;
  input.profile = profile;
  input.layout = std::make_shared<scene::Layout>(*profile, tracks);
  input.height = 1000;
  input.view = scene::TimeView(profile->span, 1600);
  scene::TimelineScene timeline;
  std::vector<double> times;
  for (int run = 0; run <= runs; ++run) {
    input.scroll = 14 * run;
    const double started = process_seconds();
    static_cast<void>(timeline.update(input));
    if (run > 0) times.push_back(1e3 * (process_seconds() - started));  // the first one loads columns
  }
  return median(std::move(times));
}

/// CPU seconds of cuda_kernel_launch_stats, and its rows.
std::pair<double, double> launch_stats(const ingest::Loader& loader, const char* correlation) {
  const auto profile = loader.profile();
  const analysis::Setting setting{"correlation", correlation};
  const double started = process_seconds();
  const auto tables = analysis::run_analysis(*analysis::find_analysis("cuda_kernel_launch_stats"), *profile, {},
                                             std::span(&setting, 1), nullptr, nullptr, loader.events().get());
  const double seconds = process_seconds() - started;
  return {seconds, tables ? static_cast<double>((*tables)[0].rows()) : std::nan("")};
}

int run(int argc, char** argv) {
  Options options;
  options.runs = 25;
  int nodes = 512;
  CommandLine line("Measures what a rank costs when there are thousands", options);
  line.add("--nodes", nodes, "Nodes of 8 ranks");
  if (const auto status = line.parse(argc, argv)) return *status;
  Report report{.name = "many_ranks", .title = "A store of many small ranks", .runs = options.runs};
  const TemporaryFolder folder;
  const std::string job = (folder.path() / "job").string();
  // In other processes, whose memory does not count.
  const auto generated = run_successfully({{options.generator, job, "--preset", "small", "--nodes",
                                            std::to_string(nodes), "--gpus", "8", "--steps", "2", "--layers", "1"},
                                           {},
                                           true});
  if (!generated) throw std::runtime_error(generated.error().message());
  const std::string file = (folder.path() / "job.wscope").string();
  const auto converted = run_successfully({{options.program, "convert", job, "--out", file}, {}, true});
  if (!converted) throw std::runtime_error(converted.error().message());
  const double ranks = 8.0 * nodes;

  const std::uint64_t resident = process_memory().resident;
  const double started = process_seconds();
  const auto store = store::open_store(file);
  if (!store) throw std::runtime_error(store.error().message());
  auto opened = store->each_rank(std::make_shared<trace::Dictionary>(), 1);
  const double open_ms = 1e3 * (process_seconds() - started) / ranks;
  const double open_bytes = static_cast<double>(process_memory().resident - resident) / ranks;
  opened.clear();

  ingest::Loader loader(file, {});
  loader.wait();
  if (const Failure failure = loader.failure()) throw std::runtime_error(failure->message());
  const double folded = frame_ms(loader.profile(), false, options.runs);
  const double open = frame_ms(loader.profile(), true, options.runs);
  static_cast<void>(launch_stats(loader, "false"));  // loads columns
  const auto [plain, rows] = launch_stats(loader, "false");
  const double row_us = 1e6 * (launch_stats(loader, "true").first - plain) / rows;

  Table table("many-ranks", fmt::format("{} ranks", ranks),
              {{"what", "", ColumnKind::text}, {"figure", "", ColumnKind::real}, {"unit", "", ColumnKind::text}});
  const auto add = [&](const char* what, double figure, double limit, const char* unit) {
    table.add_row({what, figure, unit});
    report.requirements.push_back({what, figure, limit, unit});
  };
  add("CPU time to open a rank", open_ms, kMostOpenMs, "ms");
  add("memory of an opened rank", open_bytes, kMostOpenBytes, "B");
  add("a frame, nodes folded", folded, kMostFrameMs, "ms");
  add("a frame, a row per rank", open, kMostFrameMs, "ms");
  add("a row with an argument from the store", row_us, kMostRowUs, "µs");
  report.tables.push_back(std::move(table));
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&] { return run(argc, argv); });
}
