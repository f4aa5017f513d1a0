#include "core/ingest/read/source_reader.hpp"

#include <algorithm>
#include <utility>

#include "core/base/threads/caught.hpp"
#include "core/ingest/formats/format_list.hpp"

namespace warpscope::ingest {

SourceReader::SourceReader(trace::SourceFile source, std::int64_t ordinal, trace::Dictionary& dictionary,
                           ReadOptions options, std::function<void()> on_units)
    : source_(std::move(source)),
      ordinal_(ordinal),
      dictionary_(dictionary),
      options_(options),
      on_units_(std::move(on_units)),
      units_(on_units_) {}

bool SourceReader::help() {
  std::shared_ptr<TraceReader> reader;
  {
    const MutexLock lock(mutex_);
    reader = reader_;
  }
  return reader ? reader->help() : units_.help();
}

void SourceReader::let_help(std::shared_ptr<TraceReader> reader) {
  const MutexLock lock(mutex_);
  reader_ = std::move(reader);
}

ReadOutcome SourceReader::run() {
  try {
    return read();
  } catch (...) {
    let_help(nullptr);
    return {.code = "load-failed", .failure = caught(source_.path)};
  }
}

ReadOutcome SourceReader::read() {
  const TraceFormat& format = format_of(source_.path);
  const std::shared_ptr<TraceReader> reader = format.open(source_, options_, on_units_);
  let_help(reader);
  auto text = reader->read();
  let_help(nullptr);
  if (!text) return {.code = "unreadable-file", .failure = text.error()};
  FileContents& read = **text;
  if (!read.has_rank) return other_data(read);
  if (read.no_trace) return {.code = "not-a-trace", .severity = Severity::warning, .failure = std::move(read.no_trace)};
  ReadOutcome outcome;
  if (read.merged.empty()) outcome.data.rank = build(format, read, nullptr);
  for (std::unique_ptr<MergedRank>& each : read.merged) {
    if (auto rank = build(format, *each, each.get())) outcome.merged.push_back(std::move(rank));
    each.reset();
  }
  if (outcome.has_data()) return outcome;
  return {.code = "cancelled",
          .severity = Severity::warning,
          .failure = Error{source_.path, "skipped: loading was cancelled", "load it again"}};
}

/// If there is no data, the first diagnostic explains why.
ReadOutcome SourceReader::other_data(FileContents& read) {
  if (options_.progress != nullptr) options_.progress->done = source_.size;
  ReadOutcome outcome{.data = std::move(read.data), .diagnostics = std::move(read.pending.diagnostics)};
  outcome.state = std::move(read.state);
  const std::vector<Diagnostic>& all = outcome.diagnostics.all();
  if (!outcome.data)
    outcome.failure = Error{
        source_.path, all.empty() || all.front().example.empty() ? "contains nothing to show" : all.front().example,
        "copy it again if it is corrupt"};
  return outcome;
}

std::shared_ptr<const trace::Rank> SourceReader::build(const TraceFormat& format, FileContents& text,
                                                       const MergedRank* merged) {
  PendingRank& pending = text.pending;
  FileFacts facts;
  facts.source = source_;
  if (merged != nullptr) {
    facts.source.path = pending.file;
    facts.merged = *merged;
  }
  facts.source.text_bytes = text.text_bytes;
  facts.ordinal = ordinal_;
  if (text.cancelled)
    pending.diagnostics.add("cancelled", Severity::warning, facts.source.path, text.text_bytes, "reading stopped here");
  // Corrupt categories, or categories from a file that is not a trace, must not use up the few ids shared by all ranks.
  for (std::size_t id = 0; id < text.categories.size(); ++id)
    pending.categories.push_back(
        dictionary_.categories.intern(text.categories.name(static_cast<trace::CategoryId>(id))));
  pending.categories.resize(trace::Categories::kOverflow + std::size_t{1}, trace::Categories::kOverflow);
  if (merged == nullptr && !is_pytorch(format))
    pending.metadata[std::string(kFormatProperty)] = '"' + std::string(format.name()) + '"';
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
