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
std::string timeline_of(const std::string& events, const std::string& phase = "Forward",
                        std::int64_t base = kTimelineBase);

std::string timeline_slice(const std::string& name, std::int64_t begin, std::int64_t length, int phase = 1,
                           const std::string& arguments = "");

/// The samples of SageMaker Debugger's own tests. If they do not exist, warns and returns nothing.
std::optional<std::filesystem::path> debugger_samples();

struct ShownSlice {
  std::string track;
  std::string name;
  Ns begin = 0;
  Ns duration = 0;
  trace::SliceOrdinal ordinal = 0;
};

/// Returns all slices and marks of a rank, track by track.
std::vector<ShownSlice> shown_slices(const trace::Profile& profile, const trace::Rank& rank);

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
