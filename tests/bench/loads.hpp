#pragma once
// Measures loads: `warpscope info PATH --json`, each time in a fresh process without a store, alternating with the
// floor for the same text.
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "tests/bench/floor.hpp"
#include "tests/bench/options.hpp"
#include "tests/bench/report.hpp"
#include "tests/bench/traces.hpp"

namespace warpscope::bench {

/// Medians of one subject. Times in seconds, sizes in bytes; NaN if not measured.
struct LoadFigures {
  std::string title;
  std::filesystem::path path;
  std::optional<TraceSpec> spec;  ///< of a generated trace
  bool plain = true;              ///< uncompressed
  double disk_bytes = 0;
  double text_bytes = 0;
  double slices = 0;
  double events = 0;
  double wall = 0;
  double cpu = 0;
  double system = 0;
  double peak = 0;      ///< peak resident memory, from the kernel
  double own_peak = 0;  ///< peak memory reported by the program
  double resident = 0;  ///< memory after the load, reported by the program
  double columns = 0;   ///< bytes per slice of columns, trees and connections, reported by the program
  double floor = 0;     ///< CPU time of the floor
  std::string trouble;  ///< why a measurement failed; else ""

  [[nodiscard]] double cpu_to_floor() const { return cpu / floor; }
  [[nodiscard]] double wall_to_cpu() const { return wall / cpu; }
  [[nodiscard]] double peak_per_slice() const { return peak / slices; }
  [[nodiscard]] double resident_per_slice() const { return resident / slices; }
};

struct LoadSubject {
  std::string title;
  std::filesystem::path path;
  std::optional<TraceSpec> spec;
};

struct LoadPlan {
  std::vector<LoadSubject> subjects;
  int floor_runs = 0;  ///< at most the number of runs
};

/// Runs one load with `program`, which is warpscope.
[[nodiscard]] Result<ProcessRun> run_info(const std::filesystem::path& path, const std::string& program);

/// Runs all loads, alternating between subjects; prints progress on stderr.
[[nodiscard]] std::vector<LoadFigures> measure_loads(const LoadPlan& plan, const Options& options);

/// If this process was started as the child that measures the floor of a path, measures it and returns the exit status.
[[nodiscard]] std::optional<int> run_as_floor_child(int argc, char** argv);

[[nodiscard]] Table time_table(const std::vector<LoadFigures>& loads);
[[nodiscard]] Table floor_table(const std::vector<LoadFigures>& loads);
[[nodiscard]] Table memory_table(const std::vector<LoadFigures>& loads);

/// Adds the generated sets of `specs`, with a note for each one that could not be generated.
void add_generated(LoadPlan& plan, const std::vector<TraceSpec>& specs, const Options& options, Report& report);

}  // namespace warpscope::bench
