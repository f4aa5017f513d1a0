// bench_reopen: how soon is the whole timeline there, the first time and from then on? From the start of a process to
// the draw list of the whole timeline, without the start of graphics; the first time from the trace, then from the
// store that the first load left.
#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <memory>
#include <string_view>

#include "core/base/json_writer.hpp"
#include "core/ingest/loader.hpp"
#include "render/scene/timeline_scene.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/printed.hpp"
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

// The whole timeline as the window first shows it.
std::size_t draw_whole_timeline(const std::shared_ptr<const trace::Profile>& profile) {
  scene::TimelineInput input;
  input.profile = profile;
  input.layout = std::make_shared<scene::Layout>(*profile, scene::TrackState{});
  input.height = kHeight;
  input.view = scene::TimeView(profile->span, kWidth);
  scene::TimelineScene timeline;
  return timeline.update(input).rects.size();
}

// The child: loads, makes the draw list, prints when it was ready, counted from `started` (ns of the steady clock,
// which all processes share).
int measure(const std::string& path, std::int64_t started) {
  const auto profile = ingest::load_profile(path);
  if (!profile) {
    fmt::print("{}", printed_error(profile.error().what));
    return 0;
  }
  const std::size_t rects = draw_whole_timeline(*profile);
  const auto ready = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count() - started;
  std::uint64_t slices = 0;
  for (const auto& rank : (*profile)->ranks) slices += rank->counts.slices;
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("ready_seconds", 1e-9 * static_cast<double>(ready));
  json.member("rects", rects);
  json.member("slices", slices);
  json.end_object();
  fmt::print("{}", out);
  return 0;
}

struct Opening {
  double ready = 0;
  double cpu = 0;
  double peak = 0;
};

Result<Opening> open_once(const std::filesystem::path& path, const TemporaryFolder& user) {
  const auto now = std::chrono::nanoseconds(Clock::now().time_since_epoch()).count();
  const auto run = run_successfully(
      {.words = {own_program().string(), std::string(kMeasureFlag), path.string(), std::to_string(now)},
       .environment = fresh_user(user),
       .quiet = false});
  if (!run) return run.error();
  const Printed printed(run->output);
  if (std::string why = printed.text("error"); !why.empty()) return Error{path.string(), why, ""};
  return Opening{printed.number("ready_seconds"), run->cpu_seconds(), static_cast<double>(run->peak_bytes)};
}

struct Openings {
  std::string title;
  std::filesystem::path path;
  std::vector<double> first, first_cpu, first_peak, again, again_cpu, again_peak, store;
};

Failure open_twice(Openings& subject) {
  const TemporaryFolder user;
  const auto first = open_once(subject.path, user);
  if (!first) return first.error();
  subject.first.push_back(first->ready);
  subject.first_cpu.push_back(first->cpu);
  subject.first_peak.push_back(first->peak);
  const std::uint64_t store = disk_bytes(user.path());
  if (store == 0) return Error{"", "the first load left no store", ""};
  subject.store.push_back(static_cast<double>(store));
  warm(user.path());
  const auto again = open_once(subject.path, user);
  if (!again) return again.error();
  subject.again.push_back(again->ready);
  subject.again_cpu.push_back(again->cpu);
  subject.again_peak.push_back(again->peak);
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
  Table size("store", "The store",
             {{"trace", "", ColumnKind::text},
              {"trace on disk", "", ColumnKind::bytes},
              {"store", "", ColumnKind::bytes},
              {"store : gz", "", ColumnKind::real}});
  for (const Openings& subject : subjects) {
    const double first = median(subject.first);
    const double again = median(subject.again);
    const double store = median(subject.store);
    time.add_row({subject.title, duration_cell(first), duration_cell(median(subject.first_cpu)),
                  bytes_cell(median(subject.first_peak)), duration_cell(again),
                  duration_cell(median(subject.again_cpu)), bytes_cell(median(subject.again_peak)), first / again});
    size.add_row({subject.title, disk_bytes(subject.path), bytes_cell(store), store / gz_bytes});
    report.requirements.push_back({subject.title + ": first : again", first / again, kReopenFactor, "×", true});
    report.requirements.push_back({subject.title + ": store : gz", store / gz_bytes, kStoreLimit, "×"});
  }
  report.tables = {std::move(time), std::move(size)};
}

int run(int argc, char** argv) {
  CLI::App app{"Measures how soon the whole timeline is there: the first time, and from the store."};
  Options options;
  double millions = 5;
  add_options(app, options);
  app.add_option("--millions", millions, "Slices, in millions")->capture_default_str()->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);

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
  try {
    if (argc == 4 && argv[1] == kMeasureFlag) return measure(argv[2], std::stoll(argv[3]));
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench: {}\n", error.what());
    return 2;
  }
}
