#include "core/ingest/read/source_reader.hpp"

#include <algorithm>
#include <utility>

#include "core/ingest/formats/kineto/document.hpp"

namespace warpscope::ingest {

namespace {

/// What the reader itself reads of the document, joined in portions.
class OwnEvents final : public EventSink {
 public:
  OwnEvents(const std::string& file, BatchJoiner& joiner) : joiner_(joiner), collector_(file) {
    collector_.fill(batch_);
  }
  void event(const RawEvent& event) override {
    collector_.event(event);
    if (batch_.events >= kPortion) join();
  }
  void metadata(std::string_view key, std::string_view json) override { collector_.metadata(key, json); }
  void join() {
    if (batch_.empty() && batch_.metadata.empty()) return;
    joiner_.join(0, batch_);
    batch_.clear();
  }
  [[nodiscard]] Diagnostics& diagnostics() { return batch_.diagnostics; }

 private:
  static constexpr std::uint64_t kPortion = 4096;

  BatchJoiner& joiner_;
  EventCollector collector_;
  EventBatch batch_;
};

}  // namespace

SourceReader::SourceReader(trace::SourceFile source, std::int64_t ordinal, trace::Dictionary& dictionary,
                           ReadOptions options, std::function<void()> on_units)
    : source_(std::move(source)),
      ordinal_(ordinal),
      dictionary_(dictionary),
      options_(options),
      on_units_(std::move(on_units)),
      units_(on_units_) {}

bool SourceReader::help() {
  std::shared_ptr<PieceRing> ring;
  {
    const std::lock_guard lock(mutex_);
    ring = ring_;
  }
  return ring ? ring->help() : units_.help();
}

ReadOutcome SourceReader::run() {
  auto text = std::make_unique<Text>();
  if (auto failure = read(*text, {}, options_.progress))
    return {nullptr, "unreadable-file", Severity::error, std::move(failure), nullptr};
  if (text->damaged && makes_no_sense(text->pending.diagnostics)) {
    if (const auto doubtful = find_doubtful_text(source_.path, options_.cancel); !doubtful.empty()) {
      text = std::make_unique<Text>();
      if (auto failure = read(*text, doubtful, nullptr))
        return {nullptr, "unreadable-file", Severity::error, std::move(failure), nullptr};
    }
  }
  if (auto why = text->outcome.why_no_trace(source_.path))
    return {nullptr, "not-a-trace", Severity::warning, std::move(why), nullptr};
  if (auto rank = build(*text)) return {std::move(rank), {}, Severity::info, std::nullopt, text->checkpoints};
  return {nullptr, "cancelled", Severity::warning,
          Error{source_.path, "was left out, loading was cancelled", "load it again"}, nullptr};
}

/// Errors: the file cannot be opened.
Failure SourceReader::read(Text& text, const std::vector<TextRange>& left_out, Progress* progress) {
  OpenOptions how;
  how.cancel = options_.cancel;
  how.keep_checkpoints = options_.keep_checkpoints;
  auto stream = open_byte_stream(source_.path, how);
  if (!stream) return stream.error();
  *stream = leave_out(std::move(*stream), left_out);
  PendingRank& pending = text.pending;
  pending.file = source_.path;
  BatchJoiner joiner(pending, text.categories, options_.most_slices);
  OwnEvents own(pending.file, joiner);
  const auto ring = std::make_shared<PieceRing>(
      **stream, pending.file, joiner, [&] { own.join(); }, on_units_, progress, options_.cancel, options_.pieces);
  {
    const std::lock_guard lock(mutex_);
    ring_ = ring;
  }
  if (on_units_) on_units_();
  text.outcome =
      kineto::DocumentReader(*ring, own, own.diagnostics(), pending.file, ring.get(), options_.cancel, options_.limits)
          .run();
  ring->close();
  {
    const std::lock_guard lock(mutex_);
    ring_ = nullptr;
  }
  if (!text.outcome.cancelled)
    report_damage(**stream, text.outcome.failure, text.outcome.text_bytes, left_out, own.diagnostics(), pending.file);
  own.join();
  joiner.finish();
  text.damaged = std::ranges::any_of((*stream)->damage(), [](const InputDamage& each) { return !each.cut_off; });
  text.checkpoints = (*stream)->checkpoints();
  return {};
}

std::shared_ptr<const trace::Rank> SourceReader::build(Text& text) {
  PendingRank& pending = text.pending;
  const ParseOutcome& outcome = text.outcome;
  FileFacts facts;
  facts.source = source_;
  facts.source.text_bytes = outcome.text_bytes;
  facts.ordinal = ordinal_;
  facts.damaged = text.damaged;
  if (outcome.cancelled)
    pending.diagnostics.add("cancelled", Severity::warning, source_.path, outcome.text_bytes, "reading stopped here");
  // What was made up, or is of a file that is no trace, must not take the few ids that all ranks share.
  for (std::size_t id = 0; id < text.categories.size(); ++id)
    pending.categories.push_back(
        dictionary_.categories.intern(text.categories.name(static_cast<trace::CategoryId>(id))));
  pending.categories.resize(trace::Categories::kOverflow + std::size_t{1}, trace::Categories::kOverflow);
  const bool small = pending.slices <= options_.built_after_cancel;
  const UnitRunner run_units = [this](std::size_t count, const std::function<void(std::size_t)>& unit) {
    units_.run(count, unit);
  };
  return build_rank(std::move(pending), dictionary_, facts, run_units, small ? nullptr : options_.cancel);
}

ReadOutcome read_source(trace::SourceFile source, std::int64_t ordinal, trace::Dictionary& dictionary,
                        const ReadOptions& options) {
  return SourceReader(std::move(source), ordinal, dictionary, options).run();
}

}  // namespace warpscope::ingest
