#include "core/ingest/formats/kineto/kineto_format.hpp"

#include <functional>
#include <memory>
#include <utility>

#include "core/base/threads/mutex.hpp"
#include "core/ingest/events/joined_events.hpp"
#include "core/ingest/formats/trace_events/document.hpp"
#include "core/ingest/formats/trace_events/head_look.hpp"
#include "core/ingest/formats/trace_events/merged_layout.hpp"
#include "core/ingest/formats/trace_events/piece_ring.hpp"

namespace warpscope::ingest {

namespace {

/// Checks for top-level keys that no other program writes; baseTimeNanoseconds is not one of them.
bool has_own_key(const HeadLook& look) {
  return look.has_key("schemaVersion") || look.has_key("deviceProperties") || look.has_key("distributedInfo");
}

/// Prevents other threads from using objects that the ring references after the reader has returned or thrown.
class ClosedAtEnd {
 public:
  explicit ClosedAtEnd(PieceRing& ring) : ring_(ring) {}
  ~ClosedAtEnd() { ring_.close(); }
  ClosedAtEnd(const ClosedAtEnd&) = delete;
  ClosedAtEnd& operator=(const ClosedAtEnd&) = delete;

 private:
  PieceRing& ring_;
};

/// Helper threads read and parse pieces of the text (see PieceRing).
class KinetoReader final : public TraceReader {
 public:
  KinetoReader(const trace::SourceFile& source, const ReadOptions& options, std::function<void()> on_units)
      : source_(source), options_(options), on_units_(std::move(on_units)) {}

  Result<std::unique_ptr<FileContents>> read() override;
  bool help() override;

 private:
  const trace::SourceFile& source_;
  const ReadOptions& options_;
  std::function<void()> on_units_;
  Mutex mutex_;
  std::shared_ptr<PieceRing> ring_ GUARDED_BY(mutex_);
};

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

}  // namespace

bool KinetoFormat::sniff(const FileHead& head) const {
  if (merged::layout_of(head.text) != merged::Layout::none) return false;
  // Most files have this key in their first line and need no parsing.
  if (head.text.substr(0, 256).find("\"schemaVersion\"") != std::string_view::npos) return true;
  const HeadLook look = look_at_head(head.text);
  return has_own_key(look) || look.categorized > 0;
}

std::unique_ptr<TraceReader> KinetoFormat::open(const trace::SourceFile& source, const ReadOptions& options,
                                                std::function<void()> on_units) const {
  return std::make_unique<KinetoReader>(source, options, std::move(on_units));
}

}  // namespace warpscope::ingest
