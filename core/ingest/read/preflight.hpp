#pragma once
// Estimates the cost of a load before it starts: text size, slices, memory and time. Uses file sizes and samples of a
// few files, so a directory of 800 files takes about ten milliseconds.
//
//   text     The size of compressed text comes from the file's trailer or header if that is plausible given the sample
//            (a trailer describes only its last member), otherwise from the sample's ratio.
//   slices   Plain files are sampled in six places from start to end. Compressed files can only be sampled at the
//            start, which is not representative: host operators come first, followed by GPU activity and flow arrows,
//            so the start of a real trace has half to twice as many slices per byte of text as the whole file. Text
//            per slice varies less across profilers, models and machines, so the typical value gets most of the weight.
//   others   For formats without slices, such as system metrics, the estimate uses only file sizes.
//   seconds  Measured on the sample. Disk speed is unknown.
#include <cstdint>
#include <span>
#include <string>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct Preflight {
  std::size_t files = 0;  ///< including those of groups
  std::uint64_t disk_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t slices = 0;
  std::uint64_t resident_bytes = 0;  ///< upper bound on memory use after the load
  std::uint64_t peak_bytes = 0;      ///< upper bound on memory use during the load
  double seconds = 0;                ///< 0: unknown
};

/// Upper bounds on a load's memory use in bytes, after loading (resident) and at its peak: a fixed base plus an amount
/// per slice.
inline constexpr std::uint64_t kResidentPerSlice = 28;
inline constexpr std::uint64_t kResidentBase = std::uint64_t{20} << 20;
inline constexpr std::uint64_t kPeakPerSlice = 64;
inline constexpr std::uint64_t kPeakBase = std::uint64_t{32} << 20;

/// Estimates the time and memory needed to load `sources` with `threads` threads (0: number of cores). Assumes that
/// unreadable files are like the others. Reads at most a few MiB.
[[nodiscard]] Preflight preflight(std::span<const trace::SourceFile> sources, unsigned threads = 0);

/// "8 files, 475 MiB (6.10 GiB of text), about 14 million slices: at most 390 MiB of memory, 870 MiB while loading,
/// about 12 s". If the estimate exceeds the memory limit (bytes; 0: none), appends the consequence: "…; limit 64.0 MiB:
/// ranks will stay on disk".
[[nodiscard]] std::string describe(const Preflight& preflight, std::uint64_t memory_limit = 0);

}  // namespace warpscope::ingest
