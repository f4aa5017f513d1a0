#include "core/ingest/formats/kineto/kineto_reader.hpp"

#include <algorithm>
#include <utility>

#include "core/ingest/formats/trace_events/document.hpp"
#include "core/ingest/formats/trace_events/joined_events.hpp"

namespace warpscope::ingest {

bool KinetoReader::help() {
  std::shared_ptr<PieceRing> ring;
  {
    const std::lock_guard lock(mutex_);
    ring = ring_;
  }
  return ring && ring->help();
}

Result<std::unique_ptr<FileContents>> KinetoReader::read() {
  auto text = std::make_unique<FileContents>();
  if (auto failure = read_once(*text, {}, options_.progress)) return *failure;
  if (!text->damaged || !makes_no_sense(text->pending.diagnostics)) return text;
  const auto doubtful = find_doubtful_text(source_.path, options_.cancel);
  if (doubtful.empty()) return text;
  text = std::make_unique<FileContents>();
  if (auto failure = read_once(*text, doubtful, nullptr)) return *failure;
  return text;
}

/// Errors: the file cannot be opened.
Failure KinetoReader::read_once(FileContents& into, const std::vector<TextRange>& left_out, Progress* progress) {
  OpenOptions how;
  how.cancel = options_.cancel;
  how.keep_checkpoints = options_.keep_checkpoints;
  auto stream = open_byte_stream(source_.path, how);
  if (!stream) return stream.error();
  *stream = leave_out(std::move(*stream), left_out);
  PendingRank& pending = into.pending;
  pending.file = source_.path;
  BatchJoiner joiner(pending, into.categories, options_.most_slices);
  JoinedEvents own(pending.file, joiner);
  const auto ring = std::make_shared<PieceRing>(
      **stream, pending.file, joiner, [&] { own.join(); }, on_units_, progress, options_.cancel, options_.pieces);
  {
    const std::lock_guard lock(mutex_);
    ring_ = ring;
  }
  if (on_units_) on_units_();
  const ParseOutcome outcome =
      json::DocumentReader(*ring, own, own.diagnostics(), pending.file, ring.get(), options_.cancel, options_.limits)
          .run();
  ring->close();
  {
    const std::lock_guard lock(mutex_);
    ring_ = nullptr;
  }
  if (!outcome.cancelled)
    report_damage(**stream, outcome.failure, outcome.text_bytes, left_out, own.diagnostics(), pending.file);
  own.join();
  joiner.finish();
  into.text_bytes = outcome.text_bytes;
  into.cancelled = outcome.cancelled;
  into.no_trace = outcome.why_no_trace(source_.path);
  into.damaged = std::ranges::any_of((*stream)->damage(), [](const InputDamage& each) { return !each.cut_off; });
  into.checkpoints = (*stream)->checkpoints();
  return {};
}

}  // namespace warpscope::ingest
