// bench_metrics: measures how a long job's system metrics open, compared with a bare simdjson pass over the same files,
// and how long a frame of the Timeline takes while panning. The job: 2 nodes with 96 cores and 8 GPUs, sampled every
// 500 ms for 3 hours, one file per node and minute.
#include <fmt/format.h>
#include <simdjson.h>
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/json_writer.hpp"
#include "core/ingest/load/loader.hpp"
#include "render/scene/timeline_scene.hpp"
#include "tests/bench/loads.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/printed.hpp"

namespace {

using namespace warpscope;
using namespace warpscope::bench;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kPassFlag = "--pass";
constexpr std::string_view kPanFlag = "--pan";
constexpr double kMostTimesPass = 4;
constexpr double kMostResident = 200;  // MB
constexpr double kLongestFrame = 8;    // ms
constexpr int kFrames = 300;
constexpr double kWidth = 1600;
constexpr int kHeight = 1000;

struct Job {
  int nodes = 2;
  int cores = 96;
  int gpus = 8;
  int minutes = 180;
  int samples_a_minute = 120;
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A number between 0 and 100 that depends on its arguments only.
double value_of(int series, int sample) {
  const double wave = std::sin(0.01 * sample + series) + std::sin(0.37 * sample * (1 + series % 7));
  return std::round((50 + 24 * wave) * 100) / 100;
}

void write_snapshot(std::string& out, const Job& job, int node, int sample, double time) {
  const auto line = [&](const char* type, const std::string& name, const char* dimension, int series) {
    fmt::format_to(
        std::back_inserter(out),
        R"({{"Type":"{}","Name":"{}","Dimension":"{}","Value":{:.2f},"NodeId":"algo-{}","Timestamp":{:.6f}}})"
        "\n",
        type, name, dimension, value_of(series + 1'000 * node, sample), node + 1, time);
  };
  for (int c = 0; c < job.cores; ++c) {
    const std::string name = "cpu" + std::to_string(c);
    line("cpu", name, "CPUUtilization", c);
    line("cpu", name, "I/OWaitPercentage", 200 + c);
  }
  for (int g = 0; g < job.gpus; ++g) {
    const std::string name = "gpu" + std::to_string(g);
    line("gpu", name, "GPUUtilization", 400 + g);
    line("gpu", name, "GPUMemoryUtilization", 500 + g);
  }
  line("memory", "MemoryUsedPercent", "", 600);
  for (const char* const name : {"IOPS", "ReadThroughputInBytesPerSecond", "WriteThroughputInBytesPerSecond"})
    line("i/o", name, "", 601);
  for (const char* const name : {"ReceiveBytesPerSecond", "TransmitBytesPerSecond"})
    line("network", name, "Algorithm", 602);
}

/// Writes the job's files; returns their size.
std::uint64_t write_job(const fs::path& folder, const Job& job) {
  constexpr std::int64_t kStart = 1'747'342'560;
  std::uint64_t bytes = 0;
  std::string text;
  for (int minute = 0; minute < job.minutes; ++minute)
    for (int node = 0; node < job.nodes; ++node) {
      text.clear();
      const std::int64_t start = kStart + 60 * minute;
      for (int s = 0; s < job.samples_a_minute; ++s)
        write_snapshot(text, job, node, minute * job.samples_a_minute + s,
                       static_cast<double>(start) + 60.0 * s / job.samples_a_minute);
      const fs::path file = folder / "system" / "incremental" / std::to_string(start / 3600) /
                            fmt::format("{}.algo-{}.json", start, node + 1);
      fs::create_directories(file.parent_path());
      std::ofstream(file) << text;
      bytes += text.size();
    }
  return bytes;
}

/// Child process: reads all fields of all lines with simdjson On-Demand and keeps nothing.
int pass(const std::string& folder) {
  const auto start = Clock::now();
  const double cpu = thread_seconds();
  simdjson::ondemand::parser parser;
  std::uint64_t samples = 0;
  double sum = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    simdjson::padded_string text;
    if (simdjson::padded_string::load(entry.path().string()).get(text) != simdjson::SUCCESS) continue;
    simdjson::ondemand::document_stream lines;
    if (parser.iterate_many(text).get(lines) != simdjson::SUCCESS) continue;
    for (auto line : lines) {
      std::string_view type, name, dimension, node;
      double value = 0;
      double time = 0;
      if (line["Type"].get(type) != simdjson::SUCCESS || line["Name"].get(name) != simdjson::SUCCESS ||
          line["Dimension"].get(dimension) != simdjson::SUCCESS || line["Value"].get(value) != simdjson::SUCCESS ||
          line["NodeId"].get(node) != simdjson::SUCCESS || line["Timestamp"].get(time) != simdjson::SUCCESS)
        continue;
      ++samples;
      sum += value + time + static_cast<double>(type.size() + name.size() + dimension.size() + node.size());
    }
  }
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("wall_seconds", seconds_since(start));
  json.member("cpu_seconds", thread_seconds() - cpu);
  json.member("samples", samples);
  json.member("sum", sum);
  json.end_object();
  fmt::print("{}", out);
  return 0;
}

/// Child process: loads, then pans over the Timeline zoomed to a tenth, frame by frame.
int pan(const std::string& folder) {
  ingest::Loader loader(folder, {});
  loader.wait();
  if (const Failure failure = loader.failure()) {
    fmt::print("{}", printed_error(failure->what));
    return 0;
  }
  const auto profile = loader.profile();
  scene::TimelineInput input;
  input.profile = profile;
  input.layout = std::make_shared<scene::Layout>(*profile, scene::TrackState{});
  input.height = kHeight;
  scene::TimelineScene timeline;
  std::vector<double> frames;
  const Ns part = profile->span.length() / 10;
  for (int frame = 0; frame < kFrames; ++frame) {
    const Ns begin = profile->span.begin + (profile->span.length() - part) * frame / kFrames;
    input.view = scene::TimeView({begin, begin + part}, kWidth);
    const auto start = Clock::now();
    static_cast<void>(timeline.update(input));
    frames.push_back(1e3 * seconds_since(start));
  }
  std::ranges::sort(frames);
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("median_ms", frames[frames.size() / 2]);
  json.member("p99_ms", frames[frames.size() * 99 / 100]);
  json.member("longest_ms", frames.back());
  json.end_object();
  fmt::print("{}", out);
  return 0;
}

Result<Printed> run_child(std::string_view flag, const fs::path& folder) {
  const auto run = run_successfully(
      {.words = {own_program().string(), std::string(flag), folder.string()}, .environment = {}, .quiet = false});
  if (!run) return run.error();
  Printed printed(run->output);
  if (std::string why = printed.text("error"); !why.empty()) return Error{"", why, ""};
  return printed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && argv[1] == kPassFlag) return pass(argv[2]);
  if (argc == 3 && argv[1] == kPanFlag) return pan(argv[2]);
  Options options;
  Job job;
  CommandLine command_line("Measures how a long job's system metrics open, and panning over them.", options);
  command_line.add("--minutes", job.minutes, "Length of the job");
  if (const auto status = command_line.parse(argc, argv)) return *status;
  Report report{"metrics",
                fmt::format("Opening the system metrics of a job of {} min: {} nodes, {} cores, {} GPUs, every 500 ms.",
                            job.minutes, job.nodes, job.cores, job.gpus),
                options.runs};
  const TemporaryFolder folder;
  const std::uint64_t bytes = write_job(folder.path(), job);
  std::vector<double> load_wall, load_cpu, pass_wall, pass_cpu, peak, resident, frame, longest;
  double samples = 0;
  for (int run = 0; run < options.runs; ++run) {
    const auto bare = run_child(kPassFlag, folder.path());
    const auto load = run_info(folder.path(), options.program);
    const auto panned = run_child(kPanFlag, folder.path());
    if (!bare || !load || !panned) {
      report.notes.push_back(!bare   ? bare.error().message()
                             : !load ? load.error().message()
                                     : panned.error().message());
      break;
    }
    const Printed printed(load->output);
    samples = bare->number("samples");
    pass_wall.push_back(bare->number("wall_seconds"));
    pass_cpu.push_back(bare->number("cpu_seconds"));
    load_wall.push_back(load->wall_seconds);
    load_cpu.push_back(load->cpu_seconds());
    peak.push_back(static_cast<double>(load->peak_bytes));
    resident.push_back(printed.number("resident_bytes"));
    frame.push_back(panned->number("median_ms"));
    longest.push_back(panned->number("p99_ms"));
  }
  Table table("metrics", "Medians",
              {{"measured", "", ColumnKind::text},
               {"wall", "", ColumnKind::duration},
               {"CPU", "", ColumnKind::duration},
               {"peak memory", "", ColumnKind::bytes}});
  table.add_row(
      {"warpscope info", duration_cell(median(load_wall)), duration_cell(median(load_cpu)), bytes_cell(median(peak))});
  table.add_row({"simdjson pass", duration_cell(median(pass_wall)), duration_cell(median(pass_cpu)), Cell()});
  report.tables.push_back(std::move(table));
  report.notes.push_back(fmt::format("{:.0f} samples in {:.0f} MB of text; a frame takes {:.2f} ms (median).", samples,
                                     static_cast<double>(bytes) / 1e6, median(frame)));
  report.requirements = {{"open, against a simdjson pass", median(load_wall) / median(pass_wall), kMostTimesPass, "×"},
                         {"resident memory after the load", median(resident) / 1e6, kMostResident, "MB"},
                         {"frame while panning, 99th percentile", median(longest), kLongestFrame, "ms"}};
  return finish(report, options);
}
