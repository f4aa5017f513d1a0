#pragma once
// Estimates the cost of a load before it starts from file sizes alone: text size, slices, memory and time. The length
// of gzip-compressed text comes from the file's trailer. Text per slice and speed are those of typical traces; eleven
// traces from PyTorch 1.9 to 2.6 on NVIDIA, AMD and MTIA range from 370 to 630 bytes per slice.
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
  std::uint64_t resident_bytes = 0;  ///< memory use after the load
  std::uint64_t peak_bytes = 0;      ///< memory use during the load
  double seconds = 0;
};

/// Memory for everything except slices, in bytes.
inline constexpr std::uint64_t kResidentBase = std::uint64_t{20} << 20;

/// Estimates the time and memory needed to load `sources` with `threads` threads (0: number of cores).
[[nodiscard]] Preflight preflight(std::span<const trace::SourceFile> sources, unsigned threads = 0);

/// "8 files, 475 MiB (6.10 GiB of text): about 14 million slices, 390 MiB of memory, 870 MiB while loading, 12 s". If
/// the estimate exceeds the memory limit (bytes; 0: none), appends the consequence: "; limit 64.0 MiB: ranks will stay
/// on disk".
[[nodiscard]] std::string describe(const Preflight& preflight, std::uint64_t memory_limit = 0);

}  // namespace warpscope::ingest
