#include "core/ingest/load/load_watch.hpp"

#include <algorithm>
#include <vector>

#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/listing/assumed_ranks.hpp"

namespace warpscope::ingest {

void LoadWatch::look() {
  if (!watch_) watch_.emplace(load_.path, load_.found);
  const auto changes = watch_->look();
  if (!changes) {
    if (!load_.away.exchange(true)) {
      load_.publisher.note("directory-away", Severity::warning, load_.path, changes.error().what);
      load_.publisher.publish(false);
      load_.changed();
    }
    return;
  }
  const bool back = load_.away.exchange(false);
  if (back) {
    load_.publisher.forget_notes(load_.path, "directory-away");
    load_.forget_error(load_.path);
  }
  const bool other_documents = !std::ranges::equal(load_.found.documents, watch_->found().documents, same_state);
  load_.found = watch_->found();
  if (!changes->empty() || other_documents) load_.publish_scan(load_.found);
  for (const SourceChange& change : *changes) note(change);

  std::vector<trace::SourceFile> due;
  const std::vector<trace::SourceFile>& all = load_.found.sources;
  const std::vector<std::int64_t> ranks = assumed_ranks(all);
  bool any_grows = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool growing = watch_->growing(all[i].path);
    any_grows |= growing;
    const auto job = load_.jobs.find(all[i].path);
    if (job) job->growing = growing;
    // Sources taken from the store, or skipped when loading was stopped, were never read here.
    const bool as_stored = job && job->from_store && same_state(job->source, all[i]);
    if (as_stored || !load_.jobs.due(all[i], !growing)) continue;
    load_.jobs.add(all[i], ranks[i])->growing = growing;
    due.push_back(all[i]);
  }
  const auto now = LoadContext::Clock::now();
  if (!due.empty()) sources_.take(due, [this](const std::string& path) { return watch_->growing(path); });
  if (any_grows || !due.empty()) quiet_since_ = now;
  load_.publish();
  if (back || !changes->empty()) load_.changed();
}

void LoadWatch::note(const SourceChange& change) {
  const std::string& file = change.source.path;
  switch (change.kind) {
    case SourceChange::Kind::moved:
      load_.publisher.take_out(change.before);
      load_.jobs.remove(change.before);
      load_.events->forget(change.before);
      return;
    case SourceChange::Kind::vanished:
      load_.publisher.note("source-vanished", Severity::warning, file, "removed while watched");
      return;
    case SourceChange::Kind::appeared:
      load_.publisher.forget_notes(file, "source-vanished");
      return;
    case SourceChange::Kind::settled:
      load_.publisher.forget_notes(file, "still-written");
      return;
    case SourceChange::Kind::changed:
      return;
  }
}

std::chrono::milliseconds LoadWatch::pause() const {
  return watch_ ? watch_->pause(load_.options.look_every) : load_.options.look_every;
}

bool LoadWatch::quiet_for(std::chrono::milliseconds time) const {
  return !quiet_since_ || LoadContext::Clock::now() - *quiet_since_ >= time;
}

}  // namespace warpscope::ingest
