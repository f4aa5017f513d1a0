#include "core/analysis/shared/memory_bandwidth.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;

using Rows = std::vector<std::string>;

namespace {

/// Memcpys and memsets as written by CUDA's profiler, in a file that exists as long as this object.
class Copies {
 public:
  /// `bandwidth`: in GB/s, as written by the profiler; "" to omit it.
  Copies& add(std::string_view name, double begin, double length, std::int64_t bytes, int device = 0, int stream = 7,
              std::string_view bandwidth = "") {
    std::string moved = bytes < 0 ? "" : fmt::format(R"(,"bytes":{})", bytes);
    if (!bandwidth.empty()) moved += fmt::format(R"_(,"memory bandwidth (GB/s)":{})_", bandwidth);
    text_ += fmt::format(R"({}{{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},)"
                         R"("args":{{"device":{},"stream":{}{}}}}})",
                         text_.empty() ? "" : ",\n", name.starts_with("Memset") ? "gpu_memset" : "gpu_memcpy", name,
                         device, stream, begin, length, device, stream, moved);
    return *this;
  }
  [[nodiscard]] std::shared_ptr<const trace::Profile> load() const {
    return tests::load(folder_.write("trace.json", trace_of(text_)));
  }
  [[nodiscard]] std::filesystem::path file() const { return folder_.path() / "trace.json"; }

 private:
  TestFolder folder_;
  std::string text_;
};

constexpr const char* kHtoD = "Memcpy HtoD (Pageable -> Device)";

Rows series(const trace::Profile& profile, const std::vector<analysis::Setting>& settings = {},
            const analysis::Scope& scope = {}) {
  return row_texts(tables_of(profile, "memory_bw_time_series", settings, scope)[0]);
}
Rows summary(const trace::Profile& profile, const std::vector<analysis::Setting>& settings = {},
             const analysis::Scope& scope = {}) {
  return row_texts(tables_of(profile, "memory_bw_summary", settings, scope)[0]);
}

}  // namespace

TEST_CASE("bandwidth is bytes divided by duration, summed over overlapping memcpys of a kind") {
  Copies copies;
  copies.add(kHtoD, 10, 4, 4000).add(kHtoD, 12, 4, 8000, 0, 8).add("Memset (Device)", 10, 1, 500);
  const auto profile = copies.load();
  CHECK(series(*profile) == Rows{"0 0 Memcpy HtoD 0 1e+09", "0 0 Memcpy HtoD 2000 3e+09", "0 0 Memcpy HtoD 4000 2e+09",
                                 "0 0 Memcpy HtoD 6000 0", "0 0 Memset 0 5e+08", "0 0 Memset 1000 0"});
  // Each rate held for 2 µs.
  CHECK(summary(*profile) == Rows{"0 Memcpy HtoD 0 3 2e+09 8.16497e+08 1e+09 1e+09 2e+09 3e+09 3e+09 2",
                                  "0 Memset 0 1 5e+08 0 5e+08 5e+08 5e+08 5e+08 5e+08 1"});
}

TEST_CASE("gaps between memcpys do not count as bandwidth 0") {
  Copies copies;
  copies.add(kHtoD, 10, 2, 2000).add(kHtoD, 1000, 2, 2000);
  CHECK(summary(*copies.load()) == Rows{"0 Memcpy HtoD 0 2 1e+09 0 1e+09 1e+09 1e+09 1e+09 1e+09 2"});
}

TEST_CASE("with whole-us durations the rate in the trace determines the memcpy's duration") {
  Copies copies;
  // One of 1.04 us that was recorded as 1; one with a whole-number bandwidth; one without a recorded bandwidth.
  copies.add(kHtoD, 10, 1, 2080, 0, 7, "2.0").add(kHtoD, 20, 2, 8100, 0, 7, "3").add(kHtoD, 30, 2, 2000);
  const auto profile = copies.load();
  CHECK(series(*profile) == Rows{"0 0 Memcpy HtoD 0 2e+09", "0 0 Memcpy HtoD 1040 0", "0 0 Memcpy HtoD 10000 3e+09",
                                 "0 0 Memcpy HtoD 12700 0", "0 0 Memcpy HtoD 20000 1e+09", "0 0 Memcpy HtoD 22000 0"});
  CHECK(contains(tables_of(*profile, "memory_bw_summary")[0].note,
                 "Durations are in whole µs: 2 memcpys and memsets use the rate recorded in the trace."));
  // Total bytes divided by total time.
  CHECK(tables_of(*profile, "memory_bw_summary")[0].at(0, 4).number() == Approx(12180 / 5.74e-6));
  CHECK(series(*profile, {{"hta", "true"}}) == Rows{"0 0 Memcpy HtoD 0 2e+09", "0 0 Memcpy HtoD 1000 0",
                                                    "0 0 Memcpy HtoD 10000 3e+09", "0 0 Memcpy HtoD 12000 0",
                                                    "0 0 Memcpy HtoD 20000 0", "0 0 Memcpy HtoD 22000 0"});
  CHECK(summary(*profile, {{"hta", "true"}}) ==
        Rows{"0 Memcpy HtoD 0 2 2.5e+09 7.07107e+08 2e+09 2.25e+09 2.5e+09 2.75e+09 3e+09 3"});
}

TEST_CASE("with sub-us durations the rate in the trace is ignored") {
  Copies copies;
  copies.add(kHtoD, 10, 1, 2080, 0, 7, "1.5").add("Memset (Device)", 20, 1.5, 300);
  CHECK(series(*copies.load()).front() == "0 0 Memcpy HtoD 0 2.08e+09");
  CHECK(tables_of(*copies.load(), "memory_bw_summary")[0].note.empty());
}

TEST_CASE("a rate in the trace that contradicts the duration is ignored") {
  const auto first_of = [](std::string_view bandwidth) {
    Copies copies;
    return series(*copies.add(kHtoD, 10, 2, 2000, 0, 7, bandwidth).load()).front();
  };
  CHECK(first_of("0.7") == "0 0 Memcpy HtoD 0 7e+08");  // 2.86 us
  for (const char* bandwidth : {"0.6", "2.1", "0", "-1", "1e300", "1e-300"})
    CHECK(first_of(bandwidth) == "0 0 Memcpy HtoD 0 1e+09");
  Copies copies;
  copies.add(kHtoD, 10, 2, 2000, 0, 7, "0.6").add(kHtoD, 20, 2, 2000, 0, 7, "0.9");
  CHECK(tables_of(*copies.load(), "memory_bw_summary")[0].note ==
        "Durations are in whole µs: 1 memcpys and memsets use the rate recorded in the trace; 1 use bytes divided by "
        "duration, because the recorded rate contradicts the duration.");
}

TEST_CASE("consecutive memcpys with truncated durations do not overlap") {
  Copies copies;
  copies.add(kHtoD, 10, 2, 2700, 0, 7, "1").add(kHtoD, 12, 2, 2700, 0, 7, "1");
  CHECK(series(*copies.load()) == Rows{"0 0 Memcpy HtoD 0 1e+09", "0 0 Memcpy HtoD 4700 0"});
}

TEST_CASE("a memcpy that reaches into the range only with its exact duration counts") {
  Copies copies;
  copies.add(kHtoD, 10, 1, 1500, 0, 7, "1").add(kHtoD, 20, 1, 900, 0, 7, "1");
  const auto profile = copies.load();
  const Ns zero = profile->span.begin;
  CHECK(series(*profile, {}, {{}, Interval{zero + 1200, zero + 9000}}) ==
        Rows{"0 0 Memcpy HtoD 1200 1e+09", "0 0 Memcpy HtoD 1500 0"});
  CHECK(series(*profile, {}, {{}, Interval{zero + 10'950, zero + 10'990}}).empty());
}

TEST_CASE("a note explains missing HTA bandwidths for a deleted trace") {
  Copies copies;
  copies.add(kHtoD, 10, 1, 2080, 0, 7, "2.0");
  const auto profile = copies.load();
  std::filesystem::remove(copies.file());
  CHECK(series(*profile).size() == 2);
  const Table table = std::move(tables_of(*profile, "memory_bw_time_series", {{"hta", "true"}})[0]);
  CHECK(table.rows() == 2);
  CHECK(table.at(0, 4).number() == 0);
  CHECK(contains(table.note, "Cannot read bandwidths from rank 0's trace; using none instead:"));
  CHECK(series(*profile) == Rows{"0 0 Memcpy HtoD 0 2.08e+09", "0 0 Memcpy HtoD 1000 0"});
  CHECK(contains(tables_of(*profile, "memory_bw_summary")[0].note, "using bytes per whole µs instead:"));
}

TEST_CASE("a zero-length memcpy counts as one microsecond, also in HTA") {
  Copies copies;
  copies.add(kHtoD, 10, 0, 2000, 0, 7, "2").add(kHtoD, 20, 2, 2000, 0, 7, "1");
  const auto profile = copies.load();
  for (const char* hta : {"false", "true"})
    CHECK(series(*profile, {{"hta", hta}}) == Rows{"0 0 Memcpy HtoD 0 2e+09", "0 0 Memcpy HtoD 1000 0",
                                                   "0 0 Memcpy HtoD 10000 1e+09", "0 0 Memcpy HtoD 12000 0"});
}

TEST_CASE("memcpys without a byte count are excluded with a note") {
  Copies copies;
  copies.add(kHtoD, 10, 2, 2000, 0, 7, "1").add(kHtoD, 20, 2, -1).add("Memset (Device)", 30, 2, -1);
  const auto profile = copies.load();
  CHECK(series(*profile).size() == 2);
  CHECK(contains(tables_of(*profile, "memory_bw_summary")[0].note,
                 "Memcpys and memsets excluded because they have no byte count: 2."));
  CHECK(series(*profile, {{"hta", "true"}}).size() == 6);  // no bandwidth
  CHECK(summary(*profile, {{"hta", "true"}}).size() == 1);
}

TEST_CASE("bandwidth is per device, merged in HTA") {
  Copies copies;
  copies.add(kHtoD, 10, 2, 2000, 0, 7, "1").add(kHtoD, 11, 2, 2000, 1, 7, "1");
  const auto profile = copies.load();
  CHECK(series(*profile) == Rows{"0 0 Memcpy HtoD 0 1e+09", "0 0 Memcpy HtoD 2000 0", "0 1 Memcpy HtoD 1000 1e+09",
                                 "0 1 Memcpy HtoD 3000 0"});
  CHECK(series(*profile, {{"hta", "true"}}) == Rows{"0 0 Memcpy HtoD 0 1e+09", "0 0 Memcpy HtoD 1000 2e+09",
                                                    "0 0 Memcpy HtoD 2000 1e+09", "0 0 Memcpy HtoD 3000 0"});
}

TEST_CASE("ROCm memcpys have the same kinds") {
  Copies copies;
  copies.add("CopyHostToDevice", 10, 2, 2000).add("FillBuffer", 20, 2, 2000);
  CHECK(series(*copies.load()).front() == "0 0 Memcpy HtoD 0 1e+09");
  CHECK(series(*copies.load()).back() == "0 0 Memcpy Unknown 12000 0");
}

TEST_CASE("only the part of a memcpy inside the range counts, at its full rate") {
  Copies copies;
  copies.add(kHtoD, 10, 4, 4000);
  const auto profile = copies.load();
  const Ns zero = profile->span.begin;
  const auto at = [&](Ns from, Ns to) { return analysis::Scope{{}, Interval{zero + from, zero + to}}; };
  CHECK(series(*profile, {}, at(1000, 2000)) == Rows{"0 0 Memcpy HtoD 1000 1e+09"});
  CHECK(summary(*profile, {}, at(1000, 2000)) == Rows{"0 Memcpy HtoD 0 1 1e+09 0 1e+09 1e+09 1e+09 1e+09 1e+09 1"});
  CHECK(series(*profile, {}, at(5000, 6000)).empty());
}

TEST_CASE("a note explains missing bandwidths") {
  for (const char* name : {"memory_bw_time_series", "memory_bw_summary"}) {
    CHECK(tables_of(*load_events(TinyEvents().op("aten::mm", 0, 4).text()), name)[0].note ==
          "No GPU activity in this selection.");
    CHECK(tables_of(*load_events(TinyEvents().run({.begin = 3}).text()), name)[0].note ==
          "No memcpys or memsets in this selection.");
  }
}

TEST_CASE("memory_bandwidths returns curves for drawing") {
  Copies copies;
  copies.add(kHtoD, 10, 2, 2000);
  const auto profile = copies.load();
  const auto bandwidths = analysis::memory_bandwidths(*profile, 0);
  REQUIRE(bandwidths.size() == 1);
  CHECK(bandwidths[0].kind == "Memcpy HtoD");
  CHECK(bandwidths[0].rate.values == std::vector<double>{1e9, 0});
  CHECK(bandwidths[0].rate.end == profile->span.begin + 2000);
}
