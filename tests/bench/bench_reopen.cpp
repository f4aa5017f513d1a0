// bench_reopen: measures the time until the whole timeline is ready, the first time and later. The time is from process
// start to the draw list of the whole timeline, without graphics startup: first from the trace, then from the store
// left by the first load.
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string_view>

#include "core/base/json_writer.hpp"
#include "core/base/process_memory.hpp"
#include "core/ingest/load/loader.hpp"
#include "render/scene/timeline_scene.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/printed.hpp"
#include "tests/bench/stored_load.hpp"
#include "tests/bench/traces.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kMeasureFlag = "--measure";
constexpr double kWidth = 1600;
constexpr int kHeight = 1000;
constexpr double kReopenFactor = 15;
constexpr double kStoreLimit = 0.5;

// Draws the whole timeline as the window first shows it.
std::size_t draw_whole_timeline(const std::shared_ptr<const trace::Profile>& profile) {
  scene::TimelineInput input;
  input.profile = profile;
  input.layout = std::make_shared<scene::Layout>(*profile, scene::TrackState{});
  input.height = kHeight;
  input.view = scene::TimeView(profile->span, kWidth);
  scene::TimelineScene timeline;
  return timeline.update(input).rects.size();
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// Child process: loads, makes the draw list, records the time since `started` (ns of the steady clock, which is shared
// by all processes), leaves a store and prints the result.
int measure(const std::string& path, std::int64_t started) {
  ingest::Loader loader(path, load_with_stores());
  loader.wait();
  if (const Failure failure = loader.failure()) {
    fmt::print("{}", printed_error(failure->what));
    return 0;
  }
  const auto profile = loader.profile();
  const std::size_t rects = draw_whole_timeline(profile);
  const auto ready = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count() - started;
  const double cpu = cpu_seconds();
  const std::uint64_t peak = process_memory().peak;
  const auto before_store = Clock::now();
  if (const auto kept = loader.keep(CancelToken()); !kept) {
    fmt::print("{}", printed_error("no store: " + kept.error().what));
    return 0;
  }
  const std::vector<ingest::FileStatus> files = loader.status().files;
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("ready_seconds", 1e-9 * static_cast<double>(ready));
  json.member("cpu_seconds", cpu);
  json.member("peak_bytes", peak);
  json.member("store_seconds", std::chrono::duration<double>(Clock::now() - before_store).count());
  json.member("from_store", std::ranges::count_if(files, &ingest::FileStatus::from_store));
  json.member("rects", rects);
  json.end_object();
  fmt::print("{}", out);
  return 0;
}

// Output of a child process.
struct Opening {
  double ready = 0;
  double cpu = 0;
  double peak = 0;
  double storing = 0;
  double from_store = 0;  ///< number of files
  double rects = 0;
};

Result<Opening> open_once(const std::filesystem::path& path, const TemporaryFolder& user) {
  const auto now = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
  const auto run = run_successfully(
      {.words = {own_program().string(), std::string(kMeasureFlag), path.string(), std::to_string(now)},
       .environment = fresh_user(user),
       .quiet = false});
  if (!run) return run.error();
  const Printed printed(run->output);
  if (std::string why = printed.text("error"); !why.empty()) return Error{"", why, ""};
  return Opening{printed.number("ready_seconds"), printed.number("cpu_seconds"), printed.number("peak_bytes"),
                 printed.number("store_seconds"), printed.number("from_store"),  printed.number("rects")};
}

struct Openings {
  std::string title;
  std::filesystem::path path;
  std::vector<Opening> first;
  std::vector<Opening> again;
  std::vector<double> store;
};

double median_of(const std::vector<Opening>& openings, double Opening::*figure) {
  std::vector<double> values;
  for (const Opening& opening : openings) values.push_back(opening.*figure);
  return median(std::move(values));
}

Failure open_twice(Openings& subject) {
  const TemporaryFolder user;
  const auto first = open_once(subject.path, user);
  if (!first) return first.error();
  subject.first.push_back(*first);
  subject.store.push_back(static_cast<double>(disk_bytes(user.path())));
  warm(user.path());
  const auto again = open_once(subject.path, user);
  if (!again) return again.error();
  if (again->from_store != 1) return Error{"", "the second load did not come from the store", ""};
  if (again->rects != first->rects) return Error{"", "the store gives another picture than the trace", ""};
  subject.again.push_back(*again);
  return std::nullopt;
}

void add_results(Report& report, const std::vector<Openings>& subjects, double gz_bytes) {
  Table time("reopen", "Until the draw list of the whole timeline is ready",
             {{"trace", "", ColumnKind::text},
              {"first", "", ColumnKind::duration},
              {"first CPU", "", ColumnKind::duration},
              {"first peak", "", ColumnKind::bytes},
              {"again", "", ColumnKind::duration},
              {"again CPU", "", ColumnKind::duration},
              {"again peak", "", ColumnKind::bytes},
              {"first : again", "", ColumnKind::real}});
  Table size("store", "The store, the arguments of all slices in it",
             {{"trace", "", ColumnKind::text},
              {"trace on disk", "", ColumnKind::bytes},
              {"store", "", ColumnKind::bytes},
              {"store : gz", "", ColumnKind::real},
              {"written in", "", ColumnKind::duration}});
  for (const Openings& subject : subjects) {
    const double first = median_of(subject.first, &Opening::ready);
    const double again = median_of(subject.again, &Opening::ready);
    const double store = median(subject.store);
    time.add_row({subject.title, duration_cell(first), duration_cell(median_of(subject.first, &Opening::cpu)),
                  bytes_cell(median_of(subject.first, &Opening::peak)), duration_cell(again),
                  duration_cell(median_of(subject.again, &Opening::cpu)),
                  bytes_cell(median_of(subject.again, &Opening::peak)), first / again});
    size.add_row({subject.title, disk_bytes(subject.path), bytes_cell(store), store / gz_bytes,
                  duration_cell(median_of(subject.first, &Opening::storing))});
    report.requirements.push_back({subject.title + ": first : again", first / again, kReopenFactor, "×", true});
    report.requirements.push_back({subject.title + ": store : gz", store / gz_bytes, kStoreLimit, "×"});
  }
  report.tables = {std::move(time), std::move(size)};
}

int run(int argc, char** argv) {
  Options options;
  double millions = 5;
  CommandLine line("Measures how soon the whole timeline is there: the first time, and from the store.", options);
  line.add("--millions", millions, "Slices, in millions");
  if (const auto status = line.parse(argc, argv)) return *status;

  Report report{.name = "reopen",
                .title = "Opening a trace the first time and again, a fresh process each time",
                .runs = options.runs};
  std::vector<Openings> subjects;
  double gz_bytes = 0;
  for (const char* format : {"gz", "json"}) {
    const TraceSpec spec{.slices = static_cast<std::uint64_t>(1e6 * millions), .format = format};
    const auto path = make_trace(spec, options.generator);
    if (!path) {
      report.notes.push_back("left out: " + path.error().message());
      continue;
    }
    warm(*path);
    if (spec.format == "gz") gz_bytes = static_cast<double>(disk_bytes(*path));
    Openings subject;
    subject.title = spec.title();
    subject.path = *path;
    subjects.push_back(std::move(subject));
  }
  for (int round = 0; round < options.runs; ++round) {
    for (Openings& subject : subjects) {
      fmt::print(stderr, "bench: run {} of {}, {}\n", round + 1, options.runs, subject.title);
      const Failure failure = open_twice(subject);
      if (failure && round == 0) report.notes.push_back(subject.title + ": " + failure->message());
    }
  }
  add_results(report, subjects, gz_bytes);
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&]() -> int {
    if (argc == 4 && argv[1] == kMeasureFlag) return measure(argv[2], std::stoll(argv[3]));
    return run(argc, argv);
  });
}
