#include "core/ingest/load/loader.hpp"

#include <array>
#include <chrono>
#include <filesystem>
#include <utility>

#include "core/base/heap.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/ingest/listing/assumed_ranks.hpp"
#include "core/ingest/listing/share.hpp"

namespace warpscope::ingest {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::milliseconds kAttendEvery{1000};

}  // namespace

Loader::Loader(std::string path, LoadOptions options)
    : load_(std::move(path), std::move(options)), thread_([this] { run(); }) {}

Loader::~Loader() {
  load_.control.stop();
  if (const auto host = remote_.load()) host->close();
  thread_.join();
  if (const auto host = remote_.load()) host->close();
  load_.keeper.stop();
}

void Loader::watch(bool on) {
  load_.control.watch(on && !load_.opened_store);
  load_.changed();
}

Failure Loader::failure() const {
  const MutexLock lock(mutex_);
  return profile() ? std::nullopt : failure_;
}

LoadStatus Loader::status() const {
  LoadStatus status;
  load_.write(status);
  status.waiting_in_store = memory_.waiting_in_store();
  if (!status.running && status.watching) status.awaiting = profile() == nullptr;
  if (!status.running && !status.watching) status.error = failure();
  const MutexLock lock(mutex_);
  if (!status.running) status.seconds = seconds_;
  status.expected = expected_;
  return status;
}

void Loader::run() {
  load_.survive([this] { load(); });
  load_.survive([this] {
    load_.publish();
    {
      const MutexLock house(house_);
      memory_.look();
    }
    give_memory_back();  // free buffers of sizes no longer needed
    load_.publish();
  });
  {
    const MutexLock lock(mutex_);
    seconds_ = load_.seconds();
    if (!profile() && !load_.control.cancelled()) failure_ = load_.why_nothing();
  }
  load_.control.finish();
  load_.survive([this] { load_.changed(); });
  attend();
}

void Loader::load() {
  const std::string& path = load_.path;
  if (is_remote(path)) return load_remote();
  if (opens_as_store(path)) return store_.load(path, std::array{path});
  auto found = discover(path);
  if (!found) {
    load_.away = true;
    return load_.fail(path, found.error());
  }
  if (found->sources.empty() && !found->converted.empty() && !load_.control.watching()) {
    const auto converted = one_profile(found->root, found->converted);
    if (!converted) return load_.fail(path, converted.error());
    if (converted->shards) return store_.load(found->root, converted->shards->files, &*converted->shards);
    return store_.load(converted->files.front(), converted->files);
  }
  load_.found = std::move(*found);
  std::vector<trace::SourceFile> sources = load_.found.sources;
  if (const auto& share = load_.options.share) {
    sources = sources_of(*share, load_.found.root, sources);
    if (share->number > 1) load_.found.diagnostics = {};  // once in all shards
  }
  load_.publish_scan(load_.found);
  add_jobs(sources);
  load_.changed();
  store_.open_kept();
  look_at_cost(sources);
  sources_.open_store();
  sources_.take(sources);
  const MutexLock house(house_);
  store_.check();
}

void Loader::load_remote() {
  load_.control.watch(false);
  auto remote = parse_remote_path(load_.path);
  if (!remote) return load_.fail(load_.path, remote.error());
  const auto host = RemoteHost::connect(
      std::move(*remote), [this](const RemoteProgress& progress) { load_.await(progress); },
      [this] { return load_.control.cancelled(); });
  if (load_.control.cancelled()) return load_.await({});
  if (!host) {
    load_.await({});
    return load_.fail(load_.path, host.error());
  }
  remote_ = *host;
  load_.publisher.is_on(*host);
  load_.await(RemoteProgress{"Opening the ranks", 0, 0});
  const store::Cache cache(load_.options.store.use ? load_.options.store.folder : fs::path(),
                           load_.options.store.limit);
  static_cast<void>(cache.make_room(0));
  std::vector<std::string> files;
  for (const RemoteHost::File& file : (*host)->files()) files.push_back(file.path);
  const Shards shards = (*host)->shards() ? shards_among(files) : Shards();
  store_.load(load_.path, files, (*host)->shards() ? &shards : nullptr, [&](std::size_t i) -> Result<store::StoreFile> {
    auto bytes = remote_bytes(*host, i, cache);
    if (!bytes) return bytes.error();
    return store::open_store(std::move(*bytes), true);
  });
  load_.await({});
}

void Loader::add_jobs(const std::vector<trace::SourceFile>& sources) {
  const std::vector<trace::SourceFile>& all = load_.found.sources;
  const std::vector<std::int64_t> ranks = assumed_ranks(all);
  for (std::size_t i = 0, own = 0; own < sources.size(); ++i)  // `sources` are some of all, in the same order
    if (all[i].path == sources[own].path) load_.jobs.add(sources[own++], ranks[i]);
}

void Loader::look_at_cost(const std::vector<trace::SourceFile>& sources) {
  if (load_.known) return;
  const Preflight expected = preflight(sources, load_.options.threads);
  const std::uint64_t limit = load_.options.memory_limit;
  if (limit > 0 && expected.resident_bytes > limit) memory_.start_spilling(expected.text_bytes);
  const MutexLock lock(mutex_);
  expected_ = expected;
}

/// Does periodic work between the end of the load and closing.
void Loader::attend() {
  load_.survive([this] {
    const MutexLock house(house_);
    store_.keep_if_due();
  });
  for (;;) {
    const bool watching = load_.control.watching();
    const bool idle = [&] {
      const MutexLock house(house_);  // keep() may replace the store meanwhile
      return !watching && load_.options.memory_limit == 0 && !store_.needs_checks();
    }();
    const auto pause = watching ? watch_.pause() : kAttendEvery;
    if (!load_.control.wait(watching, idle ? std::nullopt : std::optional(pause))) return;
    load_.survive([this] {
      const bool look = load_.control.watching();
      const MutexLock house(house_);
      store_.check();
      if (look) watch_.look();
      memory_.look();
      load_.publish();
      if (!look || watch_.quiet_for(load_.options.store.rest)) store_.keep_if_due();
      if (!look || profile()) return;
      const MutexLock lock(mutex_);
      failure_ = load_.why_nothing();
    });
  }
}

void Loader::mend() {
  const MutexLock house(house_);
  store_.check();
  load_.publish();
}

Failure Loader::save(const std::string& file, const CancelToken& cancel, Progress* progress) {
  return write(file, true, cancel, progress);
}

Failure Loader::write(const std::string& file, bool whole, const CancelToken& cancel, Progress* progress) {
  for (bool again = false;; again = true) {
    Result<StoreContents> everything = StoreContents();
    {
      const MutexLock lock(house_);
      everything = store_.contents();
    }
    if (!everything) return everything.error();
    Failure failure = store_.write(*everything, file, whole, cancel, progress);
    const bool corrupt = !everything->stored.empty() && everything->stored.front().file.damage();
    if (!failure || again || load_.opened_store || !corrupt) return failure;
    mend();  // without the corrupt store, everything comes from the traces
  }
}

Failure Loader::damage_of_converted() const {
  const MutexLock lock(house_);
  return store_.damage_of_converted();
}

Result<Kept> Loader::keep(const CancelToken& cancel, Progress* progress, bool check) {
  Kept kept;
  if (load_.opened_store) return kept;
  const std::string at = load_.keeper.place();
  std::error_code gone;
  kept.written = load_.read_anything || !fs::exists(at, gone) || store_.keeps_more();
  if (!kept.written && check) {
    const Failure damage = store_.damage_of_kept(cancel);
    if (cancel.cancelled()) return Error{load_.path, "checking the store was cancelled", ""};
    kept.written = damage.has_value();
    const MutexLock lock(house_);
    if (damage) store_.discard(*damage);
  }
  if (kept.written) {
    const auto place = load_.keeper.make_room(load_.text_bytes());
    if (!place) return place.error();
    if (const Failure failure = write(*place, false, cancel, progress)) return *failure;
    load_.keeper.tidy();
    if (const auto file = store::open_store(*place);
        file && file->sources().empty() && file->directory().metrics.empty()) {
      fs::remove(*place, gone);
      return Error{*place, "store not saved: the traces changed since they were read",
                   "run the command again when they are complete"};
    }
  }
  kept.file = at;
  kept.bytes = fs::file_size(kept.file, gone);
  if (gone) return Error{kept.file, "the saved store is missing: " + gone.message(), "check the disk"};
  return kept;
}

}  // namespace warpscope::ingest
