#pragma once
// The interface of a trace format. Each format recognizes its files by content, or by name if there are thousands of
// small files. It reads files into slices, counters and flows, or into other data about a job. All other code uses this
// interface: to find the traces in a directory, to choose a file's reader, and to fill the store. Formats with slices
// also return individual events in full.
//
// To add a format, add a folder under core/ingest/formats and a line to formats/format_list.cpp. Formats based on the
// JSON Trace Event Format derive from TraceEventsFormat and only define how to interpret their events.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/ingest/events/pending_rank.hpp"
#include "core/ingest/format/event_text.hpp"
#include "core/ingest/format/read_options.hpp"
#include "core/store/event_archive.hpp"
#include "core/trace/source_data.hpp"

namespace warpscope::ingest {

/// The beginning of a file, decompressed. File names are unreliable, so use `path` only for groups and for files that
/// may be corrupt.
struct FileHead {
  std::string_view path;
  std::string_view text;  ///< up to kFormatHead bytes; in directory searches, about 4 KiB
};
inline constexpr std::size_t kFormatHead = std::size_t{32} << 10;

/// What a file's name says about it before it is opened.
struct NamedFile {
  bool ignore = false;      ///< it belongs to the format but has no data
  std::string_view code{};  ///< diagnostic for an ignored or empty file; "" if none is needed
  std::string_view why{};
};

/// Reason for skipping a file that duplicates traces next to it.
struct Copy {
  std::string_view code;  ///< diagnostic code
  std::string_view why;
  bool same_folder = false;  ///< only next to traces in its own folder
  std::string beside{};      ///< only next to traces whose names start with this; "": any
};

struct MergedRank;

/// Everything read from a file's text: a rank (its slices are in `pending`), `data`, or the ranks in `merged`.
struct FileContents {
  PendingRank pending;           ///< includes the diagnostics for everything read
  trace::Categories categories;  ///< of the slices in `pending`
  trace::SourceData data;        ///< of a format without slices
  bool has_rank = true;          ///< false: there is only `data`, and `pending` has only diagnostics
  std::shared_ptr<const ReaderState> state;
  std::uint64_t text_bytes = 0;  ///< decompressed size of the text read
  bool cancelled = false;
  std::optional<Error> no_trace;                    ///< why there is nothing to show
  std::vector<std::unique_ptr<MergedRank>> merged;  ///< the ranks of a merged file, in file order
};

/// One of several ranks in a file.
struct MergedRank : FileContents, RankInFile {};

/// Reads one file. Readers that can use several threads override help().
class TraceReader {
 public:
  virtual ~TraceReader() = default;
  /// Reads the file. Call once. Errors: the file cannot be opened or read at all. Corruption within the file is
  /// reported as diagnostics.
  virtual Result<std::unique_ptr<FileContents>> read() = 0;
  /// Performs a unit of independent work, if any. May be called from any thread, before, during or after read().
  virtual bool help() { return false; }
};

/// Returns a reader that calls `read`.
[[nodiscard]] std::unique_ptr<TraceReader> reader_of(std::function<Result<std::unique_ptr<FileContents>>()> read);
/// Returns a reader for one file without slices: `read` sets FileContents::data and adds diagnostics.
[[nodiscard]] std::unique_ptr<TraceReader> data_reader(std::function<void(FileContents&)> read);

/// Returns the first kFormatHead bytes of a file's text, or fewer if the file is corrupt before that point; an error if
/// it cannot be opened.
[[nodiscard]] Result<std::string> read_head(const std::string& path, const CancelToken* cancel = nullptr);

/// A rank and the archive of its events.
struct ArchivedRank {
  const trace::Rank& rank;
  store::EventArchiveWriter& archive;
};

class TraceFormat {
 public:
  virtual ~TraceFormat() = default;
  /// Returns the display name, such as "PyTorch profiler". Unique.
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// Returns true if the text is in this format.
  [[nodiscard]] virtual bool sniff(const FileHead& head) const = 0;
  /// Recognizes a file by its name; nullopt if the name does not match, or if the content decides.
  [[nodiscard]] virtual std::optional<NamedFile> look_at_name(std::string_view /*path*/) const { return std::nullopt; }
  /// Returns the reason for skipping this file if it is next to other traces; nullopt to keep it.
  [[nodiscard]] virtual std::optional<Copy> copy_of(const FileHead& /*head*/) const { return std::nullopt; }
  /// True if the format duplicates GPU activity found in traces of the same job.
  [[nodiscard]] virtual bool repeats_traces() const { return false; }
  /// Returns the path of the group (see file_group.hpp) that contains this file, based on its name; nullopt if the file
  /// is a separate source. All files in a group are read as one source.
  [[nodiscard]] virtual std::optional<std::string> group_of(std::string_view /*path*/) const { return std::nullopt; }
  /// Opens a reader. `source` and `options` must outlive it. `on_units` (may be empty) is called, from any thread, when
  /// help() may have work.
  [[nodiscard]] virtual std::unique_ptr<TraceReader> open(const trace::SourceFile& source, const ReadOptions& options,
                                                          std::function<void()> on_units) const = 0;
  /// Reads the `wanted` rows of the events with these ascending ids and calls visit(i, event) for each. Errors: the
  /// file changed or cannot be read; cancelled via `cancel` (may be null). Events before the error are still visited.
  [[nodiscard]] virtual Failure read_events(const trace::SourceFile& source, std::span<const std::uint64_t> ids,
                                            const std::function<void(std::size_t, const EventText&)>& visit,
                                            WantedRows wanted, const CancelToken* cancel) const;
  /// Returns the id of the event that starts at byte `offset` in the text of `file`; nullopt if unknown. `file`: the
  /// source or a file in its group.
  [[nodiscard]] virtual std::optional<std::uint64_t> event_at(const std::string& /*source*/, std::string_view /*file*/,
                                                              std::uint64_t /*offset*/) const {
    return std::nullopt;
  }
  /// Adds the events of all slices to the archives of their ranks. All ranks must be from the same file. Does not
  /// finish the archives. Errors: those of read_events() and of the writers.
  [[nodiscard]] virtual Failure archive(std::span<const ArchivedRank> ranks, Progress* progress,
                                        const CancelToken* cancel) const;
  /// Returns the `wanted` rows of the event in a text written by archive().
  [[nodiscard]] virtual EventText archived_event(std::string_view text, WantedRows wanted) const;
  /// Returns true if `slice` is the name that the reader gives the slice of `event`. If not, the source has changed.
  [[nodiscard]] virtual bool is_named(const EventText& event, std::string_view slice) const;
};

/// Rank property for the trace format's name; absent for the first format in the list.
inline constexpr std::string_view kFormatProperty = "trace format";

}  // namespace warpscope::ingest
