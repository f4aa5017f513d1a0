#pragma once
// A look into one file: how much text its bytes hold and how many slices its text.
#include <cstdint>

#include "core/base/result.hpp"
#include "core/ingest/bytes/content_kind.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

struct Sample {
  ContentKind kind = ContentKind::text;
  double share = 0;               ///< how much of the file the sample is drawn from: 1 all of it, from begin to end
  std::uint64_t text_bytes = 0;   ///< parsed
  std::uint64_t solid_bytes = 0;  ///< of these, not blank
  std::uint64_t slices = 0;       ///< in them
  std::uint64_t text_total = 0;   ///< of the whole file: as its trailer or header has it, else as far as one can tell
  std::uint64_t read_bytes = 0;   ///< of text; decompressed where need be
  double read_seconds = 0;        ///< that it took to read these
  double parse_seconds = 0;       ///< that it took to parse text_bytes
};

/// Parses up to `budget` bytes of the text of `source`, in several places: of all of a plain file, of the first `depth`
/// bytes of the text of a compressed one. Errors: it cannot be opened or read.
[[nodiscard]] Result<Sample> take_sample(const trace::SourceFile& source, std::size_t budget, std::size_t depth);

/// True if the slices in the sample are those of the file.
[[nodiscard]] inline bool is_whole(const Sample& sample) {
  return sample.share == 1 && sample.text_bytes == sample.text_total;
}

}  // namespace warpscope::ingest
