#include "core/ingest/formats/kineto/kineto_reader.hpp"

#include <utility>

#include "core/ingest/formats/trace_events/document.hpp"
#include "core/ingest/formats/trace_events/joined_events.hpp"

namespace warpscope::ingest {

namespace {

/// Keeps other threads from using what the ring refers to, once the reader is done with it or was left by an exception.
class ClosedAtEnd {
 public:
  explicit ClosedAtEnd(PieceRing& ring) : ring_(ring) {}
  ~ClosedAtEnd() { ring_.close(); }
  ClosedAtEnd(const ClosedAtEnd&) = delete;
  ClosedAtEnd& operator=(const ClosedAtEnd&) = delete;

 private:
  PieceRing& ring_;
};

}  // namespace

bool KinetoReader::help() {
  std::shared_ptr<PieceRing> ring;
  {
    const MutexLock lock(mutex_);
    ring = ring_;
  }
  return ring && ring->help();
}

Result<std::unique_ptr<FileContents>> KinetoReader::read() {
  auto stream = open_byte_stream(source_.path, options_.cancel);
  if (!stream) return stream.error();
  auto text = std::make_unique<FileContents>();
  PendingRank& pending = text->pending;
  pending.file = source_.path;
  BatchJoiner joiner(pending, text->categories, options_.most_slices);
  JoinedEvents own(pending.file, joiner);
  const auto ring = std::make_shared<PieceRing>(
      **stream, pending.file, joiner, [&] { own.join(); }, on_units_, options_.progress, options_.cancel,
      options_.pieces);
  const ClosedAtEnd closed_at_end(*ring);
  {
    const MutexLock lock(mutex_);
    ring_ = ring;
  }
  if (on_units_) on_units_();
  const ParseOutcome outcome =
      json::DocumentReader(*ring, own, own.diagnostics(), pending.file, ring.get(), options_.cancel, options_.limits)
          .run();
  ring->close();
  {
    const MutexLock lock(mutex_);
    ring_ = nullptr;
  }
  if (!outcome.cancelled) report_damage(**stream, outcome.failure, outcome.text_bytes, own.diagnostics(), pending.file);
  own.join();
  joiner.finish();
  record_outcome(outcome, source_.path, *text);
  return text;
}

}  // namespace warpscope::ingest
