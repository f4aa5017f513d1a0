#include "core/ingest/load/store_builder.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "core/base/file_group.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/base/threads/parallel_for.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/store/event_archive.hpp"

namespace warpscope::ingest {

namespace {

/// Returns the key of `source` if the file has not changed since it was read.
std::optional<store::SourceKey> key_of(const trace::SourceFile& source) {
  auto key = store::source_key(source.path);
  if (!key || key->size != source.size || key->modified_ns != source.modified_ns || key->inode != source.inode)
    return std::nullopt;
  key->text_bytes = source.text_bytes;
  return *key;
}

}  // namespace

StoreBuilder::StoreBuilder(std::unique_ptr<store::StoreWriter> writer, std::shared_ptr<trace::Dictionary> dictionary,
                           const CancelToken& cancel)
    : writer_(std::move(writer)), dictionary_(std::move(dictionary)), cancel_(cancel) {}

Result<std::unique_ptr<StoreBuilder>> StoreBuilder::create(const std::string& file,
                                                           std::shared_ptr<trace::Dictionary> dictionary,
                                                           const store::StoreWriter::Options& options) {
  auto writer = store::StoreWriter::create(file, options);
  if (!writer) return writer.error();
  return std::unique_ptr<StoreBuilder>(new StoreBuilder(std::move(*writer), std::move(dictionary), *options.cancel));
}

Failure StoreBuilder::add(std::shared_ptr<const trace::Rank> rank) {
  const auto stored = put(*rank, rank);
  return stored ? Failure() : Failure(stored.error());
}

Result<std::shared_ptr<const trace::Rank>> StoreBuilder::exchange(const trace::Rank& rank) {
  return put(rank, nullptr);
}

Result<std::shared_ptr<const trace::Rank>> StoreBuilder::put(const trace::Rank& rank,
                                                             std::shared_ptr<const trace::Rank> kept) {
  const auto key = key_of(rank.source);
  if (!key && insists_)
    return Error{rank.source.path, "changed while it was read or copied", "try again when it is complete"};
  if (!key) return std::shared_ptr<const trace::Rank>();
  std::shared_ptr<const trace::Rank> fresh;
  if (rank.storage) {
    // Use a separate copy, so the columns it loads are freed with it instead of staying in the displayed or kept rank
    // until the end.
    auto reopened = rank.storage->reopen();
    if (!reopened) return reopened.error();
    fresh = std::move(*reopened);
  }
  auto added = writer_->add_rank(fresh ? *fresh : rank, *key, dictionary_);
  if (!added) return added.error();
  // A column that could not be loaded reads as empty. No store is better than a store with empty columns.
  if (fresh)
    if (const Failure damage = fresh->storage->damage()) return *damage;
  const MutexLock lock(mutex_);
  added_.push_back({added->source, kept ? std::move(kept) : added->rank});
  files_.push_back(rank.source.path);
  return added->rank;
}

Failure StoreBuilder::copy(const store::StoreFile& from, std::size_t source) {
  const auto copied = writer_->copy_source(from, source);
  if (!copied) return copied.error();
  const MutexLock lock(mutex_);
  files_.push_back(from.sources()[source].key.path);
  return {};
}

Failure StoreBuilder::add_empty(const trace::SourceFile& file) {
  const auto key = key_of(file);
  if (!key) return {};
  const auto added = writer_->add_source(*key);
  return added ? Failure() : Failure(added.error());
}

bool StoreBuilder::has(const std::string& file) const {
  const MutexLock lock(mutex_);
  return std::ranges::find(files_, file) != files_.end();
}

/// Reads a file once for all its ranks.
Failure StoreBuilder::archive(std::span<const Added> added, Progress* progress) {
  std::vector<std::shared_ptr<const trace::Rank>> ranks;
  std::deque<store::EventArchiveWriter> archives;
  std::vector<ArchivedRank> archived;
  for (const Added& one : added) {
    std::shared_ptr<const trace::Rank> rank = one.rank;
    if (rank->storage) {
      // Use a separate copy, so the columns it loads are freed with it instead of staying in the displayed rank.
      auto fresh = rank->storage->reopen();
      if (!fresh) return fresh.error();
      rank = std::move(*fresh);
    }
    archived.push_back({*rank, archives.emplace_back(*writer_, one.source)});
    ranks.push_back(std::move(rank));
  }
  if (Failure failure = format_of(*ranks.front()).archive(archived, progress, &cancel_)) return failure;
  for (store::EventArchiveWriter& each : archives)
    if (Failure failure = each.finish()) return failure;
  return {};
}

Failure StoreBuilder::finish(const std::string& root, const Diagnostics& diagnostics, unsigned threads,
                             Progress* progress) {
  Mutex noting;
  Diagnostics notes = diagnostics;
  std::vector<Added> ranks;
  {
    const MutexLock lock(mutex_);
    ranks = added_;
  }
  const auto file_of_rank = [](const Added& one) { return file_of(one.rank->source.path); };
  std::ranges::stable_sort(ranks, {}, file_of_rank);
  std::vector<std::span<const Added>> by_file;
  for (std::size_t from = 0; from < ranks.size(); from += by_file.back().size()) {
    const auto rest = std::span<const Added>(ranks).subspan(from);
    const auto end = std::ranges::upper_bound(rest, file_of_rank(rest.front()), {}, file_of_rank);
    by_file.push_back(rest.first(static_cast<std::size_t>(end - rest.begin())));
  }
  parallel_for_while(by_file.size(), threads, [&](std::size_t i) {
    if (cancel_.cancelled()) return false;
    // If the store cannot be written, the writer's finish() reports it.
    if (const Failure failure = archive(by_file[i], progress)) {
      const MutexLock lock(noting);
      const std::string file(file_of_rank(by_file[i].front()));
      notes.add("arguments-not-kept", Severity::warning, file, Diagnostic::kNoOffset, failure->what);
    }
    return true;
  });
  if (cancel_.cancelled()) return Error{root, "writing the store was cancelled", ""};
  return writer_->finish(root, notes);
}

}  // namespace warpscope::ingest
