#include "core/ingest/load/load_store.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/file_group.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/ingest/read/source_reader.hpp"
#include "core/store/verify_store.hpp"
#include "core/trace/file_end.hpp"

namespace warpscope::ingest {

namespace {

// Smaller inputs load fast enough without a store.
constexpr std::uint64_t kLeastText = std::uint64_t{1} << 20;

// Appended to the error of a converted profile.
constexpr const char* kReadInstead = "; reading its trace instead";

/// True for diagnostics that apply only to this load or this store.
bool passing(std::string_view code) {
  return code == "memory-limit" || code == "memory-limit-not-held" || code == "store-damaged" ||
         code == "store-outdated" || code == "stored-part-missing" || code == "store-not-kept" ||
         code == "still-written" || code == "directory-away" || code == "source-vanished" ||
         code == "converted-beside-traces" || code == "load-failed";
}

}  // namespace

void LoadStore::load(const std::string& file) {
  load_.opened_store = true;
  load_.control.watch(false);
  const auto opened = open_converted(file);
  if (!opened) return load_.fail(load_.path, opened.error());
  auto ranks = opened->each_rank(load_.publisher.dictionary(), load_.most_threads());
  auto nodes = opened->each_metrics();
  const bool anything = std::ranges::any_of(ranks, [](const auto& each) { return each.rank.ok(); }) ||
                        std::ranges::any_of(nodes, [](const auto& node) { return node.ok(); });
  const auto has_trace = [&](const auto& each) {
    return unchanged_trace(*opened, opened->sources()[each.source].key.path).has_value();
  };
  if (!anything && !ranks.empty() && std::ranges::none_of(ranks, has_trace))
    return load_.fail(load_.path, ranks.front().rank.error());
  if (!anything && !nodes.empty()) return load_.fail(load_.path, nodes.front().error());
  const auto& sources = opened->sources();
  Discovery alone;
  alone.root = file;
  alone.diagnostics = opened->directory().diagnostics;
  load_.publish_scan(alone);
  const auto add_job = [this](const std::string& path, std::uint64_t size, std::size_t ordinal, bool shown) {
    trace::SourceFile source;
    source.path = file_of(path);
    source.size = size;
    const auto job = load_.jobs.add(source, static_cast<std::int64_t>(ordinal));
    job->from_store = true;
    job->state = shown ? FileState::done : FileState::passed_over;
  };
  for (std::size_t i = 0; i < sources.size(); ++i) {
    add_job(sources[i].key.path, sources[i].key.size, i, sources[i].rank.has_value());
    load_.events->add_stored(sources[i].key.path, *opened, i, EventLookup::StoreIs::carried);
  }
  const auto missing = [this](const std::string& of, const Error& error) {
    load_.publisher.note("stored-part-missing", Severity::error, of, error.where + ": " + error.what);
  };
  std::vector<trace::SourceFile> again;
  load_.known.emplace(*opened);
  for (auto& [source, rank] : ranks) {
    const std::string& path = sources[source].key.path;
    if (rank) {
      if (const auto job = load_.jobs.find(std::string(file_of(path))))
        if (trace::unfinished((*rank)->diagnostics, path)) job->unfinished = true;
      load_.publisher.put(path, {.rank = std::move(*rank)});
      continue;
    }
    if (const auto trace = unchanged_trace(*opened, path)) {
      note_damage_of_converted(rank.error(), true);
      if (std::ranges::find(again, trace->path, &trace::SourceFile::path) != again.end()) continue;
      load_.jobs.add(*trace, static_cast<std::int64_t>(source));
      again.push_back(*trace);
      continue;
    }
    missing(path, rank.error());
    if (const auto job = load_.jobs.find(std::string(file_of(path)))) load_.jobs.pass_over(*job, rank.error().what);
  }
  LoadStatus status;
  load_.jobs.write(status);
  for (const FileStatus& each : status.files)
    if (const auto job = load_.jobs.find(each.path)) load_.jobs.has_ranks(*job, load_.publisher.ranks_of(each.path));
  for (auto& node : nodes) {
    if (!node) {
      missing(file, node.error());
      continue;
    }
    const std::string path = (*node)->origin().source;
    add_job(path, (*node)->origin().bytes, sources.size(), true);
    load_.publisher.put(path, {.metrics = std::move(*node)});
  }
  for (const trace::SourceFile& source : again) load_.known->forget(source.path);
  if (!again.empty()) sources_.take(again);
}

void LoadStore::open_kept() {
  Failure damage;
  load_.known = load_.keeper.open(damage);
  if (!damage) return;
  const bool outdated = store::of_other_version(*damage);
  load_.publisher.note(outdated ? "store-outdated" : "store-damaged", Severity::info, load_.keeper.place(),
                       damage->what + (outdated ? "" : kSetAside));
}

void LoadStore::check() {
  if (kept_.exchange(false)) {
    Failure damage;
    load_.known = load_.keeper.open(damage);
    is_aside_ = false;
  }
  const bool converted = load_.opened_store;
  std::vector<trace::SourceFile> again;
  const auto read_again = [&](const std::string& damaged) {
    const std::string file(file_of(damaged));
    if (std::ranges::find(again, file, &trace::SourceFile::path) != again.end()) return true;
    const auto job = load_.jobs.find(file);
    // If the source is unreadable too, keep its rank.
    if (!job || job->state != FileState::done) return false;
    std::optional<trace::SourceFile> source = job->source;
    if (converted) source = unchanged_trace(load_.known->file(), damaged);
    if (!source) return false;
    again.push_back(*source);
    load_.jobs.add(*source, job->ordinal);
    return true;
  };
  Failure damage = sources_.take_store_damage();
  std::map<std::string, Error> unsound;
  {
    const MutexLock lock(mutex_);
    unsound = std::exchange(unsound_, {});
  }
  const bool unopened = damage.has_value();
  for (const auto& rank : load_.publisher.ranks()) {
    if (!rank->storage) continue;
    Failure found = rank->storage->damage();
    if (!found && !unopened) continue;
    if (found) damage = std::move(found);
    const bool mended = read_again(rank->source.path);
    if (converted) note_damage_of_converted(*damage, mended);
  }
  for (const auto& damaged : {unsound, load_.events->take_damaged()}) {
    for (const auto& [file, error] : damaged) {
      damage = error;
      static_cast<void>(read_again(file));
    }
  }
  if (!damage && load_.known && !is_aside_) damage = load_.known->file().damage();
  if (!damage) return;
  if (load_.publisher.diagnostics().count("store-damaged") == 0)
    load_.publisher.note("store-damaged", converted ? Severity::error : Severity::info,
                         load_.known ? load_.known->file().name() : load_.keeper.place(),
                         damage->what + (converted ? "" : kSetAside));
  if (!converted) {
    if (!is_aside_) load_.keeper.set_aside();
    is_aside_ = true;
    if (unopened) load_.known.reset();
  }
  if (load_.known)
    for (const trace::SourceFile& source : again) load_.known->forget(source.path);
  sources_.take(again);
  load_.publish();
}

/// Reports each case of corruption once, even if the stores are checked repeatedly.
void LoadStore::note_damage_of_converted(const Error& damage, bool mended) {
  const std::string example = damage.what + (mended ? kReadInstead : "");
  const Diagnostics noted = load_.publisher.diagnostics();
  const auto same = [&](const Diagnostic& one) { return one.code == "store-damaged" && one.example == example; };
  if (std::ranges::none_of(noted.all(), same))
    load_.publisher.note("store-damaged", mended ? Severity::warning : Severity::error, load_.known->file().name(),
                         example);
}

Result<StoreContents> LoadStore::contents() const {
  // A trace's diagnostics report what is missing from the trace, but a copy must not silently lack part of its
  // original.
  if (load_.opened_store && load_.known)
    if (const auto nodes = load_.known->file().metrics(); !nodes) {
      load_.known->file().note_damage(nodes.error());
      return nodes.error();
    }
  return loaded();
}

StoreContents LoadStore::loaded() const {
  StoreContents contents;
  contents.root = load_.found.root.empty() ? load_.path : load_.found.root;
  const Diagnostics noted = load_.publisher.diagnostics();
  for (const Diagnostic& one : noted.all())
    if (!passing(one.code))
      contents.diagnostics.add(one.code, one.severity, one.file, one.offset, one.example, one.count);
  contents.metrics = load_.publisher.metrics();
  if (load_.opened_store) {
    for (std::size_t i = 0; i < load_.known->file().sources().size(); ++i)
      contents.stored.push_back({load_.known->file(), i, {}});
    return contents;
  }
  LoadStatus status;
  load_.jobs.write(status);
  for (const FileStatus& file : status.files) {
    const auto job = load_.jobs.find(file.path);
    if (!job || file.growing) continue;
    const auto numbers = load_.known ? load_.known->find(job->source) : std::vector<std::size_t>();
    for (const std::size_t number : numbers) {
      const auto read_again = [source = job->source, ordinal = job->ordinal,
                               path = load_.known->file().sources()[number].key.path,
                               dictionary = load_.publisher.dictionary()](const CancelToken& cancel) {
        ReadOptions options;
        options.cancel = &cancel;
        const ReadOutcome outcome = read_source(source, ordinal, *dictionary, options);
        const auto rank = std::ranges::find(outcome.merged, path, [](const auto& one) { return one->source.path; });
        return rank == outcome.merged.end() ? outcome.data.rank : *rank;
      };
      contents.stored.push_back({load_.known->file(), number, read_again});
    }
    if (!numbers.empty()) continue;
    if (job->failed) {
      continue;
    } else if (file.state == FileState::passed_over) {
      contents.empty.push_back(job->source);
    } else if (file.state == FileState::done) {
      for (auto& rank : load_.publisher.ranks_of(file.path)) contents.ranks.push_back(std::move(rank));
      const trace::SourceData data = load_.publisher.data(file.path);
      if (data.metrics) contents.empty.push_back(job->source);  // they are in `metrics`
    }
  }
  return contents;
}

Failure LoadStore::write(const StoreContents& everything, const std::string& file, bool whole,
                         const CancelToken& cancel, Progress* progress) const {
  if (everything.ranks.empty() && everything.stored.empty() && everything.metrics.empty())
    return Error{load_.path, "nothing is loaded", ""};
  auto builder = StoreBuilder::create(
      file, load_.publisher.dictionary(),
      {.cancel = &cancel, .in_order = true, .most_bytes = whole ? 0 : load_.keeper.limit(), .shared = whole});
  if (!builder) return builder.error();
  if (whole) (*builder)->insist();
  return write_store(**builder, everything, load_.most_threads(), cancel, progress);
}

Result<std::string> LoadStore::verify_kept(const CancelToken& cancel) {
  const auto parts = store::verify_parts(load_.keeper.place(), &cancel);
  if (cancel.cancelled()) return Error{load_.path, "checking the store was cancelled", ""};
  if (!parts) return parts.error().what;
  std::string first;
  const MutexLock lock(mutex_);
  for (const store::VerifiedPart& part : *parts) {
    if (!part.wrong) continue;
    if (first.empty()) first = part.wrong->what;
    unsound_.insert_or_assign(part.path, *part.wrong);
  }
  return first;
}

void LoadStore::keep_if_due() {
  const StoreOptions& how = load_.options.store;
  if (load_.control.cancelled() || load_.opened_store || !how.keep || !load_.read_anything || load_.keeper.keeping() ||
      load_.text_bytes() < kLeastText)
    return;
  load_.read_anything = false;
  memory_.stop_spilling();  // the keeper continues with its store
  load_.keeper.keep(loaded(), load_.text_bytes(), load_.publisher.dictionary(), [this](const Failure& failure) {
    if (failure) load_.publisher.note("store-not-kept", Severity::info, load_.path, failure->what);
    if (failure) load_.publisher.publish(true);
    kept_ = !failure;
    load_.changed();
  });
}

}  // namespace warpscope::ingest
