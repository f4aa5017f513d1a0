#pragma once
// Reads one file (a rank or other data) in work units that several threads can share. The owner calls run();
// other threads may call help() repeatedly during that time. Starts no threads itself. The result does not depend on
// the number of callers.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/base/threads/shared_units.hpp"
#include "core/ingest/build/rank_builder.hpp"
#include "core/ingest/format/trace_format.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

struct ReadOutcome {
  trace::SourceData data{};  ///< empty if there is nothing to show, and for a merged file
  std::vector<std::shared_ptr<const trace::Rank>> merged{};  ///< the ranks of a merged file
  std::string_view code{};  ///< code of the diagnostic with the reason: "unreadable-file", "not-a-trace" …
  Severity severity = Severity::error;
  std::optional<Error> failure{};              ///< why there is no data
  Diagnostics diagnostics{};                   ///< of data other than ranks, which have their own
  std::shared_ptr<const ReaderState> state{};  ///< see ReadOptions::earlier

  [[nodiscard]] bool has_data() const { return data || !merged.empty(); }
};

class SourceReader {
 public:
  /// `ordinal`: index of the file in its directory. Adds names to `dictionary`. `on_units` (may be empty) is called,
  /// from any thread, when help() may have work.
  SourceReader(trace::SourceFile source, std::int64_t ordinal, trace::Dictionary& dictionary, ReadOptions options,
               std::function<void()> on_units = {});

  /// Reads the file. Call it once. Exceptions, such as bad_alloc, become failures.
  [[nodiscard]] ReadOutcome run();
  /// Performs a unit of independent work, if any. May be called from any thread during the reader's lifetime, including
  /// before and after run().
  bool help();

 private:
  [[nodiscard]] ReadOutcome read();
  [[nodiscard]] ReadOutcome other_data(FileContents& read);
  void let_help(std::shared_ptr<TraceReader> reader);
  /// `merged`: same object as `text` if that is one rank of a merged file; otherwise null.
  std::shared_ptr<const trace::Rank> build(const TraceFormat& format, FileContents& text, const MergedRank* merged);

  trace::SourceFile source_;
  std::int64_t ordinal_;
  trace::Dictionary& dictionary_;
  ReadOptions options_;
  std::function<void()> on_units_;
  SharedUnits units_;
  Mutex mutex_;
  std::shared_ptr<TraceReader> reader_ GUARDED_BY(mutex_);
};

/// Reads one file on this thread.
[[nodiscard]] ReadOutcome read_source(trace::SourceFile source, std::int64_t ordinal, trace::Dictionary& dictionary,
                                      const ReadOptions& options = {});

}  // namespace warpscope::ingest
