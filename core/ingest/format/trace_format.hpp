#pragma once
// The seam for formats of traces. A format knows how to recognize its files by their content, what to say of one in a
// list, how to read one into slices, counters and flows, and how to show one event in full. Everything else asks here:
// which files of a directory are traces, what a load will cost, who reads a file, what stands in the store.
//
// A new format is a folder under core/ingest/formats and a line in formats/format_list.cpp. One whose files are JSON of
// the Trace Event Format derives from TraceEventsFormat and says only what its events mean.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/ingest/bytes/checkpoints.hpp"
#include "core/ingest/events/pending_rank.hpp"
#include "core/ingest/format/event_text.hpp"
#include "core/ingest/format/read_options.hpp"
#include "core/store/event_archive_writer.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// The beginning of a file, decompressed: all that formats are told apart by. Names of files lie, so `path` only helps
/// to describe one.
struct FileHead {
  std::string_view path;
  std::string_view text;  ///< kFormatHead bytes, fewer only if the text is shorter
};
inline constexpr std::size_t kFormatHead = std::size_t{32} << 10;

/// What a list shows of a file that was not read. Times are ns since the Unix epoch.
struct FileSummary {
  std::string node;          ///< host name; "" if unknown
  std::optional<Ns> begin;   ///< first time in it
  std::optional<Ns> offset;  ///< first time in it where that is no date: it counts from a base further back in the file
  std::optional<std::int64_t> rank;
  std::int64_t world_size = 0;         ///< 0: unknown
  std::optional<std::size_t> devices;  ///< that its process could see
  bool distributed = false;            ///< one of a job's processes, which drive one device each
  bool device_backend = false;         ///< its collectives run on devices, one a process
};

/// All that is made of a file's text.
struct FileContents {
  PendingRank pending;
  trace::Categories categories;  ///< of the slices in `pending`
  std::uint64_t text_bytes = 0;  ///< decompressed, as far as it was read
  bool cancelled = false;
  bool damaged = false;                            ///< some of the text may not be what was written
  std::optional<Error> no_trace;                   ///< why there is nothing to show
  std::shared_ptr<const Checkpoints> checkpoints;  ///< if they were asked for and the file is compressed
};

/// Reads one file. A reader that can use several threads lets them help.
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  /// Called once. Errors: the file cannot be opened or read at all; damage within it goes to the diagnostics.
  virtual Result<std::unique_ptr<FileContents>> read() = 0;
  /// Does some of the work, if there is some that can be done apart: from any thread, before, during and after read().
  virtual bool help() { return false; }
};

/// How many slices a piece of text holds.
struct SliceCount {
  std::uint64_t slices = 0;
  std::string_view text;  ///< the part of the piece in which they were counted
};

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;
  /// For people: "PyTorch profiler". Unique.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// True if the text is of this format.
  [[nodiscard]] virtual bool sniff(const FileHead& head) const = 0;
  /// What the beginning says about the file; nothing if it is no trace after all.
  [[nodiscard]] virtual std::optional<FileSummary> summarize(const FileHead& head) const = 0;
  /// Counts slices in a piece of text that starts where the file does (`from_begin`) or anywhere in it.
  [[nodiscard]] virtual SliceCount count_slices(std::string_view piece, bool from_begin) const = 0;
  /// `source` and `options` must outlive the reader. `on_units` (may be empty) is called, from any thread, when help()
  /// may find something to do.
  [[nodiscard]] virtual std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                          std::function<void()> on_units) const = 0;
  /// Shows the events with these ids, which ascend, in full: visit(i, event) for each in turn. An id is what the reader
  /// gave a slice as its offset. `checkpoints` may be null. Errors: the file changed or cannot be read; `cancel` (may
  /// be null) was cancelled. Events before that were visited.
  [[nodiscard]] virtual Failure read_events(const trace::SourceFile& source, std::span<const std::uint64_t> ids,
                                            const std::function<void(std::size_t, const EventText&)>& visit,
                                            const CancelToken* cancel, const Checkpoints* checkpoints) const = 0;
  /// Adds the events of all slices of `rank` to `writer`, which is not finished. Errors: as above, and the writer's.
  [[nodiscard]] virtual Failure archive(const trace::Rank& rank, store::EventArchiveWriter& writer, Progress* progress,
                                        const CancelToken* cancel) const = 0;
  /// The event whose text archive() wrote.
  [[nodiscard]] virtual EventText archived_event(std::string_view text) const = 0;
};

/// The rank's property that names its format, where that is not the first of the list.
inline constexpr std::string_view kFormatProperty = "trace format";

}  // namespace warpscope::ingest
