#include "core/ingest/load/load_store.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/base/file_group.hpp"
#include "core/base/threads/parallel_for.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/trace/file_end.hpp"

namespace warpscope::ingest {

namespace {

// Smaller inputs load fast enough without a store.
constexpr std::uint64_t kLeastText = std::uint64_t{1} << 20;

// Appended to the error of a store in the cache.
constexpr const char* kDeleted = "; deleted it and read the traces again";

/// True for diagnostics that apply only to this load or this store.
bool passing(std::string_view code) {
  return code == "memory-limit" || code == "memory-limit-not-held" || code == "store-damaged" ||
         code == "store-outdated" || code == "store-not-kept" || code == "still-written" || code == "directory-away" ||
         code == "source-vanished" || code == "converted-beside-traces" || code == "load-failed";
}

}  // namespace

std::vector<Result<LoadStore::Opened>> LoadStore::open_all(std::size_t count, const Open& open) const {
  std::vector<Result<Opened>> all(count, Error{});
  const unsigned threads = load_.most_threads();
  const auto open_one = [&](std::size_t i) {
    auto file = open(i);
    if (!file) {
      all[i] = file.error();
    } else {
      auto ranks = file->each_rank(load_.publisher.dictionary(), count == 1 ? threads : 1);
      auto nodes = file->each_metrics();
      all[i] = Opened{std::move(*file), std::move(ranks), std::move(nodes)};
    }
    return !load_.control.cancelled();
  };
  parallel_for_while(count, threads, open_one);
  return all;
}

void LoadStore::load(const std::string& root, std::span<const std::string> files, const Shards* shards) {
  load(root, files, shards, [&](std::size_t i) { return open_converted(files[i]); });
}

void LoadStore::load(const std::string& root, std::span<const std::string> files, const Shards* shards,
                     const Open& open) {
  load_.opened_store = true;
  load_.control.watch(false);
  std::vector<Result<Opened>> all = open_all(files.size(), open);
  bool anything = false;
  Failure first;
  const auto look_at = [&](const auto& part) {
    anything |= part.ok();
    if (!part && !first) first = part.error();
  };
  for (const auto& opened : all) {
    if (!opened) {
      if (!first) first = opened.error();
      continue;
    }
    for (const auto& each : opened->ranks) look_at(each.rank);
    for (const auto& node : opened->nodes) look_at(node);
  }
  if (first && !anything) return load_.fail(load_.path, *first);
  Discovery alone;
  alone.root = root;
  for (const auto& opened : all)
    if (opened) alone.diagnostics.merge(opened->file.directory().diagnostics);
  if (shards != nullptr && !shards->missing.empty())
    alone.diagnostics.add("shard-missing", Severity::error, root, Diagnostic::kNoOffset, shards->missing_text(),
                          shards->missing.size());
  for (std::size_t i = 0; shards != nullptr && i < shards->others.size(); ++i)
    alone.diagnostics.add("converted-beside-traces", Severity::info, shards->others[i], Diagnostic::kNoOffset,
                          "skipped because the folder contains the shards of a job");
  load_.publish_scan(alone);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i])
      publish(*all[i]);
    else if (!all[i].error().what.empty())  // else not opened, because the load was cancelled
      note_damage(files[i], all[i].error());
  }
}

void LoadStore::publish(Opened& opened) {
  load_.converted.push_back(opened.file);
  const auto& sources = opened.file.sources();
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
    load_.events->add_stored(sources[i].key.path, opened.file, i, true);
  }
  for (auto& [source, rank] : opened.ranks) {
    const std::string& path = sources[source].key.path;
    const auto job = load_.jobs.find(std::string(file_of(path)));
    if (rank) {
      if (trace::unfinished((*rank)->diagnostics, path)) job->unfinished = true;
      load_.publisher.put(path, {.rank = std::move(*rank)});
    } else {
      note_damage(path, rank.error());
      load_.jobs.pass_over(*job, rank.error().what);
    }
  }
  for (auto& node : opened.nodes) {
    if (!node) {
      note_damage(opened.file.name(), node.error());
      continue;
    }
    const std::string path = (*node)->origin().source;
    add_job(path, (*node)->origin().bytes, sources.size(), true);
    load_.publisher.put(path, {.metrics = std::move(*node)});
  }
}

void LoadStore::open_kept() {
  Failure damage;
  load_.known = load_.keeper.open(damage);
  if (!damage) return;
  const bool outdated = store::of_other_version(*damage);
  load_.publisher.note(outdated ? "store-outdated" : "store-damaged", Severity::info, load_.keeper.place(),
                       damage->what + (outdated ? "" : kDeleted));
}

void LoadStore::check() {
  if (kept_.exchange(false)) {
    Failure damage;
    load_.known = load_.keeper.open(damage);
  }
  if (!load_.opened_store) {
    if (const Failure damage = load_.known ? load_.known->file().damage() : Failure()) discard(*damage);
    return;
  }
  bool in_rank = false;
  for (const auto& rank : load_.publisher.ranks())
    if (const Failure damage = rank->storage ? rank->storage->damage() : Failure()) {
      in_rank = true;
      note_damage(rank->source.path, *damage);
    }
  if (const Failure damage = damage_of_converted(); damage && !in_rank)
    note_damage(load_.path, *damage);  // in the text of events
  load_.publish();
}

void LoadStore::note_damage(const std::string& of, const Error& damage) {
  if (damaged_.insert(of).second)
    load_.publisher.note("store-damaged", Severity::error, of, Error{damage.where, damage.what, ""}.message());
}

void LoadStore::discard(const Error& damage) {
  load_.publisher.note("store-damaged", Severity::info, load_.keeper.place(), damage.what + kDeleted);
  load_.keeper.remove();
  load_.known.reset();
  std::vector<trace::SourceFile> again;
  LoadStatus status;
  load_.jobs.write(status);
  for (const FileStatus& file : status.files) {
    const auto job = load_.jobs.find(file.path);
    if (!file.from_store || !job) continue;
    again.push_back(job->source);
    load_.jobs.add(job->source, job->ordinal);
  }
  sources_.take(again);
  load_.publish();
}

Result<StoreContents> LoadStore::contents() const {
  // A trace's diagnostics report what is missing from the trace, but a copy must not silently lack part of its
  // original.
  for (const store::StoreFile& file : load_.converted)
    if (const auto nodes = file.metrics(); !nodes) {
      file.note_damage(nodes.error());
      return nodes.error();
    }
  return loaded();
}

Failure LoadStore::damage_of_converted() const {
  for (const store::StoreFile& file : load_.converted)
    if (Failure damage = file.damage()) return damage;
  return {};
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
    for (const store::StoreFile& file : load_.converted)
      for (std::size_t i = 0; i < file.sources().size(); ++i) contents.stored.push_back({file, i});
    return contents;
  }
  LoadStatus status;
  load_.jobs.write(status);
  for (const FileStatus& file : status.files) {
    const auto job = load_.jobs.find(file.path);
    if (!job || file.growing) continue;
    const auto numbers = load_.known ? load_.known->find(job->source) : std::vector<std::size_t>();
    for (const std::size_t number : numbers) contents.stored.push_back({load_.known->file(), number});
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
  auto builder =
      StoreBuilder::create(file, load_.publisher.dictionary(),
                           {.cancel = &cancel, .most_bytes = whole ? 0 : load_.keeper.limit(), .shared = whole});
  if (!builder) return builder.error();
  if (whole) (*builder)->insist();
  return write_store(**builder, everything, load_.most_threads(), cancel, progress);
}

bool LoadStore::keeps_more() const {
  return load_.known && loaded().stored.size() < load_.known->file().sources().size();
}

Failure LoadStore::damage_of_kept(const CancelToken& cancel) const {
  const auto parts = store::verify_parts(load_.keeper.place(), &cancel);
  if (!parts) return parts.error();
  const auto wrong =
      std::ranges::find_if(*parts, [](const store::VerifiedPart& part) { return part.wrong.has_value(); });
  return wrong == parts->end() ? Failure() : wrong->wrong;
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
