// Handwritten traces of Meta's accelerator (mtia_ccp_events): kernels and transfers in one category, on threads whose
// numbers differ from their streams', some transfers on no stream.
#include <fmt/format.h>

#include "core/analysis/information/profile_summary.hpp"
#include "core/trace/waiting_names.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

constexpr std::string_view kRunFunction = "runFunction - job_prep_and_submit_for_execution";

/// Two kernels that the host launched on stream 1, a transfer during the first kernel, a transfer between the kernels,
/// and a transfer on no stream.
std::shared_ptr<const trace::Profile> accelerated(bool waits = false) {
  const auto call = [](double begin, int correlation) {
    return fmt::format(R"({{"ph":"X","cat":"mtia_runtime","name":"{}","pid":77,"tid":77,"ts":{},"dur":5,)"
                       R"("args":{{"correlation":{}}}}})",
                       kRunFunction, begin, correlation);
  };
  const auto job = [](std::string_view name, int thread, double begin, double length, std::string_view arguments) {
    return fmt::format(R"({{"ph":"X","cat":"mtia_ccp_events","name":"{}","pid":9,"tid":{},"ts":{},"dur":{},)"
                       R"("args":{{{}}}}})",
                       name, thread, begin, length, arguments);
  };
  std::string text = R"({"ph":"M","name":"thread_name","pid":9,"tid":801,"args":{"name":"DMA_REQUEST"}})";
  for (const std::string& event :
       {call(100, 1), call(110, 2), job("add-dtype_Float", 4, 200, 100, R"("correlation":1,"stream":1,"row":"0")"),
        job("dma_request", 4, 250, 20, R"("direction":"HOST_TO_DEVICE","size":16,"stream":1)"),
        job("dma_request", 4, 320, 30, R"("direction":"HOST_TO_DEVICE","size":16,"stream":1)"),
        job("fc-dtype_Float", 4, 400, 50, R"("correlation":2,"stream":1,"row":"0")"),
        job("dma_request", 801, 500, 10, R"("direction":"DEVICE_TO_HOST","size":16)")})
    text += ",\n" + event;
  if (waits)
    for (const std::string& event :
         {call(120, 3), job("event_wait", 4, 600, 5000, R"("correlation":3,"stream":1,"row":"0")"),
          job("aten::wait_tensor-dtype_Float", 4, 5700, 10, R"("stream":1,"row":"0")")})
      text += ",\n" + event;
  return load_events(text);
}

std::vector<std::string> main_rows(const trace::Profile& profile, std::string_view name, bool hta = false) {
  return row_texts(tables_of(profile, name, {{"hta", hta ? "true" : "false"}})[0]);
}

using JobRows = std::vector<std::string>;

}  // namespace

TEST_CASE("MTIA jobs are on the stream in their arguments, or on their thread") {
  const auto profile = accelerated();
  const trace::Rank& rank = *profile->ranks[0];
  REQUIRE(rank.devices.size() == 1);
  CHECK(rank.devices[0].id == 9);
  REQUIRE(rank.devices[0].streams.size() == 2);
  std::map<std::string, std::int64_t> streams;
  for (const std::uint32_t t : rank.devices[0].streams) streams[rank.tracks[t].label] = rank.tracks[t].id;
  CHECK(streams == std::map<std::string, std::int64_t>{{"stream 1", 1}, {"DMA_REQUEST", -801}});
  CHECK(rank.launches.size() == 2);
  const analysis::ProfileSummary summary = analysis::summarize(*profile);
  CHECK(summary.runs == 5);
  CHECK(summary.launches == 2);
  CHECK(summary.connections == 2);
  CHECK(summary.streams == 2);
  CHECK(summary.gpus == 1);
  CHECK(summary.slices_by_category.at("mtia_ccp_events") == 5);
}

TEST_CASE("MTIA jobs are GPU activity, transfers are memory operations by name, and HTA counts only jobs on a stream") {
  const auto profile = accelerated();
  // Idle, computation and other time, from the first start to the last end.
  CHECK(main_rows(*profile, "temporal_breakdown")[0].starts_with("0 120000 150000 40000 310000"));
  CHECK(main_rows(*profile, "temporal_breakdown", true)[0].starts_with("0 70000 150000 30000 250000"));
  CHECK(main_rows(*profile, "gpu_kernel_breakdown").size() == 3);
  CHECK(main_rows(*profile, "cuda_kernel_launch_stats") ==
        JobRows{fmt::format("0 0 {} 5000 100000 95000 100000 1 add-dtype_Float 9 1 ", kRunFunction),
                fmt::format("0 10000 {} 5000 50000 285000 290000 1 fc-dtype_Float 9 1 late start", kRunFunction)});
  CHECK(main_rows(*profile, "cuda_kernel_launch_stats", true).size() == 2);
  CHECK(main_rows(*profile, "queue_length_time_series") ==
        JobRows{"0 9 1 0 1", "0 9 1 10000 2", "0 9 1 100000 1", "0 9 1 300000 0"});
  CHECK(main_rows(*profile, "memory_bw_time_series").empty());
  CHECK(main_rows(*profile, "memory_bw_time_series", true).size() == 4);
}

TEST_CASE("MTIA transfers are excluded from bandwidths with a note") {
  const Table table = tables_of(*accelerated(), "memory_bw_summary")[0];
  CHECK(table.rows() == 0);
  CHECK(table.note == "GPU activity excluded because it is a memcpy by name only and has no byte count: 3.");
}

TEST_CASE("waiting MTIA jobs are not kernels and do not make the device busy") {
  const auto profile = accelerated(true);
  const analysis::ProfileSummary summary = analysis::summarize(*profile);
  CHECK(summary.runs == 6);  // the five, and wait_tensor
  CHECK(summary.launches == 2);
  CHECK(summary.connections == 2);
  CHECK(summary.streams == 2);
  CHECK(summary.slices_by_category.at("mtia_ccp_events") == 7);
  for (const std::string& row : row_texts(tables_of(*profile, "kernel_launches")[0]))
    CHECK_FALSE(row.starts_with("event_wait"));
  // Kernels and transfers take 100 + 30 + 50 + 10 + 10 µs without overlaps; the span is from 100 to 5 710 µs.
  CHECK(row_texts(tables_of(*profile, "gpu_active_time")[0]) ==
        JobRows{"active 200000 0.0356506", "idle 5410000 0.964349"});
  const Table activity = std::move(tables_of(*profile, "gpu_activity")[0]);
  CHECK(activity.at(2, 0).text() == "sync");
  CHECK(activity.at(2, 1).integer() == 5'000'000);
  CHECK(main_rows(*profile, "cuda_kernel_launch_stats").size() == 2);
  // HTA counts it as a kernel.
  CHECK(contains(
      fmt::format("{}", fmt::join(row_texts(tables_of(*profile, "gpu_kernel_breakdown", {{"hta", "true"}})[1]), ";")),
      "event_wait"));
}

TEST_CASE("waiting jobs are distinguished from kernels with similar names") {
  for (const char* name : {"event_wait", "stream_wait-dtype_Int", "wait_for_event", "EventSynchronize", "barrier"})
    CHECK(trace::is_waiting_name(name));
  for (const char* name : {"aten::wait_tensor-dtype_Float", "sync_batch_norm", "fc-dtype_Float", "dma_request", ""})
    CHECK_FALSE(trace::is_waiting_name(name));
}
