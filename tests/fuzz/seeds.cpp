#include "tests/fuzz/seeds.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/ingest/read/source_reader.hpp"
#include "core/store/event_archive.hpp"
#include "core/store/writer.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/formats/python_stats/saved_stats.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::fuzz {
namespace {

using tracegen::Generation;
using tracegen::Layout;

constexpr std::size_t kPiece = 1500;

tracegen::Options smallest_job() {
  tracegen::Options options = *tracegen::preset("small");
  options.gpus = 1;
  options.steps = 1;
  options.layers = 1;
  return options;
}

std::string trace_of(const tracegen::Options& options) {
  const tracegen::MemorySet set = tracegen::generate_in_memory(options);
  return set.files.empty() ? std::string() : set.files.front().bytes;
}

/// Returns the start and the end of the text, with the part at `at` between them.
std::string piece_of(const std::string& text, std::size_t at) {
  if (text.size() <= 3 * kPiece) return text;
  at = std::clamp(at, kPiece, text.size() - 2 * kPiece);
  const std::size_t event = std::min(text.find('{', at), text.size() - 2 * kPiece);
  return text.substr(0, kPiece) + text.substr(event, kPiece) + text.substr(text.size() - kPiece);
}

std::size_t first_difference(const std::string& a, const std::string& b) {
  const std::size_t size = std::min(a.size(), b.size());
  return static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(size), b.begin()).first - a.begin());
}

std::vector<std::string> trace_pieces() {
  std::vector<std::string> pieces;
  for (const Layout layout : {Layout::kineto, Layout::minified, Layout::oneline, Layout::indented})
    for (const Generation generation : {Generation::current, Generation::y2023, Generation::torch_1_8}) {
      tracegen::Options options = smallest_job();
      options.layout = layout;
      options.generation = generation;
      options.shapes = layout == Layout::kineto;
      options.python = layout == Layout::minified;
      const std::string text = trace_of(options);
      for (const std::size_t part : {1U, 4U, 7U}) pieces.push_back(piece_of(text, text.size() * part / 8));
    }
  const std::string sound = trace_of(smallest_job());
  for (const tracegen::DefectInfo& info : tracegen::all_defects()) {
    tracegen::Options options = smallest_job();
    options.defects.push_back({info.defect, 0});
    const std::string damaged = trace_of(options);
    const std::size_t at = first_difference(sound, damaged);
    pieces.push_back(piece_of(damaged, at > 200 ? at - 200 : 0));
  }
  // A few bytes that expand to many: see run_expanded.
  pieces.emplace_back("{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"a\",\"ts\":1},\x02\x20\x20{\"ph\":\"X\"}]}");
  pieces.emplace_back("{\"traceEvents\": [{\"ph\":\"X\",\"args\":{\"a\":[\x02\x01\xff]\x02\x01\xff}}]}");
  pieces.emplace_back("{\"traceEvents\": [{\"ph\":\"X\",\"name\":\"aaaaaaaa\x02\x08\xff\",\"ts\":1,\"dur\":2}]}");
  return pieces;
}

std::vector<std::string> compressed_pieces() {
  std::vector<std::string> files;
  for (const std::string& piece : trace_pieces()) {
    if (files.size() >= 24) break;
    files.push_back(tests::gzip(piece));
    files.push_back(tests::zstd(piece));
  }
  const std::string text = trace_of(smallest_job()).substr(0, 40'000);
  files.push_back(tests::gzip(text) + tests::gzip("second member") + std::string(700, '\0'));
  files.push_back(tests::zstd_skippable("passed over") + tests::zstd(text) + tests::zstd("second frame"));
  files.push_back(tests::gzip(text).substr(0, 2000));
  files.push_back(tests::zstd(text).substr(0, 2000));
  files.push_back(tests::gzip(std::string(1 << 20, 'a')));
  files.push_back(tests::zstd(std::string(1 << 20, 'a')));
  return files;
}

/// Stores of small traces, with both plain and compressed contents.
std::vector<std::string> stores() {
  std::vector<std::string> files;
  std::vector<std::string> pieces = trace_pieces();
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / ("warpscope-seed-" + std::to_string(::getpid()));
  for (std::size_t i = 0; i < pieces.size(); i += 5)
    for (const bool plain : {true, false}) {
      const MemoryFile file(pieces[i]);
      trace::SourceFile source;
      source.path = file.path();
      const auto dictionary = std::make_shared<trace::Dictionary>();
      const ingest::ReadOutcome read = ingest::read_source(std::move(source), 0, *dictionary);
      auto writer = store::StoreWriter::create(path.string(), {{3, plain}, nullptr});
      if (!read.data.rank || !writer) continue;
      const auto added = (*writer)->add_rank(*read.data.rank, {}, dictionary);
      if (!added) continue;
      store::EventArchiveWriter archive(**writer, added->source);
      for (std::size_t at = 0; at < pieces[i].size(); at += 200)
        if (archive.add(at, std::string_view(pieces[i]).substr(at, 200), {})) break;
      if (archive.finish()) continue;
      if ((*writer)->finish("/folder", read.data.rank->diagnostics)) continue;
      std::ifstream in(path, std::ios::binary);
      files.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
    }
  std::filesystem::remove(path);
  return files;
}

/// Blocks of event texts, and such texts.
std::vector<std::string> archives() {
  std::vector<std::string> inputs;
  for (const std::string& piece : trace_pieces()) {
    if (inputs.size() >= 40) break;
    store::EventBlockWriter writer;
    for (std::size_t at = piece.find('{'); at != std::string::npos;) {
      const std::size_t next = piece.find('{', at + 1);
      writer.add(at, piece.substr(at, next - at), {});
      at = next;
    }
    // The bytes read by Controls select one of the two.
    inputs.push_back(std::string(writer.bytes().begin(), writer.bytes().end()) + std::string("\0\0", 2));
    inputs.push_back(piece + "\1\7");
  }
  return inputs;
}

std::vector<std::string> metadata_values() {
  return {R"({"backend": "nccl", "rank": 3, "world_size": 16, "pg_config": [{"pg_name": "0", "ranks": [0, 1]}]})",
          R"([{"id": 0, "name": "NVIDIA H100 80GB HBM3", "totalGlobalMem": 84929347584}, {"id": "1", "name": null}])",
          "1712195495519689047",
          "\"1712195495519689047\"",
          "\"host \\u00e9\\ud83d\\ude00 \x01 \xff\"",
          "1",
          "\"ms\"",
          "\"a/b.json\"",
          "{\"rank\": 1e3, \"world_size\": -1.0, \"backend\": \"a \"b\" c\"",
          "[[[[{\"id\": inf,},],]"};
}

std::vector<std::string> expressions() {
  return {"cat:kernel name~nccl dur>1ms rank:0-7,9 not (stream:20 or depth>3) gemm \"quoted words\"",
          "name=aten::mm or name!~\"a b\" and not not dur<=1.5 s",
          "begin>=1s begin<2 m 03 s thread:-1--5,8- gpu!=0",
          "a*b? family:communication,memory node:algo-*",
          "\"\\\" \\\\ *\" or (((x)))",
          "dur>292 y",
          "cat:\"a,b\",c"};
}

std::vector<std::string> times() {
  return {"12.3ms",
          "1.5 s",
          "100us",
          "100 \u00b5s",
          "2 m 03 s",
          "-5ms",
          "1 234 567 ns",
          "9223372036854775807",
          "1 h 02 m",
          "3 d 04 h",
          "12.310\u2009450 s",
          ".5us",
          "-0.000000001 s",
          "106751 d 23 h"};
}

std::vector<std::string> python_stats() {
  std::vector<std::string> seeds{
      R"({"root_frame": {"function": "main", "file_path": "t.py", "line_no": 2, "time": 2.5, "children": [)"
      R"({"function": "[self]", "time": 1}, {"function": "main", "time": 0.5, "children": []}]}})",
      "/framework/pytorch/cprofile/905-algo-1/train-9-start-1596585363775342.0_eval-*-end-1596585364775342.0/x",
      "/cProfile/1596585374963238.0_1596585376008161.0_151-algo-1_2-start/python_stats"};
  for (const std::string_view saved : tests::kSavedStats) seeds.push_back(tests::bytes_of(saved));
  return seeds;
}

std::vector<std::string> metrics_lines() {
  tracegen::Options options = smallest_job();
  options.metrics_interval_ns = 5'000'000'000;
  std::vector<std::string> seeds{
      "{\"Type\":\"cpu\",\"Name\":\"cpu0\",\"Dimension\":\"CPUUtilization\",\"Value\":4.76,\"NodeId\":\"algo-1\","
      "\"Timestamp\":1783653720.4570894}\n{\"Type\": \"gpu\", \"Name\": \"gpu0\", \"Timestamp\": 1783653721"};
  for (const auto& file : tracegen::generate_in_memory(options).files)
    if (file.path.starts_with("profiler-output")) seeds.push_back(file.bytes.substr(0, kPiece));
  return seeds;
}

std::vector<std::string> chrome_traces() {
  return {R"x([{"ph":"M","name":"process_name","pid":1,"args":{"name":"/device:GPU:0"}},
{"ph":"M","name":"thread_name","pid":1,"tid":7,"args":{"name":"Stream #7(Compute)"}},
{"ph":"X","name":"fusion","pid":1,"tid":7,"ts":5,"dur":2,"args":{"correlation_id":"9"}},
{"ph":"X","name":"fusion","pid":2,"tid":1,"ts":1.25,"dur":2,"args":{"correlation_id":"9"}},{}]})x",
          R"x([{"ph":"B","name":"a","pid":"x","tid":"y","ts":1},{"ph":"s","id":1,"pid":"x","tid":"y","ts":2},)x"};
}

std::vector<std::string> merged_traces() {
  std::vector<std::string> seeds;
  for (const tracegen::Merge merge :
       {tracegen::Merge::sglang, tracegen::Merge::tracelens, tracegen::Merge::veomni, tracegen::Merge::pid}) {
    tracegen::Options options = *tracegen::preset("small");
    options.steps = 1;
    options.layers = 1;
    options.merge = merge;
    for (const auto& file : tracegen::generate_in_memory(options).files) seeds.push_back(file.bytes.substr(0, kPiece));
  }
  seeds.emplace_back(R"x([{"ph":"X","cat":"kernel","name":"[R0] a","pid":0,"tid":7,"ts":1,"dur":2},
{"ph":"M","name":"[R1] thread_name","pid":1000,"tid":1007,"args":{"name":"x"}},
{"ph":"X","cat":"kernel","name":"[R1] a","pid":1000,"tid":"rank1_s","ts":2,"dur":2,"args":{"device":0,"stream":7}}]})x");
  seeds.emplace_back(R"x([{"ph":"X","cat":"kernel","name":"a","pid":1,"tid":7,"ts":1,"dur":2},
{"ph":"M","name":"process_name","pid":0,"args":{"name":"Rank 0"}},{"ph":"M","name":"process_name","pid":1,"args":
{"name":"Rank 1"}},{"ph":"X","cat":"kernel","name":"a","pid":0,"tid":7,"ts":1,"dur":2,"args":{"device":0}}]})x");
  return seeds;
}

std::vector<std::string> framework_timelines() {
  return {
      R"x([{"ph":"M","name":"process_name","pid":0,
"args":{"name":"Step:ModeKeys.TRAIN","start_time_since_epoch_in_micros":1594662605430000}},
{"ph":"X","name":"Step","pid":0,"ts":10,"dur":5,"args":{"step_num":"7","pid":905}},
{"ph":"X","name":"gpu_functions-dev:0","pid":1,"ts":11,"dur":900000000000,"args":{"start_ts":10}})x",
      R"x([{"ph":"M","pid":0,"args":{"start_time_since_epoch_in_micros":9223372036854775807}},{"ph":"X","ts":1}])x"};
}

std::vector<std::string> rule_files() {
  return {
      R"([{"name": "Hot", "metric": "GPU utilization", "statistic": "p95", "comparison": ">=", "threshold": 98.5,
"window": 500, "patience": 1000, "advice": "Use more GPUs."}])",
      R"([{"name": "A", "metric": "step_time.duration", "threshold": 18446744073709551615},
{"name": "B", "metric": "x", "window": 1e9}])",
      R"({"StepOutlier_stddev": 3, "LaunchBound_share": "0.5", "opt_out_telemetry": true})",
      R"([{"RuleParameters": {"rule_to_invoke": "launchbound", "share": "0.5", "scan_interval_us": "60000000"}}])",
      R"({"TrainingJobName": "j", "ProfilerRuleConfigurations": [{"RuleConfigurationName": "a", "RuleParameters":
{"rule_to_invoke": "ProfilerReport", "IdleGpu_share": "0.5"}}]})"};
}

std::vector<std::string> settings_files() {
  return {
      "# comment\ntheme = dark\nscale = 1.5\nmemory_limit = 8 GiB\nkeep_stores = no\nstore_limit = 20GB\n"
      "store_folder = /a\\nb\nkernel_class = communication=my_ring,memory=*copy*\n",
      "overlay.launch-arrows = on\nall_launch_arrows = yes\n",
      "recent = /traces/a\nroot = /traces\nunknown = x\nlabel_width = nan\n"
      "window_width = 99999\n"};
}

std::vector<std::string> job_files() {
  return {R"({"TrainingJobName": "j", "TrainingJobArn": "arn:aws:sagemaker:r:1:training-job/j", "TrainingJobStatus":
"Completed", "CreationTime": "2026-07-10T03:22:05.123000+00:00", "TrainingStartTime": 1783653720.5, "ResourceConfig":
{"InstanceType": "ml.p4d.24xlarge", "InstanceCount": 2}, "HyperParameters": {"a": "{\"b\": [1, 2]}"}})",
          R"({"ProfilingIntervalInMilliseconds": 500, "ProfilingParameters": {"DataloaderProfilingConfig":
"{\"StartStep\": 5, 'MetricsRegex': \".*\"}", "P": "{'a': True, 'b': None}"}})",
          R"({"current_host": "algo-1", "hosts": ["algo-1", "algo-2"], "current_instance_type": "ml.p3.8xlarge"})",
          R"({"RuleTriggered": 3, "Violations": 7, "Details": {"a": [1.5, 2]}, "Datapoints": 9,
"RuleParameters": "threshold:70\npatience:1000"})"};
}

}  // namespace

std::vector<std::string> seeds_of(std::string_view target) {
  std::vector<std::string> seeds;
  if (target == "kineto" || target == "expanded" || target == "repair" || target == "arguments")
    seeds = trace_pieces();
  else if (target == "chrome")
    seeds = chrome_traces();
  else if (target == "merged")
    seeds = merged_traces();
  else if (target == "pevents")
    seeds = framework_timelines();
  else if (target == "compressed")
    seeds = compressed_pieces();
  else if (target == "metadata")
    seeds = metadata_values();
  else if (target == "metrics")
    seeds = metrics_lines();
  else if (target == "memory")
    seeds = {"[[-1, 1, 37888, 7], [5, 2, 512, 4], [6, 4, -512, 4]]", "[ [ 9.0,3,-1,0 ],[3,3,1,12], [\"x\"] ", "[]"};
  else if (target == "python_stats")
    seeds = python_stats();
  else if (target == "job")
    seeds = job_files();
  else if (target == "filter")
    return expressions();
  else if (target == "rules")
    return rule_files();
  else if (target == "settings")
    return settings_files();
  else if (target == "time")
    return times();
  else if (target == "store")
    return stores();
  else if (target == "archive")
    return archives();
  // Vary the last bytes (Controls) from input to input.
  for (std::size_t i = 0; i < seeds.size(); ++i)
    for (const std::size_t factor : {1U, 7U, 31U, 101U}) seeds[i] += static_cast<char>(i * factor % 251);
  return seeds;
}

}  // namespace warpscope::fuzz
