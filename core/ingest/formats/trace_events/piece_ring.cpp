#include "core/ingest/formats/trace_events/piece_ring.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/ingest/json/simd_block.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kLead = json::kLead;

// After this many wrong guesses in a row, only every Nth piece is tried.
constexpr std::uint64_t kMissesInARow = 8;
constexpr std::uint64_t kTryEvery = 16;

}  // namespace

PieceRing::PieceRing(ByteStream& stream, const std::string& file, BatchJoiner& joiner,
                     std::function<void()> before_take, std::function<void()> on_units, Progress* progress,
                     const CancelToken* cancel, const PieceSizes& sizes)
    : stream_(stream),
      plain_(stream.plain()),
      file_(file),
      joiner_(joiner),
      before_take_(std::move(before_take)),
      on_units_(on_units ? std::move(on_units) : [] {}),
      progress_(progress),
      cancel_(cancel),
      sizes_{std::max(kLead, sizes.piece), sizes.ahead, std::max<std::size_t>(2, sizes.in_flight)},
      pieces_(sizes_.in_flight) {
  if (plain_ != nullptr) end_ = plain_->stamp().size;
}

bool PieceRing::is_worth_parsing(std::uint64_t piece) const {
  return misses_ < kMissesInARow || piece % kTryEvery == 0;
}

PieceRing::Hand* PieceRing::hire() {
  if (idle_hands_.empty()) {
    idle_hands_.reserve(hands_.size() + 1);  // work() must not fail to return a hand
    hands_.push_back(std::make_unique<Hand>(file_, hands_.size() + 1));
    return hands_.back().get();
  }
  Hand* const hand = idle_hands_.back();
  idle_hands_.pop_back();
  return hand;
}

/// Returns the next unit: parses pending pieces before reading more.
std::optional<PieceRing::Unit> PieceRing::claim() {
  if (closed_) return std::nullopt;
  const bool room = next_text_ < first_ + pieces_.size() && exists(next_text_);
  Unit unit;
  if (plain_ != nullptr) {
    if (!room) return std::nullopt;
    unit = {next_text_, true, is_worth_parsing(next_text_), nullptr};
    slot(next_text_++).state = State::coming;
  } else {
    next_parse_ = std::max(next_parse_, first_);
    for (; next_parse_ < next_text_ && slot(next_parse_).state == State::text; ++next_parse_) {
      if (is_worth_parsing(next_parse_)) {
        unit = {next_parse_, false, true, nullptr};
        break;
      }
      slot(next_parse_).state = State::done;
    }
    if (unit.parse) {
      slot(next_parse_++).state = State::parsing;
    } else if (room && !producing_) {
      unit = {next_text_, true, false, nullptr};
      producing_ = true;
      slot(next_text_++).state = State::coming;
    } else {
      return std::nullopt;
    }
  }
  if (unit.parse) unit.hand = hire();
  ++working_;
  return unit;
}

void PieceRing::work(const Unit& unit) {
  std::exception_ptr thrown;
  try {
    do_unit(unit);
  } catch (...) {
    thrown = std::current_exception();
  }
  {
    const MutexLock lock(mutex_);
    --working_;
    if (unit.parse || thrown) slot(unit.piece).state = State::done;
    if (unit.parse) idle_hands_.push_back(unit.hand);
    if (thrown) give_up(std::move(thrown));
  }
  changed_.notify_all();
}

void PieceRing::do_unit(const Unit& unit) {
  Piece& piece = slot(unit.piece);
  if (unit.take_in) {
    take_in(unit.piece, piece);
    const MutexLock lock(mutex_);
    if (plain_ == nullptr) producing_ = false;
    piece.state = unit.parse ? State::parsing : plain_ != nullptr ? State::done : State::text;
  }
  if (unit.take_in) {
    changed_.notify_all();
    on_units_();
  }
  if (unit.parse) parse(unit.piece, piece, *unit.hand);
}

bool PieceRing::help() {
  std::optional<Unit> unit;
  {
    const MutexLock lock(mutex_);
    try {
      unit = claim();
    } catch (...) {
      give_up(std::current_exception());
    }
  }
  if (unit) work(*unit);
  return unit.has_value();
}

/// Makes the reader rethrow the exception and prevents threads from starting further units.
void PieceRing::give_up(std::exception_ptr thrown) {
  if (!thrown_) thrown_ = std::move(thrown);
  closed_ = true;
  changed_.notify_all();
}

void PieceRing::set_end(std::uint64_t end, std::optional<Error> failure) {
  const MutexLock lock(mutex_);
  if (end >= end_) return;
  end_ = end;
  end_failure_ = std::move(failure);
}

void PieceRing::take_in(std::uint64_t number, Piece& piece) {
  const std::uint64_t from = number * sizes_.piece;
  if (!piece.buffer)
    piece.buffer = std::make_unique_for_overwrite<char[]>(kLead + sizes_.piece + sizes_.ahead + json::kPadding);
  piece.offset = from - std::min<std::uint64_t>(from, kLead);
  piece.size = 0;
  piece.parsed = false;
  if (plain_ != nullptr)
    take_in_file(from, from + sizes_.piece + sizes_.ahead, piece);
  else
    take_in_stream(from + sizes_.piece + sizes_.ahead, piece);
  std::memset(piece.buffer.get() + piece.size, 0, json::kPadding);
}

void PieceRing::take_in_file(std::uint64_t from, std::uint64_t to, Piece& piece) {
  const std::uint64_t size = plain_->stamp().size;
  const auto wanted = static_cast<std::size_t>(std::min(to, size) - piece.offset);
  const auto got = plain_->read_at(piece.offset, {piece.buffer.get(), wanted});
  if (!got.ok()) return set_end(from, got.error());
  piece.size = *got;
  if (*got < wanted) {
    char beyond = 0;
    const auto more = plain_->read_at(piece.offset + *got, {&beyond, 1});  // returns the error
    set_end(piece.offset + *got, more.ok() ? std::nullopt : std::optional(more.error()));
  }
  if (progress_ != nullptr)
    progress_->done.fetch_add(std::min<std::uint64_t>(sizes_.piece, size - from), std::memory_order_relaxed);
}

void PieceRing::take_in_stream(std::uint64_t to, Piece& piece) {
  // Text that the stream produced past the previous piece: the lead and the start of this piece.
  const auto skipped = static_cast<std::size_t>(tail_.size() - (produced_ - piece.offset));
  piece.size = tail_.size() - skipped;
  if (piece.size > 0) std::memcpy(piece.buffer.get(), tail_.data() + skipped, piece.size);
  bool ended = false;
  while (!ended && produced_ < to) {
    const auto got = cancel_ != nullptr && cancel_->cancelled()
                         ? Result<std::size_t>(Error{file_, "reading was cancelled", ""})
                         : stream_.read({piece.buffer.get() + piece.size, static_cast<std::size_t>(to - produced_)});
    ended = !got.ok() || *got == 0;
    if (ended) {
      set_end(produced_, got.ok() ? std::nullopt : std::optional(got.error()));
    } else {
      piece.size += *got;
      produced_ += *got;
    }
  }
  const std::size_t kept = std::min(piece.size, kLead + sizes_.ahead);
  tail_.assign(piece.buffer.get() + piece.size - kept, piece.buffer.get() + piece.size);
  if (progress_ == nullptr) return;
  progress_->done.fetch_add(stream_.consumed() - reported_, std::memory_order_relaxed);
  reported_ = stream_.consumed();
}

void PieceRing::parse(std::uint64_t number, Piece& piece, Hand& hand) {
  std::uint64_t end = 0;
  {
    const MutexLock lock(mutex_);
    end = end_;
  }
  const std::uint64_t text_end = piece.offset + piece.size;
  const std::uint64_t from = number * sizes_.piece;
  hand.collector.fill(piece.batch);
  piece.parsed = true;
  piece.collector = hand.number;
  piece.stretch = {};
  if (text_end <= from) return;
  const json::PieceText text{
      {piece.buffer.get(), piece.size}, piece.offset, from, std::min(from + sizes_.piece, text_end), text_end == end};
  piece.stretch = parse_stretch(text, hand.parser, hand.collector, piece.batch.diagnostics, file_);
}

/// Returns the piece once its state is at least `least`; works on pending units while waiting. Null if the text
/// ends before the piece.
PieceRing::Piece* PieceRing::wait_for(std::uint64_t piece, State least) {
  MutexLock lock(mutex_);
  for (;;) {
    if (thrown_) std::rethrow_exception(thrown_);
    if (!exists(piece)) return nullptr;
    if (piece < next_text_ && slot(piece).state >= least) return &slot(piece);
    if (const auto unit = claim()) {
      lock.unlock();
      work(*unit);
      lock.lock();
    } else if (piece < next_text_ && slot(piece).state >= least) {
      continue;  // claim() skipped parsing it
    } else if (first_ < std::min(piece, next_text_)) {
      lock.unlock();
      release_before(first_ + 1);  // its buffer is needed for earlier text
      lock.lock();
    } else {
      changed_.wait(lock);
    }
  }
}

/// Releases the buffers of all pieces before `piece`. Skips unused batches.
void PieceRing::release_before(std::uint64_t piece) {
  MutexLock lock(mutex_);
  if (first_ >= piece) return;
  while (first_ < piece && first_ < next_text_) {
    if (thrown_) std::rethrow_exception(thrown_);
    Piece& oldest = slot(first_);
    if (oldest.state == State::coming || oldest.state == State::parsing) {
      changed_.wait(lock);
      continue;
    }
    if (oldest.parsed) {
      ++misses_;
      joiner_.pass_over(oldest.collector, oldest.batch);
      oldest.batch.clear();
      oldest.parsed = false;
    }
    oldest.state = State::free;
    ++first_;
  }
  lock.unlock();
  on_units_();
}

Result<std::size_t> PieceRing::read(std::uint64_t offset, std::span<char> into) {
  if (cancel_ != nullptr && cancel_->cancelled()) return Error{file_, "reading was cancelled", ""};
  const std::uint64_t number = std::max(piece_of(offset), first_);
  release_before(number);
  Piece* const piece = wait_for(number, State::text);
  std::uint64_t text_end = 0;
  if (piece != nullptr) {
    // Stop at the end of the piece, because the events of the next piece may be accepted at its start.
    text_end = std::min(piece->offset + piece->size, (number + 1) * sizes_.piece);
  }
  if (offset >= text_end) {
    const MutexLock lock(mutex_);
    if (end_failure_) return *end_failure_;
    return std::size_t{0};
  }
  const auto size = std::min(into.size(), static_cast<std::size_t>(text_end - offset));
  std::memcpy(into.data(), piece->buffer.get() + (offset - piece->offset), size);
  return size;
}

std::optional<json::ParsedStretch> PieceRing::take(std::uint64_t offset) {
  const std::uint64_t number = piece_of(offset);
  if (number < first_ || (number == known_piece_ && offset != known_begin_)) return std::nullopt;
  release_before(number);
  Piece* const piece = wait_for(number, State::done);
  known_piece_ = number;
  known_begin_ = piece != nullptr && piece->parsed && piece->stretch.events > 0 ? piece->stretch.begin : kUnknown;
  if (offset != known_begin_) return std::nullopt;
  before_take_();
  joiner_.join(piece->collector, piece->batch);
  piece->batch.clear();
  piece->parsed = false;
  known_begin_ = kUnknown;
  const json::ParsedStretch stretch = piece->stretch;
  {
    const MutexLock lock(mutex_);
    misses_ = 0;
  }
  // If the text ends with the stretch, the text before the end is still read.
  release_before(piece_of(stretch.end - 1));
  return stretch;
}

void PieceRing::close() {
  MutexLock lock(mutex_);
  closed_ = true;
  changed_.wait(lock, [&]() REQUIRES(mutex_) { return working_ == 0; });
}

}  // namespace warpscope::ingest
