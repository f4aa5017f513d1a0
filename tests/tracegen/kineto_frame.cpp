// Writes everything around the events: the file's metadata before them, metadata events and the profiler's own spans
// after.
#include <fmt/format.h>

#include <array>
#include <string>

#include "tests/tracegen/kineto_writer.hpp"
#include "tests/tracegen/random.hpp"

namespace warpscope::tracegen {
namespace {

constexpr std::int64_t kDeviceSortIndex = 5'000'000;
constexpr std::int64_t kSpansSortIndex = 536'870'912;

}  // namespace

void KinetoWriter::header() {
  if (bare_array_) {
    json_.open_array(Shape::list, 2);
    return;
  }
  if (options_.layout == Layout::kineto) json_.raw("\n");
  json_.open_object(Shape::list, 2);
  json_.field("schemaVersion", 1);
  if (!place_.defects.has(Defect::base_after_events)) top_fields();
  json_.key("traceEvents");
  json_.open_array(Shape::list, 2);
}

void KinetoWriter::top_fields() {
  device_properties();
  if (generation_ != Generation::torch_1_8 && options_.world() > 1) distributed_info();
  if (generation_ != Generation::current) return;
  json_.field("cupti_version", 24);
  json_.field("cuda_runtime_version", 12'080);
  json_.field("cuda_driver_version", 12'080);
  if (options_.shapes) json_.field("record_shapes", 1);
  if (options_.python) json_.field("with_stack", 1);
  json_.field("profile_memory", 1);
  Random random(options_.seed ^ (static_cast<std::uint64_t>(place_.rank) << 32U));
  json_.text_field("trace_id", fmt::format("{:016X}{:016X}", random.next(), random.next()));
  json_.text_field("host_name", place_.host);
  json_.text_field("displayTimeUnit", "ms");
  json_.field("baseTimeNanoseconds", origin_);
}

void KinetoWriter::device_properties() {
  json_.key("deviceProperties");
  json_.open_array(Shape::list, 4);
  for (int device = 0; device < options_.gpus; ++device) {
    json_.item();
    json_.open_object(Shape::block, 6);
    json_.field("id", device);
    json_.text_field("name", "NVIDIA H100 80GB HBM3");
    json_.field("totalGlobalMem", 85'017'493'504);
    json_.line();
    json_.field("computeMajor", 9);
    json_.field("computeMinor", 0);
    json_.line();
    json_.field("maxThreadsPerBlock", 1024);
    json_.field("maxThreadsPerMultiprocessor", 2048);
    json_.line();
    json_.field("regsPerBlock", 65'536);
    json_.field("warpSize", 32);
    json_.line();
    json_.field("sharedMemPerBlock", 49'152);
    json_.field("numSms", 132);
    json_.line();
    json_.field("regsPerMultiprocessor", 65'536);
    json_.field("sharedMemPerBlockOptin", 232'448);
    json_.field("sharedMemPerMultiprocessor", 233'472);
    json_.close_object();
  }
  json_.close_array();
}

void KinetoWriter::distributed_info() {
  json_.key("distributedInfo");
  json_.open_object();
  json_.text_field("backend", "nccl");
  json_.field("rank", place_.written_rank);
  json_.field("world_size", options_.world());
  if (generation_ == Generation::current) {
    const std::vector<GroupInfo> groups = groups_of(options_, place_.rank);
    json_.field("pg_count", static_cast<std::int64_t>(groups.size()));
    json_.key("pg_config");
    json_.open_array();
    for (const GroupInfo& group : groups) {
      json_.item();
      json_.open_object();
      json_.text_field("pg_name", group.name);
      json_.text_field("pg_desc", group.description);
      json_.text_field("backend_config", "cuda:nccl");
      json_.field("pg_size", static_cast<std::int64_t>(group.ranks.size()));
      json_.key("ranks");
      json_.open_array();
      for (const int rank : group.ranks) {
        json_.item();
        json_.integer(rank);
      }
      json_.close_array();
      json_.close_object();
    }
    json_.close_array();
    json_.text_field("nccl_version", "2.26.2");
  }
  json_.close_object();
}

void KinetoWriter::metadata(std::string_view name, std::int64_t pid, std::int64_t tid, std::string_view text) {
  ++events_;
  json_.item();
  json_.open_object(Shape::block, 4);
  json_.text_field("name", name);
  json_.text_field("ph", "M");
  time("ts", metadata_time_ - origin_);
  id_field("pid", pid);
  id_field("tid", tid);
  open_args();
  json_.text_field(name == "process_labels" ? "labels" : "name", text);
  close_args();
  close_event();
}

void KinetoWriter::metadata(std::string_view name, std::int64_t pid, std::int64_t tid, std::int64_t sort_index) {
  ++events_;
  json_.item();
  json_.open_object(Shape::block, 4);
  json_.text_field("name", name);
  json_.text_field("ph", "M");
  time("ts", metadata_time_ - origin_);
  id_field("pid", pid);
  id_field("tid", tid);
  open_args();
  json_.field("sort_index", sort_index);
  close_args();
  close_event();
}

void KinetoWriter::threads_metadata() {
  metadata("process_name", place_.pid, 0, "python3");
  metadata("process_labels", place_.pid, 0, "CPU");
  metadata("process_sort_index", place_.pid, 0, place_.pid);
  for (int device = 0; device < options_.gpus; ++device) {
    metadata("process_name", device, 0, "python3");
    metadata("process_labels", device, 0, fmt::format("GPU {}", device));
    metadata("process_sort_index", device, 0, kDeviceSortIndex + device);
  }
  for (const int stream : {kComputeStream, kNcclStream, kCopyStream}) {
    if (stream == kNcclStream && options_.world() == 1) continue;
    metadata("thread_name", place_.device, stream, fmt::format("stream {} ", stream));
    metadata("thread_sort_index", place_.device, stream, stream);
  }
  constexpr std::array<std::string_view, kThreads> kNames{"pt_autograd_0", "python3", "pt_data_pin", "pt_nccl_watchdg"};
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    const std::int64_t tid = place_.tids[thread];
    metadata("thread_name", place_.pid, tid, fmt::format("thread {} ({})", tid, kNames[thread]));
    metadata("thread_sort_index", place_.pid, tid, tid);
  }
}

void KinetoWriter::trailer(std::int64_t begin, std::int64_t end) {
  metadata_time_ = begin;
  if (generation_ == Generation::current) {
    open_event("X", "overhead", "Buffer Flush");
    id_field("pid", -1);
    id_field("tid", 0);
    times(end - 61'000, 48'500);
    close_event();
  }
  threads_metadata();
  const std::string_view spans = generation_ == Generation::torch_1_8 ? "Traces" : "Spans";
  ++events_;
  json_.item();
  json_.open_object(Shape::block, 4);
  json_.text_field("ph", "X");
  json_.text_field("cat", "Trace");
  time("ts", begin - origin_);
  time("dur", end - begin);
  json_.line();
  json_.text_field("pid", spans);
  json_.text_field("tid", "PyTorch Profiler");
  json_.line();
  json_.text_field("name", "PyTorch Profiler (0)");
  open_args();
  json_.field("Op count", 0);
  close_args();
  close_event();

  ++events_;
  json_.item();
  json_.open_object(Shape::block, 4);
  json_.text_field("name", "process_sort_index");
  json_.text_field("ph", "M");
  time("ts", begin - origin_);
  json_.line();
  json_.text_field("pid", spans);
  json_.field("tid", 0);
  open_args();
  json_.field("sort_index", kSpansSortIndex);
  close_args();
  close_event();

  const auto mark = [&](std::string_view name, std::string_view pid, std::string_view tid, std::int64_t at) {
    ++events_;
    json_.item();
    json_.open_object(Shape::block, 4);
    json_.text_field("name", name);
    json_.text_field("ph", "i");
    json_.text_field("s", "g");
    json_.line();
    json_.text_field("pid", pid);
    json_.text_field("tid", tid);
    time("ts", at - origin_);
    close_event();
  };
  mark("Iteration Start: PyTorch Profiler", "Traces", "Trace PyTorch Profiler", begin);
  mark("Record Window End", "", "", end);

  if (place_.defects.has(Defect::trailing_comma)) json_.raw(",");
  if (!place_.defects.has(Defect::no_closing_bracket)) {
    json_.close_array();
    if (!bare_array_) {
      if (place_.defects.has(Defect::base_after_events)) top_fields();
      if (generation_ != Generation::torch_1_8) {
        constexpr std::string_view kEnding = ".json";
        json_.text_field("traceName", "log/" + place_.file.substr(0, place_.file.rfind(kEnding) + kEnding.size()));
      }
      json_.close_object();
    }
  }
  json_.close_file();
}

}  // namespace warpscope::tracegen
