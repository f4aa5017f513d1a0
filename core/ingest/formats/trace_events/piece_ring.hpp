#pragma once
// One file's text, in pieces that any thread may take in and parse ahead of the reader.
//
// Idea: text cannot be cut at events without reading it from the front, but it can be guessed where one begins, and the
// guess is nearly always right. So each piece (some hundred KiB) is parsed from its first plausible event on, into a
// batch of its own, by whoever has time. The reader of the document stays the only authority: it walks the document
// from the front, and where it stands at the very event a piece began with, it takes the piece's events over as a whole
// and goes on behind them. Where the guess was wrong, or text is damaged, it reads the text itself. So what comes out
// is what one thread would have read, whatever the text and however it was cut.
//
// Pieces of plain files are read wherever they lie; compressed text can only be produced from front to back, by one
// thread at a time. A few pieces are in flight at once, in a ring of buffers that are used again and again; each buffer
// reaches a little into the next piece, so that the event that crosses the border can be parsed.
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/events/batch_joiner.hpp"
#include "core/ingest/events/event_collector.hpp"
#include "core/ingest/format/read_options.hpp"
#include "core/ingest/formats/trace_events/stretch.hpp"
#include "core/ingest/json/text_source.hpp"

namespace warpscope::ingest {

class PieceRing final : public json::TextSource, public json::ParsedAhead {
 public:
  /// Everything must outlive the ring. `before_take` is called before a piece's events go to the joiner. `on_units`
  /// (may be empty) is called, from any thread, when help() may find something to do.
  PieceRing(ByteStream& stream, const std::string& file, BatchJoiner& joiner, std::function<void()> before_take,
            std::function<void()> on_units, Progress* progress, const CancelToken* cancel, const PieceSizes& sizes);
  PieceRing(const PieceRing&) = delete;
  PieceRing& operator=(const PieceRing&) = delete;

  /// Takes in or parses a piece, if there is one to be: from any thread. False if there was nothing.
  bool help();

  // The rest is the reader's, from one thread.
  Result<std::size_t> read(std::uint64_t offset, std::span<char> into) override;
  std::optional<Stretch> take(std::uint64_t offset) override;
  /// Nothing is taken in any more; returns when no other thread is at work on a piece.
  void close();

 private:
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};
  /// Who parses: its parser has learned this file's ways, its collector knows the file's names.
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
    std::uint64_t offset = 0;  ///< of the buffer's first byte
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
  [[nodiscard]] bool exists(std::uint64_t piece) const { return end_ == kUnknown || piece * sizes_.piece < end_; }
  [[nodiscard]] bool is_worth_parsing(std::uint64_t piece) const;
  std::optional<Unit> claim();
  Hand* hire();
  void work(const Unit& unit);
  void take_in(std::uint64_t number, Piece& piece);
  void take_in_file(std::uint64_t from, std::uint64_t to, Piece& piece);
  void take_in_stream(std::uint64_t to, Piece& piece);
  void parse(std::uint64_t number, Piece& piece, Hand& hand);
  void set_end(std::uint64_t end, std::optional<Error> failure);
  Piece* wait_for(std::uint64_t piece, State least);
  void release_before(std::uint64_t piece);

  ByteStream& stream_;
  const FileSource* plain_;  // if the file's bytes are the text
  const std::string& file_;
  BatchJoiner& joiner_;
  std::function<void()> before_take_;
  std::function<void()> on_units_;
  Progress* progress_;
  const CancelToken* cancel_;
  PieceSizes sizes_;

  // Only whoever takes in from the stream: one at a time.
  std::vector<char> tail_;  // the text before the stream's position that the next piece begins with
  std::uint64_t produced_ = 0;
  std::uint64_t reported_ = 0;

  // Only the reader.
  std::uint64_t known_piece_ = kUnknown;
  std::uint64_t known_begin_ = kUnknown;  // where that piece's events begin, if they can still be taken

  std::mutex mutex_;  // guards everything below; a piece's content is its worker's while coming or parsing
  std::condition_variable changed_;
  std::vector<Piece> pieces_;  // piece i in slot i % size
  std::vector<std::unique_ptr<Hand>> hands_;
  std::vector<Hand*> idle_hands_;
  std::uint64_t first_ = 0;       // the oldest piece held
  std::uint64_t next_text_ = 0;   // the next to be taken in
  std::uint64_t next_parse_ = 0;  // the next to be parsed; of a plain file, not used
  bool producing_ = false;        // someone takes in from the stream
  bool closed_ = false;
  std::size_t working_ = 0;
  std::uint64_t end_ = kUnknown;  // of the text, as far as it is known
  std::optional<Error> end_failure_;
  std::uint64_t misses_ = 0;  // pieces in a row that were parsed in vain
};

}  // namespace warpscope::ingest
