// bench_arguments [FILE…]: measures how long the window waits for the arguments of a clicked slice. Reads random slices
// of a loaded profile, each from its source without caching.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string_view>

#include "core/base/json_writer.hpp"
#include "core/ingest/load/loader.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/printed.hpp"
#include "tests/bench/stored_load.hpp"
#include "tests/bench/traces.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kMeasureFlag = "--measure";
constexpr std::string_view kKeepFlag = "--keep";
constexpr double kLimitMs = 20;
constexpr std::uint64_t kSeed = 20'260'711;

double seconds_since(Clock::time_point began) { return std::chrono::duration<double>(Clock::now() - began).count(); }

struct Reading {
  std::vector<double> seconds;
  std::uint64_t rows = 0;
  std::string trouble;
};

// Reads up to `count` random slices, stopping after `budget` seconds.
Reading read_random_slices(const trace::Profile& profile, const ingest::EventLookup& events, int count, double budget) {
  std::mt19937_64 random(kSeed);
  Reading reading;
  const auto began = Clock::now();
  while (static_cast<int>(reading.seconds.size()) < count && seconds_since(began) < budget) {
    const trace::Rank& rank = *profile.ranks[random() % profile.ranks.size()];
    if (rank.lane_start.back() == 0) continue;
    const auto slice = static_cast<trace::SliceOrdinal>(random() % rank.lane_start.back());
    const auto start = Clock::now();
    const auto event = events.read(rank, slice);
    reading.seconds.push_back(seconds_since(start));
    if (!event) {
      reading.trouble = event.error().message();
      return reading;
    }
    const std::string* name = event->find("name");
    if (name == nullptr || *name != profile.names().view(rank.name(slice))) {
      reading.trouble = fmt::format("slice {} got the event of another one", slice);
      return reading;
    }
    reading.rows += event->rows.size();
  }
  return reading;
}

// Child process: loads, reads, prints measurements.
int measure(const std::string& path, int count, double budget) {
  ingest::Loader loader(path, load_with_stores());
  loader.wait();
  if (const Failure failure = loader.failure()) {
    fmt::print("{}", printed_error(failure->what));
    return 0;
  }
  const Reading reading = read_random_slices(*loader.profile(), *loader.events(), count, budget);
  if (!reading.trouble.empty()) {
    fmt::print("{}", printed_error(reading.trouble));
    return 0;
  }
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("slices", reading.seconds.size());
  json.member("rows", static_cast<double>(reading.rows) / static_cast<double>(reading.seconds.size()));
  json.member("median_seconds", median(reading.seconds));
  json.member("worst_seconds", *std::ranges::max_element(reading.seconds));
  json.end_object();
  fmt::print("{}", out);
  return 0;
}

// Child process that writes a store for the measuring one.
int keep(const std::string& path) {
  ingest::Loader loader(path, load_with_stores());
  loader.wait();
  Failure failure = loader.failure();
  if (!failure)
    if (const auto kept = loader.keep(CancelToken()); !kept) failure = kept.error();
  if (failure) fmt::print(stderr, "bench: {}\n", failure->message());
  return failure ? 1 : 0;
}

struct Subject {
  std::string title;
  std::filesystem::path path;
  bool from_store = false;
};

void measure_all(Report& report, const std::vector<Subject>& subjects, int count, double budget) {
  Table table("arguments", "Time until the arguments of a slice are there",
              {{"trace", "", ColumnKind::text},
               {"slices read", "", ColumnKind::integer},
               {"rows a slice", "", ColumnKind::real},
               {"median", "ms", ColumnKind::real},
               {"worst", "ms", ColumnKind::real}});
  for (const Subject& subject : subjects) {
    fmt::print(stderr, "bench: {}\n", subject.title);
    warm(subject.path);
    const TemporaryFolder folder;
    if (subject.from_store) {
      const auto kept =
          run_successfully({.words = {own_program().string(), std::string(kKeepFlag), subject.path.string()},
                            .environment = fresh_user(folder),
                            .quiet = false});
      if (!kept) report.notes.push_back(subject.title + ": " + kept.error().message());
    }
    const auto run =
        run_successfully({.words = {own_program().string(), std::string(kMeasureFlag), subject.path.string(),
                                    std::to_string(count), fmt::format("{}", budget)},
                          .environment = fresh_user(folder),
                          .quiet = false});
    const Printed printed(run ? run->output : std::string());
    std::string why = run ? printed.text("error") : run.error().message();
    if (!why.empty()) report.notes.push_back(subject.title + ": " + why);
    const double worst = printed.number("worst_seconds");
    table.add_row({subject.title, bytes_cell(printed.number("slices")), printed.number("rows"),
                   1e3 * printed.number("median_seconds"), 1e3 * worst});
    // A zstd frame is decompressed from its start.
    if (subject.from_store || subject.path.extension() != ".zst")
      report.requirements.push_back({subject.title + ": worst", 1e3 * worst, kLimitMs, "ms"});
  }
  report.tables.push_back(std::move(table));
}

int run(int argc, char** argv) {
  Options options;
  std::vector<std::string> files;
  int count = 200;
  double budget = 30;
  CommandLine line("Measures how long reading the arguments of random slices takes, from each format.", options);
  line.add("FILE", files, "Traces to read from instead of generated ones");
  line.add("--slices", count, "Slices to read of each");
  line.add("--budget", budget, "Seconds after which no more are read");
  if (const auto status = line.parse(argc, argv)) return *status;

  Report report{.name = "arguments",
                .title = fmt::format("Arguments of {} random slices, one after the other", count),
                .runs = 1};
  std::vector<Subject> subjects;
  for (const std::string& file : files) {
    const std::string name = std::filesystem::path(file).filename().string();
    subjects.push_back({name, file});
    subjects.push_back({name + ", store", file, true});
  }
  if (files.empty()) {
    for (const bool shapes : {true, false}) {
      for (const char* format : {"json", "gz", "zst"}) {
        const TraceSpec spec{.slices = shapes ? 1'000'000U : 5'000'000U, .shapes = shapes, .format = format};
        const auto path = make_trace(spec, options.generator);
        if (!path) {
          report.notes.push_back("left out: " + path.error().message());
          continue;
        }
        subjects.push_back({spec.title(), *path});
        if (spec.format == "gz") subjects.push_back({spec.title() + ", store", *path, true});
      }
    }
  }
  measure_all(report, subjects, count, budget);
  return finish(report, options);
}

}  // namespace

int main(int argc, char** argv) {
  return guarded([&]() -> int {
    if (argc == 3 && argv[1] == kKeepFlag) return keep(argv[2]);
    if (argc == 5 && argv[1] == kMeasureFlag) return measure(argv[2], std::stoi(argv[3]), std::stod(argv[4]));
    return run(argc, argv);
  });
}
