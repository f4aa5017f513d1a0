#pragma once

// Reads a whole Kineto file with simdjson in the slow and obvious way and counts its contents. Tests compare the
// generator's truth and the program's reader with it. Handles only valid JSON without defects.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::tests {

struct NaiveSlice {
  std::string name;
  std::string category;
  std::int64_t pid = 0;
  std::int64_t tid = 0;  // 7 for "stream 7"; for a job, the stream in its arguments, or its thread below 0
  std::int64_t begin = 0;
  std::int64_t duration = 0;
  std::int64_t correlation = -1;
  std::int64_t bytes = -1;
  double bandwidth = -1;  // GB/s
  double blocks_per_sm = -1;
  double occupancy = -1;  // %
  std::int64_t zero = 0;  // time that is written as 0

  [[nodiscard]] std::int64_t end() const { return begin + duration; }
  [[nodiscard]] bool run() const;
  [[nodiscard]] bool call() const {
    return category == "cuda_runtime" || category == "cuda_driver" || category == "Runtime" ||
           category == "mtia_runtime";
  }
  [[nodiscard]] bool job() const { return category == "mtia_ccp_events"; }
  [[nodiscard]] bool possible() const {
    constexpr std::int64_t kWeek = 7LL * 24 * 3600 * 1'000'000'000;
    return duration >= 0 && duration < kWeek && begin != zero;
  }
};

struct NaiveFile {
  std::int64_t rank = -1;
  std::int64_t world = -1;
  std::string host;
  std::int64_t events = 0;
  std::map<std::string, std::int64_t> phases;
  std::int64_t fwdbwd = 0;
  std::vector<NaiveSlice> slices;  // X events only
};

// Converts "12.345" µs to ns, digit by digit.
std::int64_t naive_ns(std::string_view text);

/// Reads a whole number, with or without quotes; 0 if there is none.
std::int64_t naive_number(std::string_view json_token);

// Throws simdjson::simdjson_error for invalid JSON.
NaiveFile naive_read(std::string_view json);

// Length of the union of all valid GPU activities.
std::int64_t naive_busy(const NaiveFile& file);

}  // namespace warpscope::tests
