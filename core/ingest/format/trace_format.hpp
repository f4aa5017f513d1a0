#pragma once
// The interface of a trace format. A format recognizes its files by content, summarizes a file for a list, reads it
// into slices, counters and flows, and returns single events in full. All other code uses this interface: to find the
// traces in a directory, to estimate the cost of a load, to choose the reader of a file, and to fill the store.
//
// A new format is a folder under core/ingest/formats and a line in formats/format_list.cpp. A format whose files are
// JSON of the Trace Event Format derives from TraceEventsFormat and only defines what its events mean.
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
#include "core/ingest/events/pending_rank.hpp"
#include "core/ingest/format/event_text.hpp"
#include "core/ingest/format/read_options.hpp"
#include "core/store/event_archive.hpp"
#include "core/trace/rank.hpp"

namespace warpscope::ingest {

/// The beginning of a file, decompressed. Formats are recognized by this text alone. File names are unreliable, so
/// `path` only helps to describe the file.
struct FileHead {
  std::string_view path;
  std::string_view text;    ///< kFormatHead bytes, fewer only if the text is shorter
  std::string_view tail{};  ///< the last kFormatTail bytes of the text; "" if they were not read
};
inline constexpr std::size_t kFormatHead = std::size_t{32} << 10;
inline constexpr std::size_t kFormatTail = std::size_t{4} << 10;

/// Summary of an unread file for a list. Times are ns since the Unix epoch.
struct FileSummary {
  std::string node;           ///< host name; "" if unknown
  std::optional<Ns> begin;    ///< first time in the file
  std::optional<Ns> offset;   ///< first time if it is relative to a base that may follow in the tail
  std::optional<Ns> in_name;  ///< time in the file name
  std::optional<std::int64_t> rank;
  std::int64_t world_size = 0;         ///< 0: unknown
  std::optional<std::size_t> devices;  ///< visible to its process
  bool distributed = false;            ///< one of a job's processes that drive one device each
  bool device_backend = false;         ///< its collectives run on devices, one per process
};

/// Everything read from a file's text.
struct FileContents {
  PendingRank pending;
  trace::Categories categories;  ///< of the slices in `pending`
  std::uint64_t text_bytes = 0;  ///< decompressed size of the text read
  bool cancelled = false;
  bool damaged = false;           ///< some of the text may differ from what was written
  std::optional<Error> no_trace;  ///< why there is nothing to show
};

/// Reads one file. A reader that can use several threads overrides help().
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  /// Call once. Errors: the file cannot be opened or read at all; corruption within it goes to the diagnostics.
  virtual Result<std::unique_ptr<FileContents>> read() = 0;
  /// Does a unit of independent work if there is one: from any thread, before, during and after read().
  virtual bool help() { return false; }
};

/// Number of slices in a piece of text.
struct SliceCount {
  std::uint64_t slices = 0;
  std::string_view text;  ///< the part of the piece in which they were counted
};

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;
  /// Display name, such as "PyTorch profiler". Unique.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Returns true if the text is of this format.
  [[nodiscard]] virtual bool sniff(const FileHead& head) const = 0;
  /// Returns a summary from the beginning of the file; nullopt if it is not a trace.
  [[nodiscard]] virtual std::optional<FileSummary> summarize(const FileHead& head) const = 0;
  /// Returns what the name of a file says if files of this format have such names. A list opens only the first of them
  /// on each node.
  [[nodiscard]] virtual std::optional<FileSummary> summarize_name(std::string_view /*path*/) const {
    return std::nullopt;
  }
  /// True if it describes GPU activity that traces of the same job contain, too.
  [[nodiscard]] virtual bool repeats_traces() const { return false; }
  /// Returns the path of the group (see file_group.hpp) that a file of this format belongs to, by its name; nothing if
  /// it is a source by itself. All files of a group are read as one source.
  [[nodiscard]] virtual std::optional<std::string> group_of(std::string_view /*path*/) const { return std::nullopt; }
  /// Counts slices in a piece of text from the start of the file (`from_begin`) or from anywhere in it.
  [[nodiscard]] virtual SliceCount count_slices(std::string_view piece, bool from_begin) const = 0;
  /// Opens a reader. `source` and `options` must outlive it. `on_units` (may be empty) is called, from any thread, when
  /// help() may have work.
  [[nodiscard]] virtual std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                          std::function<void()> on_units) const = 0;
  /// Reads the events with these ids, which ascend, in full: calls visit(i, event) for each in order. An id is the
  /// offset that the reader gave a slice. Errors: the file changed or cannot be read; `cancel` (may be null) was
  /// cancelled. Earlier events were visited.
  [[nodiscard]] virtual Failure read_events(const trace::SourceFile& source, std::span<const std::uint64_t> ids,
                                            const std::function<void(std::size_t, const EventText&)>& visit,
                                            const CancelToken* cancel) const = 0;
  /// Adds the events of all slices of `rank` to `writer`, without finishing it. Errors: as above, and the writer's.
  [[nodiscard]] virtual Failure archive(const trace::Rank& rank, store::EventArchiveWriter& writer, Progress* progress,
                                        const CancelToken* cancel) const = 0;
  /// Returns the event for a text written by archive().
  [[nodiscard]] virtual EventText archived_event(std::string_view text) const = 0;
  /// Returns true if the reader names the slice of `event` so. False means that the source has changed.
  [[nodiscard]] virtual bool is_named(const EventText& event, std::string_view slice) const {
    const std::string* const name = event.find("name");
    return name == nullptr ? slice.empty() : event.repaired || *name == slice;
  }
};

/// The rank property with the name of its format, absent for the first format of the list.
inline constexpr std::string_view kFormatProperty = "trace format";

}  // namespace warpscope::ingest
