#pragma once
// Splits a file's text into pieces that any thread can read and parse ahead of the reader.
//
// Idea: text cannot be split into events without reading it from the start, but guesses about where an event starts are
// nearly always correct. So any free thread parses a piece (a few hundred KiB) into a separate batch, starting at the
// piece's first plausible event. The document reader remains authoritative: it walks the document from the start. If it
// reaches exactly the event a piece started with, it accepts all of the piece's events and continues after them. If the
// guess was wrong or the text is corrupt, it reads the text itself. The result is therefore the same as with one
// thread, for any text and any split.
//
// Pieces of plain files are read directly; compressed text can only be produced sequentially, by one thread at a time.
// A few pieces are in flight at once, in a ring of reused buffers; each buffer extends a little into the next piece, so
// events that cross the boundary can be parsed.
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/threads/mutex.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/events/batch_joiner.hpp"
#include "core/ingest/events/event_collector.hpp"
#include "core/ingest/format/read_options.hpp"
#include "core/ingest/formats/trace_events/stretch.hpp"
#include "core/ingest/json/text_source.hpp"

namespace warpscope::ingest {

class PieceRing final : public json::TextSource, public json::ParsedAhead {
 public:
  /// All arguments must outlive the ring. `before_take` is called before a piece's events go to the joiner. `on_units`
  /// (may be empty) is called, from any thread, when help() may have work.
  PieceRing(ByteStream& stream, const std::string& file, BatchJoiner& joiner, std::function<void()> before_take,
            std::function<void()> on_units, Progress* progress, const CancelToken* cancel, const PieceSizes& sizes);
  PieceRing(const PieceRing&) = delete;
  PieceRing& operator=(const PieceRing&) = delete;

  /// Reads or parses a piece if one is pending. Call from any thread. Returns false if none was pending. The reader
  /// rethrows exceptions thrown here, because they relate to the file, not the thread.
  bool help();

  // The functions below are called only by the reader, from one thread.
  Result<std::size_t> read(std::uint64_t offset, std::span<char> into) override;
  std::optional<json::ParsedStretch> take(std::uint64_t offset) override;
  /// Stops reading; returns when no other thread is working on a piece.
  void close();

 private:
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  /// A worker's state. Its parser has learned this file's skeletons; its collector has the file's names.
  struct Hand {
    Hand(const std::string& file, std::size_t index) : collector(file), number(index) {}
    json::EventParser parser;
    EventCollector collector;
    std::size_t number;
  };
  enum class State : std::uint8_t { free, coming, text, parsing, done };
  struct Piece {
    State state = State::free;
    std::unique_ptr<char[]> buffer;
    std::uint64_t offset = 0;  ///< offset of the buffer's first byte
    std::size_t size = 0;
    bool parsed = false;
    json::ParsedStretch stretch;
    EventBatch batch;
    std::size_t collector = 0;
  };
  struct Unit {
    std::uint64_t piece = 0;
    bool take_in = false;
    bool parse = false;
    Hand* hand = nullptr;
  };

  Piece& slot(std::uint64_t piece) { return pieces_[piece % pieces_.size()]; }
  [[nodiscard]] std::uint64_t piece_of(std::uint64_t offset) const { return offset / sizes_.piece; }
  [[nodiscard]] bool exists(std::uint64_t piece) const REQUIRES(mutex_) {
    return end_ == kUnknown || piece * sizes_.piece < end_;
  }
  [[nodiscard]] bool is_worth_parsing(std::uint64_t piece) const REQUIRES(mutex_);
  std::optional<Unit> claim() REQUIRES(mutex_);
  Hand* hire() REQUIRES(mutex_);
  void work(const Unit& unit);
  void do_unit(const Unit& unit);
  void give_up(std::exception_ptr thrown) REQUIRES(mutex_);
  void take_in(std::uint64_t number, Piece& piece);
  void take_in_file(std::uint64_t from, std::uint64_t to, Piece& piece);
  void take_in_stream(std::uint64_t to, Piece& piece);
  void parse(std::uint64_t number, Piece& piece, Hand& hand);
  void set_end(std::uint64_t end, std::optional<Error> failure);
  Piece* wait_for(std::uint64_t piece, State least);
  void release_before(std::uint64_t piece);

  ByteStream& stream_;
  const FileSource* plain_;  // set if the file's bytes are the text
  const std::string& file_;
  BatchJoiner& joiner_;
  std::function<void()> before_take_;
  std::function<void()> on_units_;
  Progress* progress_;
  const CancelToken* cancel_;
  PieceSizes sizes_;

  // Accessed only by the thread currently reading from the stream (see producing_).
  std::vector<char> tail_;  // the text before the stream's position that starts the next piece
  std::uint64_t produced_ = 0;
  std::uint64_t reported_ = 0;

  // Used only by the reader.
  std::uint64_t known_piece_ = kUnknown;
  std::uint64_t known_begin_ = kUnknown;  // start of that piece's events if they can still be taken

  Mutex mutex_;
  Condition changed_;
  // Piece i is in slot i % size. The mutex guards the states. A piece's content is owned by its worker while its state
  // is `coming` or `parsing`, then by the reader.
  std::vector<Piece> pieces_;
  std::vector<std::unique_ptr<Hand>> hands_ GUARDED_BY(mutex_);
  std::vector<Hand*> idle_hands_ GUARDED_BY(mutex_);
  std::uint64_t first_ = 0;  // the oldest piece held; only the reader changes it, under the mutex
  std::uint64_t next_text_ GUARDED_BY(mutex_) = 0;   // the next piece to read
  std::uint64_t next_parse_ GUARDED_BY(mutex_) = 0;  // the next piece to parse; unused for plain files
  bool producing_ GUARDED_BY(mutex_) = false;        // a thread is reading from the stream
  bool closed_ GUARDED_BY(mutex_) = false;
  std::size_t working_ GUARDED_BY(mutex_) = 0;
  std::uint64_t end_ GUARDED_BY(mutex_) = kUnknown;  // end of the text, if known
  std::optional<Error> end_failure_ GUARDED_BY(mutex_);
  std::exception_ptr thrown_ GUARDED_BY(mutex_);  // the first exception thrown by a unit
  std::uint64_t misses_ GUARDED_BY(mutex_) = 0;   // consecutive pieces whose events were not used
};

}  // namespace warpscope::ingest
