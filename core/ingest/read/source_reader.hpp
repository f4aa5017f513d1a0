#pragma once
// From one file to one rank: the whole way, in units of work that several threads can share. Who reads it calls run();
// any other thread may call help() meanwhile, over and over. There are no threads here: with one caller all is done by
// it, in the same way and with the same result.
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/ingest/build/rank_builder.hpp"
#include "core/ingest/events/batch_joiner.hpp"
#include "core/ingest/formats/kineto/doubtful_text.hpp"
#include "core/ingest/formats/kineto/parse_kineto.hpp"
#include "core/ingest/formats/kineto/piece_ring.hpp"
#include "core/ingest/read/shared_units.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

struct ReadOptions {
  Progress* progress = nullptr;         ///< gains the bytes of the file as they are used
  const CancelToken* cancel = nullptr;  ///< once cancelled the rank is of what was read by then, or there is none
  bool keep_checkpoints = false;        ///< of a compressed file, see Checkpoints
  PieceSizes pieces;
  ParseLimits limits;
  std::uint64_t most_slices = BatchJoiner::kMostSlices;
  /// A rank of more slices is not built once the work is cancelled: it would take longer than people wait.
  std::uint64_t built_after_cancel = 1'000'000;
};

struct ReadOutcome {
  std::shared_ptr<const trace::Rank> rank;  ///< null if there is none
  std::string_view code;                    ///< of the diagnostic that says why: "unreadable-file", "not-a-trace" …
  Severity severity = Severity::error;
  std::optional<Error> failure;                              ///< what was wrong, if there is no rank
  std::shared_ptr<const Checkpoints> checkpoints = nullptr;  ///< if they were asked for and the file is compressed
};

class SourceReader {
 public:
  /// `ordinal`: of the file in its directory. Names go to `dictionary`. `on_units` (may be empty) is called, from any
  /// thread, when help() may find something to do.
  SourceReader(trace::SourceFile source, std::int64_t ordinal, trace::Dictionary& dictionary, ReadOptions options,
               std::function<void()> on_units = {});

  /// Reads the file. Call it once.
  [[nodiscard]] ReadOutcome run();
  /// Does some of the work, if there is some that can be done apart. Safe from any thread while the reader lives, also
  /// before and after run().
  bool help();

 private:
  /// All that is made of the file's text.
  struct Text {
    PendingRank pending;
    trace::Categories categories;
    ParseOutcome outcome;
    std::shared_ptr<const Checkpoints> checkpoints;
    bool damaged = false;
  };
  Failure read(Text& text, const std::vector<TextRange>& left_out, Progress* progress);
  std::shared_ptr<const trace::Rank> build(Text& text);

  trace::SourceFile source_;
  std::int64_t ordinal_;
  trace::Dictionary& dictionary_;
  ReadOptions options_;
  std::function<void()> on_units_;
  SharedUnits units_;
  std::mutex mutex_;  // guards ring_
  std::shared_ptr<PieceRing> ring_;
};

/// Reads one file on this thread.
[[nodiscard]] ReadOutcome read_source(trace::SourceFile source, std::int64_t ordinal, trace::Dictionary& dictionary,
                                      const ReadOptions& options = {});

}  // namespace warpscope::ingest
