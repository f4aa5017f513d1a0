// The loader's work between the end of the load and closing.
#include <algorithm>
#include <utility>

#include "core/base/format.hpp"
#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/load/loader.hpp"
#include "core/ingest/read/source_reader.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::chrono::seconds kAttendEvery{1};
// Smaller inputs load so fast that they need no store.
constexpr std::uint64_t kLeastText = std::uint64_t{1} << 20;

// Appended to the error of a converted profile.
constexpr const char* kReadInstead = "; its trace is read instead";

/// Diagnostics that apply only to this load, or only to the store.
bool passing(std::string_view code) {
  return code == "memory-limit" || code == "memory-limit-not-held" || code == "store-damaged" ||
         code == "store-outdated" || code == "stored-part-missing" || code == "store-not-kept" ||
         code == "still-written" || code == "directory-away" || code == "source-vanished" ||
         code == "converted-beside-traces" || code == "load-failed";
}

}  // namespace

void Loader::attend() {
  survive([this] {
    const MutexLock house(house_);
    keep_store_if_due();
  });
  MutexLock lock(mutex_);
  while (!stop_) {
    const bool watching = watching_;
    const bool idle = !watching && options_.memory_limit == 0 && !known_ && !keeper_.keeping() && !kept_;
    const auto look_every = watch_ ? watch_->pause(options_.look_every) : options_.look_every;
    const auto pause = watching ? look_every : std::chrono::milliseconds(kAttendEvery);
    const auto woken = [&]() REQUIRES(mutex_) { return stop_ || watching_ != watching; };
    idle ? news_.wait(lock, woken) : static_cast<void>(news_.wait_for(lock, pause, woken));
    if (stop_) return;
    if (cancel_->cancelled()) cancel_ = std::make_shared<CancelToken>();
    const bool look = watching_;
    lock.unlock();
    survive([&] {
      const MutexLock house(house_);
      check_stores();
      if (look) look_again();
      if (options_.memory_limit > 0) note_not_held("ranks take", give_back());
      publisher_.publish(nothing_more());
      keep_store_if_due();
    });
    lock.lock();
  }
}

void Loader::look_again() {
  if (!watch_) watch_.emplace(path_, found_);
  const auto changes = watch_->look();
  if (!changes) {
    if (!away_.exchange(true)) {
      publisher_.note("directory-away", Severity::warning, path_, changes.error().what);
      publisher_.publish(false);
      changed();
    }
    return;
  }
  const bool back = away_.exchange(false);
  if (back) {
    publisher_.forget_notes(path_, "directory-away");
    const MutexLock lock(mutex_);
    errors_.erase(path_);
  }
  const bool other_documents = !std::ranges::equal(found_.documents, watch_->found().documents, same_state);
  found_ = watch_->found();
  if (!changes->empty() || other_documents) read_job(found_);
  for (const SourceChange& change : *changes) {
    const std::string& file = change.source.path;
    if (change.kind == SourceChange::Kind::moved) {
      publisher_.take_out(change.before);
      jobs_.remove(change.before);
      events_->forget(change.before);
      policy_.forget(change.before);
    }
    if (change.kind == SourceChange::Kind::vanished)
      publisher_.note("source-vanished", Severity::warning, file, "removed while watched");
    if (change.kind == SourceChange::Kind::appeared) publisher_.forget_notes(file, "source-vanished");
    if (change.kind == SourceChange::Kind::settled) publisher_.forget_notes(file, "still-written");
  }

  std::vector<trace::SourceFile> due;
  const auto now = Clock::now();
  for (std::size_t i = 0; i < found_.sources.size(); ++i) {
    const trace::SourceFile& source = found_.sources[i];
    const bool growing = watch_->growing(source.path);
    const auto job = jobs_.find(source.path);
    if (job) job->growing = growing;
    // Sources from the store, or left out when loading was stopped, were never read here.
    const bool as_stored = job && job->from_store && same_state(job->source, source);
    if (as_stored || !policy_.due(source, !growing, now)) continue;
    jobs_.add(source, static_cast<std::int64_t>(i))->growing = growing;
    due.push_back(source);
  }
  if (!due.empty()) {
    quiet_since_ = now;
    take(due, true);
  }
  const bool growing = std::ranges::any_of(
      found_.sources, [this](const trace::SourceFile& source) { return watch_->growing(source.path); });
  if (growing) quiet_since_ = now;
  publisher_.publish(nothing_more());
  if (!publisher_.profile()) {
    const MutexLock lock(mutex_);
    failure_ = why_nothing();
  }
  if (back || !changes->empty()) changed();
}

/// False while a watched file grows or is truncated, or if loading was stopped.
bool Loader::nothing_more() const {
  {
    const MutexLock lock(mutex_);
    if (!watching_) return !cancelled_;
  }
  return std::ranges::none_of(found_.sources, [this](const trace::SourceFile& source) {
    const auto job = jobs_.find(source.path);
    return job && (job->growing || job->unfinished);
  });
}

void Loader::begin_spilling(std::uint64_t text_bytes) {
  const MutexLock lock(spilling_);
  if (spill_ != nullptr || cannot_spill_) return;
  const auto builder = keeper_.spill(text_bytes, publisher_.dictionary());
  if (builder) {
    spill_ = *builder;
    publisher_.note("memory-limit", Severity::info, path_, "ranks load when you look at them");
  } else {
    cannot_spill_ = true;
    note_no_place(builder.error());
  }
}

/// Spills the ranks loaded before the limit was reached.
void Loader::spill_the_rest() {
  for (const auto& rank : publisher_.ranks()) {
    if (rank->storage || spill_ == nullptr) continue;
    in_memory_ -= rank->resident_bytes();
    add(rank);
  }
}

/// Ranks cannot be kept on disk; reported only if the limit is exceeded because of it.
void Loader::note_no_place(const Error& error) {
  const MutexLock lock(mutex_);
  if (no_place_.empty()) no_place_ = "; " + error.what;
}

/// Reports whether the limit holds after the load, and whether it held while reading. `ranks`: bytes of the ranks in
/// memory by their own count. The system's figure includes everything else, but its peak is useless for this load if an
/// earlier peak was higher.
void Loader::note_memory(std::uint64_t ranks) {
  const ProcessMemory now = process_memory();
  const auto own = [this](std::uint64_t bytes) { return held_by_load(bytes, before_.resident, kResidentBase); };
  note_not_held("loaded data takes", std::max(own(now.resident), ranks));
  if (!read_anything_) return;
  const std::uint64_t peak = now.peak > before_.peak ? own(now.peak) : 0;
  note_not_held("loading needed up to", std::max<std::uint64_t>(peak, most_held_));
}

/// Reports once if `needed` bytes exceed the limit.
void Loader::note_not_held(const std::string& what, std::uint64_t needed) {
  if (needed <= options_.memory_limit || not_held_) return;
  not_held_ = true;
  if (publisher_.diagnostics().count("memory-limit-not-held") > 0) return;
  const auto bytes = [](std::uint64_t count) { return format_bytes(static_cast<std::int64_t>(count)); };
  std::string no_place;
  {
    const MutexLock lock(mutex_);
    no_place = no_place_;
  }
  publisher_.note("memory-limit-not-held", Severity::warning, path_,
                  what + " " + bytes(needed) + " in memory, " + bytes(needed - options_.memory_limit) +
                      " more than the limit of " + bytes(options_.memory_limit) + no_place);
}

/// Returns the bytes of all ranks that stay in memory, of names, which all stay, and of the allowance for everything
/// else.
std::uint64_t Loader::give_back() {
  if (spill_ != nullptr) spill_the_rest();
  std::uint64_t fixed = kResidentBase + publisher_.dictionary()->names.resident_bytes();
  std::map<std::string, std::shared_ptr<const trace::Rank>> stored;
  for (auto& rank : publisher_.ranks()) {
    const std::uint64_t bytes = rank->resident_bytes();
    if (!rank->storage) {
      fixed += bytes;
      continue;
    }
    residency_.seen(rank->source.path, bytes);
    stored.emplace(rank->source.path, std::move(rank));
  }
  std::map<std::string, std::shared_ptr<const trace::Rank>> fresh;
  const auto least = [&](const std::string& file) -> std::uint64_t {
    const auto rank = stored.find(file);
    if (rank == stored.end()) return ~std::uint64_t{0};
    auto reopened = rank->second->storage->reopen();
    if (!reopened) return ~std::uint64_t{0};
    const std::uint64_t bytes = (*reopened)->resident_bytes();
    fresh.insert_or_assign(file, std::move(*reopened));
    return bytes;
  };
  const std::vector<std::string> chosen = residency_.choose(options_.memory_limit, fixed, least);
  for (const std::string& file : chosen) publisher_.put(file, {.rank = fresh.at(file)});
  bool other = false;
  {
    const MutexLock lock(mutex_);
    for (const std::string& file : chosen) stored_.insert_or_assign(file, fresh.at(file)->resident_bytes());
    const auto waiting = static_cast<std::size_t>(std::ranges::count_if(stored_, [&](const auto& one) {
      const auto rank = stored.find(one.first);
      return fresh.contains(one.first) || (rank != stored.end() && rank->second->resident_bytes() <= one.second);
    }));
    other = std::exchange(waiting_in_store_, waiting) != waiting;
  }
  if (other) changed();
  publisher_.publish(nothing_more());
  return fixed + residency_.total();
}

/// Handles corrupt stores. If a rank cannot be opened, the whole store is unusable and the sources are read. If a
/// column or event text cannot be read, only that source is reread; the rest still comes from the store, which was
/// moved aside, also into the next one.
void Loader::check_stores() {
  if (kept_.exchange(false)) {
    Failure damage;
    known_ = keeper_.open(damage);
    store_is_aside_ = false;
  }
  std::vector<trace::SourceFile> again;
  const auto read_again = [&](const std::string& file) {
    const auto job = jobs_.find(file);
    // If the source is unreadable too, keep its rank.
    if (!job || job->state != FileState::done) return false;
    std::optional<trace::SourceFile> source = job->source;
    if (opened_store_) source = unchanged_trace(known_->file(), file);
    if (!source) return false;
    again.push_back(*source);
    jobs_.add(*source, job->ordinal);
    return true;
  };
  Failure damage;
  std::map<std::string, Error> unsound;
  {
    const MutexLock lock(mutex_);
    damage = std::exchange(store_damage_, std::nullopt);
    unsound = std::exchange(unsound_, {});
  }
  const bool unopened = damage.has_value();
  for (const auto& rank : publisher_.ranks()) {
    if (!rank->storage) continue;
    Failure found = rank->storage->damage();
    if (!found && !unopened) continue;
    if (found) damage = std::move(found);
    const bool mended = read_again(rank->source.path);
    if (opened_store_) note_damage_of_converted(*damage, mended);
  }
  for (const auto& damaged : {unsound, events_->take_damaged()}) {
    for (const auto& [file, error] : damaged) {
      damage = error;
      static_cast<void>(read_again(file));
    }
  }
  if (!damage && known_ && !store_is_aside_) damage = known_->file().damage();
  if (!damage) return;
  if (publisher_.diagnostics().count("store-damaged") == 0)
    publisher_.note("store-damaged", opened_store_ ? Severity::error : Severity::info,
                    known_ ? known_->file().name() : keeper_.place(), damage->what + (opened_store_ ? "" : kSetAside));
  if (opened_store_) {
    for (const trace::SourceFile& source : again) known_->forget(source.path);
    take(again, false);
  } else {
    if (!store_is_aside_) keeper_.set_aside();
    store_is_aside_ = true;
    if (known_ && !unopened)
      for (const trace::SourceFile& source : again) known_->forget(source.path);
    else
      known_.reset();
    take(again, false);
  }
  publisher_.publish(nothing_more());
}

/// Reports each corruption once, even if the stores are checked repeatedly.
void Loader::note_damage_of_converted(const Error& damage, bool mended) {
  const std::string example = damage.what + (mended ? kReadInstead : "");
  const Diagnostics noted = publisher_.diagnostics();
  const auto same = [&](const Diagnostic& one) { return one.code == "store-damaged" && one.example == example; };
  if (std::ranges::none_of(noted.all(), same))
    publisher_.note("store-damaged", mended ? Severity::warning : Severity::error, known_->file().name(), example);
}

void Loader::mend() {
  const MutexLock house(house_);
  check_stores();
  publisher_.publish(nothing_more());
}

/// Returns a function that rereads a source if its copy in a store is corrupt.
std::function<std::shared_ptr<const trace::Rank>(const CancelToken&)> Loader::reader_of(const SourceJob& job) const {
  return [source = job.source, ordinal = job.ordinal, dictionary = publisher_.dictionary()](const CancelToken& cancel) {
    ReadOptions options;
    options.cancel = &cancel;
    return read_source(source, ordinal, *dictionary, options).data.rank;
  };
}

StoreContents Loader::contents() const {
  StoreContents contents;
  contents.root = found_.root.empty() ? path_ : found_.root;
  const Diagnostics noted = publisher_.diagnostics();
  for (const Diagnostic& one : noted.all())
    if (!passing(one.code))
      contents.diagnostics.add(one.code, one.severity, one.file, one.offset, one.example, one.count);
  contents.metrics = publisher_.metrics();
  if (opened_store_) {
    for (std::size_t i = 0; i < known_->file().sources().size(); ++i)
      contents.stored.push_back({known_->file(), i, {}});
    return contents;
  }
  LoadStatus status;
  jobs_.write(status);
  for (const FileStatus& file : status.files) {
    const auto job = jobs_.find(file.path);
    if (!job || file.growing) continue;
    const auto number = known_ ? known_->find(job->source) : std::nullopt;
    if (number) {
      contents.stored.push_back({known_->file(), *number, reader_of(*job)});
    } else if (job->failed) {
      continue;
    } else if (file.state == FileState::passed_over) {
      contents.empty.push_back(job->source);
    } else if (file.state == FileState::done) {
      trace::SourceData data = publisher_.data(file.path);
      if (data.rank) contents.ranks.push_back(std::move(data.rank));
      if (data.metrics) contents.empty.push_back(job->source);  // they are in `metrics`
    }
  }
  return contents;
}

std::uint64_t Loader::text_bytes() const {
  std::uint64_t bytes = 0;
  for (const auto& rank : publisher_.ranks()) bytes += rank->source.text_bytes;
  return bytes;
}

void Loader::keep_store_if_due() {
  {
    const MutexLock lock(mutex_);
    if (stop_ || cancelled_) return;
    if (watching_ && quiet_since_ && Clock::now() - *quiet_since_ < options_.store.rest) return;
  }
  if (opened_store_ || !options_.store.keep || !read_anything_ || keeper_.keeping() || text_bytes() < kLeastText)
    return;
  read_anything_ = false;
  spill_ = nullptr;  // the keeper continues with it
  keeper_.keep(contents(), text_bytes(), publisher_.dictionary(), [this](const Failure& failure) {
    if (failure) publisher_.note("store-not-kept", Severity::info, path_, failure->what);
    if (failure) publisher_.publish(true);
    kept_ = !failure;
    changed();
  });
}

}  // namespace warpscope::ingest
