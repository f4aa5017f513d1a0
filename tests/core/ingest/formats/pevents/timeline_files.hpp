#pragma once
// Handwritten framework timelines, and helpers for tests of the ranks read from them.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"

namespace warpscope::tests {

inline constexpr std::int64_t kTimelineBase = 1'594'662'605'425'850;  // µs
inline constexpr Ns kTimelineUnit = 1000;                             // ns

/// Returns a timeline with a base time, one phase with number 1, and `events`.
inline std::string timeline_of(const std::string& events, const std::string& phase = "Forward",
                               std::int64_t base = kTimelineBase) {
  return R"([
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": )" +
         std::to_string(base) + R"(}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": ")" +
         phase + R"("}},
)" + events +
         "\n]\n";
}

inline std::string timeline_slice(const std::string& name, std::int64_t begin, std::int64_t length, int phase = 1,
                                  const std::string& arguments = "") {
  return R"({"name": ")" + name + R"(", "pid": )" + std::to_string(phase) + R"(, "ph": "X", "ts": )" +
         std::to_string(begin) + R"(, "dur": )" + std::to_string(length) + R"(, "args": {)" + arguments + "}}";
}

/// The samples of SageMaker Debugger's own tests. If they do not exist, warns and returns nothing.
inline std::optional<std::filesystem::path> debugger_samples() {
  const auto shared = shared_dir();
  const auto folder = shared.value_or("") / "traces/sagemaker/smdebug/tests/profiler/resources";
  if (shared && std::filesystem::exists(folder)) return folder;
  WARN("skipped: no shared traces");
  return std::nullopt;
}

struct ShownSlice {
  std::string track;
  std::string name;
  Ns begin = 0;
  Ns duration = 0;
  trace::SliceOrdinal ordinal = 0;
};

/// Returns all slices and marks of a rank, track by track.
inline std::vector<ShownSlice> shown_slices(const trace::Profile& profile, const trace::Rank& rank) {
  std::vector<ShownSlice> shown;
  for (const trace::Track& track : rank.tracks)
    for (std::uint32_t l = track.first_lane; l < track.first_lane + track.lane_count; ++l)
      for (std::uint32_t i = 0; i < rank.lanes[l].size(); ++i) {
        const trace::SliceOrdinal slice = rank.ordinal({l, i});
        shown.push_back({track.label, std::string(profile.names().view(rank.name(slice))), rank.begin(slice),
                         rank.duration(slice), slice});
      }
  return shown;
}

inline const ShownSlice* find_slice(const std::vector<ShownSlice>& slices, std::string_view name) {
  for (const ShownSlice& slice : slices)
    if (slice.name == name) return &slice;
  return nullptr;
}

inline const Diagnostic* find_diagnostic(const Diagnostics& diagnostics, std::string_view code) {
  for (const Diagnostic& one : diagnostics.all())
    if (one.code == code) return &one;
  return nullptr;
}

}  // namespace warpscope::tests
