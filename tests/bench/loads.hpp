#pragma once
// Measures loads: `warpscope info PATH --json`, each time a fresh process of a user who has no store, in turn with the
// floor over the same text.
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

/// Medians of one subject. Times in seconds, sizes in bytes; NaN where it could not be measured.
struct LoadFigures {
  std::string title;
  std::filesystem::path path;
  std::optional<TraceSpec> spec;  ///< of a generated one
  bool plain = true;              ///< not compressed
  double disk_bytes = 0;
  double text_bytes = 0;
  double slices = 0;
  double events = 0;
  double wall = 0;
  double cpu = 0;
  double system = 0;
  double peak = 0;      ///< resident, as the kernel accounted it
  double own_peak = 0;  ///< as the program reports it
  double resident = 0;  ///< after the load, as the program reports it
  double columns = 0;   ///< bytes a slice of columns, trees and connections, as the program reports it
  double floor = 0;     ///< CPU time of the floor
  std::string trouble;  ///< why something could not be measured; else ""

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
  int floor_runs = 0;  ///< at most the runs
};

/// One load by `program`, warpscope.
[[nodiscard]] Result<ProcessRun> run_info(const std::filesystem::path& path, const std::string& program);

/// Runs them all, in turn; says on stderr how far it is.
[[nodiscard]] std::vector<LoadFigures> measure_loads(const LoadPlan& plan, const Options& options);

/// If the program was started as the child that measures the floor of one path: does that and returns its exit status.
[[nodiscard]] std::optional<int> run_as_floor_child(int argc, char** argv);

[[nodiscard]] Table time_table(const std::vector<LoadFigures>& loads);
[[nodiscard]] Table floor_table(const std::vector<LoadFigures>& loads);
[[nodiscard]] Table memory_table(const std::vector<LoadFigures>& loads);

/// Adds the generated sets `specs`, and a note for each that could not be made.
void add_generated(LoadPlan& plan, const std::vector<TraceSpec>& specs, const Options& options, Report& report);

}  // namespace warpscope::bench
