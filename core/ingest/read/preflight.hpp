#pragma once
// What a load will cost, before it begins: bytes of text, slices, memory, seconds. Told from the sizes of the files and
// a look into a few of them, so that a directory of 800 files takes some ten milliseconds.
//
//   text     What a compressed file holds is told by its own trailer or header where that goes with what the sample of
//            it says (a trailer speaks of its last member only), else by the sample's ratio.
//   slices   Plain files are sampled in six places from begin to end. Compressed ones give away their begin only, and
//            that is no fair sample: host operators come first, device slices and flow arrows after them, so the begin
//            of real traces has half to twice the slices of the whole (in the same text). Across profilers, models and
//            machines the text of a slice differs less than that, so most weight lies on what is usual.
//   metrics  The many small files of system metrics count by their sizes: none is looked into.
//   seconds  The sample's own pace. What the disk will do is not known.
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct SourceEstimate {
  std::uint64_t text_bytes = 0;
  std::uint64_t slices = 0;
};

struct Preflight {
  std::size_t files = 0;          ///< those of system metrics among them
  std::size_t metrics_files = 0;  ///< of system metrics
  std::uint64_t disk_bytes = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t slices = 0;
  std::uint64_t resident_bytes = 0;     ///< memory after the load, at most
  std::uint64_t peak_bytes = 0;         ///< memory during the load, at most
  double seconds = 0;                   ///< 0: no idea
  std::vector<SourceEstimate> sources;  ///< in the order given
};

/// The bounds that loads are held to, for slices and for everything else.
inline constexpr std::uint64_t kResidentPerSlice = 28;
inline constexpr std::uint64_t kResidentBase = std::uint64_t{20} << 20;
inline constexpr std::uint64_t kPeakPerSlice = 64;
/// Text of system metrics that takes a byte of memory: a sample has some 100 bytes of it, and is a float or two if
/// others share its time, else its time and what is derived of it too.
inline constexpr std::uint64_t kMetricsTextPerResidentByte = 4;
inline constexpr std::uint64_t kMetricsTextPerPeakByte = 2;
inline constexpr std::uint64_t kPeakBase = std::uint64_t{32} << 20;

/// Estimates the load of `sources` on `threads` (0: as many as the machine has cores), with `metrics` beside them (see
/// Discovery). Files that cannot be read count as if they were like the others. Reads at most some MiB.
[[nodiscard]] Preflight preflight(std::span<const trace::SourceFile> sources, unsigned threads = 0,
                                  std::span<const trace::SourceFile> metrics = {});

/// "8 files, 475 MiB (6.10 GiB of text), about 14 million slices: at most 390 MiB of memory, 870 MiB while loading,
/// about 12 s", with "1 208 files (1 200 of system metrics)" where there are some; with a limit of memory (bytes; 0:
/// none) that it exceeds, what comes of that: "…; limit 64.0 MiB: ranks will wait on the disk".
[[nodiscard]] std::string describe(const Preflight& preflight, std::uint64_t memory_limit = 0);

}  // namespace warpscope::ingest
