#pragma once
// Reads traces in the Trace Event Format, as written by all versions of Kineto and PyTorch, processes killed while
// writing, editors and other exporters. Passes events and metadata to a sink in file order, and reports repairs and
// omissions as diagnostics. Never holds the whole document in memory.
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/diagnostics.hpp"
#include "core/base/progress.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/events/raw_event.hpp"
#include "core/ingest/format/read_options.hpp"
#include "core/ingest/format/trace_format.hpp"

namespace warpscope::ingest {

struct ParseOutcome {
  enum class Shape : std::uint8_t {
    trace,      ///< a list of events was found, possibly empty
    empty,      ///< no text
    foreign,    ///< not JSON: neither an object nor an array
    no_events,  ///< JSON without traceEvents, or an array without events
  };

  Shape shape = Shape::empty;
  std::uint64_t events = 0;      ///< passed to the sink
  std::uint64_t text_bytes = 0;  ///< decompressed size of the text read
  bool truncated = false;        ///< the text ends before the document is complete
  bool cancelled = false;
  std::optional<Error> failure;  ///< the input could not be read to its end
  std::string detail;            ///< for an unsupported document: its first bytes, or its type

  /// Returns an error about `file` if there is nothing to show; nullopt if there is a trace.
  [[nodiscard]] std::optional<Error> why_no_trace(const std::string& file) const;
};

/// Which events' arguments are checked completely; see skip_object in object_kernel.hpp.
enum class ArgumentCheck : std::uint8_t {
  new_shapes,  ///< those that differ from the arguments of earlier events
  all,         ///< for formats whose kinds of events all have the same fields
};

/// Parses a trace. `file` identifies the source in diagnostics. `progress` (may be null) advances by the compressed
/// bytes consumed. Cancelling `cancel` (may be null) stops within a block. Throws only what the sink throws and
/// std::bad_alloc.
[[nodiscard]] ParseOutcome parse_trace_events(ByteStream& stream, EventSink& sink, Diagnostics& diagnostics,
                                              const std::string& file, Progress* progress = nullptr,
                                              const CancelToken* cancel = nullptr, const ParseLimits& limits = {},
                                              ArgumentCheck check = ArgumentCheck::new_shapes);

/// Passes the events in a piece of text to `sink`. Does not report problems; a full read does.
ParseOutcome look_at_events(std::string_view text, EventSink& sink);

/// One of several passes over a file. For progress, each pass counts as `sixths`/6 of the file's bytes, so all passes
/// add up to the whole file. Ends early once `enough` (may be empty) returns true.
class Pass final : public ByteStream {
 public:
  Pass(ByteStream& stream, std::uint64_t sixths, std::function<bool()> enough = {})
      : stream_(stream), sixths_(sixths), enough_(std::move(enough)) {}
  Result<std::size_t> read(std::span<char> into) override {
    return enough_ && enough_() ? std::size_t{0} : stream_.read(into);
  }
  [[nodiscard]] std::uint64_t consumed() const override { return stream_.consumed() * sixths_ / 6; }
  [[nodiscard]] const FileStamp& stamp() const override { return stream_.stamp(); }
  [[nodiscard]] std::span<const InputDamage> damage() const override { return stream_.damage(); }

 private:
  ByteStream& stream_;
  std::uint64_t sixths_;
  std::function<bool()> enough_;
};

/// Records the outcome of reading the file at `path` in `contents`.
void record_outcome(const ParseOutcome& outcome, const std::string& path, FileContents& contents);

/// Reports the corruption found in `stream`, which was read to the end or failed with `failure` after `text` bytes of
/// text.
void report_damage(const ByteStream& stream, const Failure& failure, std::uint64_t text, Diagnostics& diagnostics,
                   const std::string& file);

}  // namespace warpscope::ingest
