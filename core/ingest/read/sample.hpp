#pragma once
// Samples a file to estimate its ratios of text to bytes on disk and slices to text.
#include <cstdint>

#include "core/base/result.hpp"
#include "core/ingest/bytes/content_kind.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct Sample {
  ContentKind kind = ContentKind::text;
  double share = 0;               ///< fraction of the file from which the sample was drawn; 1: all of it
  std::uint64_t text_bytes = 0;   ///< parsed
  std::uint64_t solid_bytes = 0;  ///< of these, not white space
  std::uint64_t slices = 0;       ///< slices in this text
  std::uint64_t text_total = 0;   ///< of the whole file: from its trailer or header, or estimated
  std::uint64_t read_bytes = 0;   ///< of text, decompressed if necessary
  double read_seconds = 0;        ///< time to read these
  double parse_seconds = 0;       ///< time to parse text_bytes
};

/// Parses up to `budget` bytes of the text of `source` in several places: anywhere in a plain file, or in the first
/// `depth` bytes of text of a compressed file. Errors: the file cannot be opened or read.
[[nodiscard]] Result<Sample> take_sample(const trace::SourceFile& source, std::size_t budget, std::size_t depth);

/// Returns true if the sample covers the whole file.
[[nodiscard]] inline bool is_whole(const Sample& sample) {
  return sample.share == 1 && sample.text_bytes == sample.text_total;
}

}  // namespace warpscope::ingest
