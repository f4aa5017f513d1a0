#include "core/ingest/load/source_loader.hpp"

#include <algorithm>
#include <utility>

#include "core/base/file_group.hpp"
#include "core/base/parse_number.hpp"
#include "core/ingest/build/rank_builder.hpp"
#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "core/trace/file_end.hpp"

namespace warpscope::ingest {

namespace {

// Below this size, starting a thread takes longer than it saves.
constexpr std::uint64_t kBytesPerThread = std::uint64_t{1} << 20;
// Above this size, system metrics alone justify a store.
constexpr std::uint64_t kMetricsWorthKeeping = std::uint64_t{64} << 20;

/// True if storing the read data makes the next load faster. Only ranks and metrics are stored.
bool is_worth_keeping(const ReadOutcome& outcome, const trace::SourceFile& source) {
  if (!outcome.merged.empty()) return true;
  if (outcome.data.metrics) return source.size >= kMetricsWorthKeeping;
  return !outcome.data.memory && !outcome.data.python;
}

/// Returns the number of ranks in the file that contains `rank`.
std::size_t ranks_in_file(const trace::Rank& rank) {
  const auto found = rank.properties.find(std::string(kRanksInFile));
  return found == rank.properties.end() ? 1 : parse_number<std::size_t>(found->second).value_or(0);
}

bool is_any_unfinished(const std::vector<std::shared_ptr<const trace::Rank>>& ranks) {
  return std::ranges::any_of(ranks,
                             [](const auto& rank) { return trace::unfinished(rank->diagnostics, rank->source.path); });
}

}  // namespace

void SourceLoader::open_store() {
  if (!load_.known) return;
  auto nodes = load_.known->file().metrics();
  if (!nodes) return load_.known->file().note_damage(nodes.error());
  stored_metrics_.emplace();
  for (auto& node : *nodes) {
    std::string source = node->origin().source;
    stored_metrics_->insert_or_assign(std::move(source), std::move(node));
  }
}

void SourceLoader::take(const std::vector<trace::SourceFile>& sources,
                        const std::function<bool(const std::string&)>& growing) {
  std::uint64_t bytes = 0;
  for (const trace::SourceFile& source : sources) bytes += source.size;
  threads_ = static_cast<unsigned>(
      std::clamp<std::uint64_t>(sources.size() + bytes / kBytesPerThread, 1, load_.most_threads()));
  crew_.run(
      sources.size(), threads_,
      [&](std::size_t index) {
        const std::string& path = sources[index].path;
        if (const auto job = load_.jobs.find(path)) take_one(*job, growing && growing(path));
      },
      [this] { load_.tick(); }, [&](std::size_t index, const Error& error) { drop(sources[index], error); });
  stored_metrics_.reset();
}

/// Skips a file that could not be loaded because of an exception.
void SourceLoader::drop(const trace::SourceFile& source, const Error& error) {
  try {
    load_.publisher.note("load-failed", Severity::error, source.path, error.what);
    load_.fail(source.path, error);
    if (const auto job = load_.jobs.find(source.path)) {
      job->failed = true;
      load_.jobs.pass_over(*job, error.what);
    }
  } catch (const std::exception&) {
    // No memory is left to report it.
  }
}

void SourceLoader::take_one(SourceJob& job, bool growing) {
  if (load_.control.token()->cancelled())
    job.state = FileState::cancelled;
  else if (!take_from_store(job))
    read(job, growing);
}

bool SourceLoader::take_from_store(SourceJob& job) {
  if (!load_.known) return false;
  const std::vector<std::size_t> numbers = load_.known->find(job.source);
  if (numbers.empty()) return false;
  const store::StoreFile& file = load_.known->file();
  const std::string& path = job.source.path;
  if (!file.sources()[numbers.front()].rank) {
    if (!stored_metrics_ && !file.directory().metrics.empty()) return false;
    // Diagnostics from when the file was read still apply.
    Diagnostics notes;
    for (const Diagnostic& one : file.directory().diagnostics.all())
      if (one.file == path || in_group(path, one.file))
        notes.add(one.code, one.severity, one.file, one.offset, one.example, one.count);
    trace::SourceData data;
    if (stored_metrics_ && stored_metrics_->contains(path)) data.metrics = stored_metrics_->at(path);
    if (data)
      job.state = FileState::done;
    else
      load_.jobs.pass_over(job, notes.empty() ? std::string() : notes.all().front().example);
    job.from_store = true;
    load_.publisher.put(path, std::move(data), notes);
    return true;
  }
  std::vector<std::shared_ptr<const trace::Rank>> ranks;
  for (const std::size_t number : numbers) {
    auto rank = file.rank(number, load_.publisher.dictionary());
    if (!rank) {
      file.note_damage(rank.error());
      return false;
    }
    ranks.push_back(std::move(*rank));
  }
  if (ranks.size() != ranks_in_file(*ranks.front())) return false;
  job.unfinished = is_any_unfinished(ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::string source = ranks[i]->source.path;
    load_.events->add_stored(source, file, numbers[i], false);
    load_.publisher.put(source, {.rank = std::move(ranks[i])});
  }
  job.from_store = true;
  job.state = FileState::done;
  return true;
}

/// Publishes a file's ranks, replacing earlier versions.
void SourceLoader::add(const std::string& file, std::vector<std::shared_ptr<const trace::Rank>> ranks, bool growing) {
  std::vector<std::string> sources;
  for (const auto& rank : ranks) sources.push_back(rank->source.path);
  load_.publisher.keep_only(file, sources);
  load_.events->forget(file);
  for (auto& rank : ranks) {
    load_.events->add_read(rank->source.path, growing);
    memory_.add(std::move(rank));
  }
}

void SourceLoader::read(SourceJob& job, bool growing) {
  const std::shared_ptr<CancelToken> cancel = load_.control.token();
  const std::string& file = job.source.path;
  job.state = FileState::reading;
  job.growing = growing;
  ReadOptions options;
  options.progress = &job.progress;
  options.cancel = cancel.get();
  options.pieces.in_flight = threads_ + 2;
  options.earlier = std::exchange(job.reader_state, nullptr);
  const auto began = LastRead::Clock::now();
  const auto reader = std::make_shared<SourceReader>(job.source, job.ordinal, *load_.publisher.dictionary(), options,
                                                     [this] { crew_.call(); });
  crew_.enter(reader);
  ReadOutcome outcome = reader->run();
  crew_.leave(reader.get());
  const auto end = LastRead::Clock::now();
  load_.jobs.was_read(job, {job.source, end, end - began});
  if (is_worth_keeping(outcome, job.source)) load_.read_anything = true;
  if (outcome.failure && !growing) load_.fail(file, *outcome.failure);
  if (outcome.has_data()) load_.forget_error(file);
  if (load_.control.watching()) job.reader_state = std::move(outcome.state);

  load_.publisher.forget_notes(file);
  if (growing) {
    load_.publisher.note("still-written", Severity::info, file, "showing the data written so far");
  } else if (const std::string change = change_since_found(job.source); !change.empty()) {
    load_.publisher.note("changed-while-read", Severity::warning, file, change);
  }
  const bool shown = outcome.has_data();
  if (outcome.data.rank) outcome.merged.push_back(std::move(outcome.data.rank));
  if (!outcome.merged.empty()) {
    job.unfinished = is_any_unfinished(outcome.merged);
    add(file, std::move(outcome.merged), growing);
  } else {
    if (!growing && !outcome.code.empty())
      load_.publisher.note(outcome.code, outcome.severity, file, outcome.failure->what);
    if (shown || !outcome.diagnostics.empty()) load_.publisher.put(file, std::move(outcome.data), outcome.diagnostics);
  }
  const bool cancelled = cancel->cancelled();
  job.failed = outcome.code == "load-failed";
  if (cancelled)
    job.state = FileState::cancelled;
  else if (outcome.failure)
    load_.jobs.pass_over(job, outcome.failure->what);
  else
    job.state = FileState::done;
}

}  // namespace warpscope::ingest
