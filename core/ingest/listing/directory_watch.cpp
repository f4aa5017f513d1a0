#include "core/ingest/listing/directory_watch.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "core/ingest/bytes/source_change.hpp"

namespace warpscope::ingest {

namespace {

// A file may have grown just before being renamed to its final name. A file that shrank or is older is a different file
// reusing a deleted file's inode.
bool may_be_moved(const trace::SourceFile& before, const trace::SourceFile& now) {
  return now.inode == before.inode && now.size >= before.size && now.modified_ns >= before.modified_ns;
}

}  // namespace

std::vector<SourceChange> changes_between(const std::vector<trace::SourceFile>& before,
                                          const std::vector<trace::SourceFile>& now) {
  std::unordered_map<std::string_view, const trace::SourceFile*> old_by_path;
  for (const trace::SourceFile& source : before) old_by_path.emplace(source.path, &source);
  std::set<std::string_view> paths_now;
  for (const trace::SourceFile& source : now) paths_now.insert(source.path);

  std::unordered_map<std::uint64_t, const trace::SourceFile*> gone;  // by inode
  for (const trace::SourceFile& source : before)
    if (!paths_now.contains(source.path)) gone.emplace(source.inode, &source);

  std::vector<SourceChange> changes;
  std::set<std::string_view> moved;
  for (const trace::SourceFile& source : now) {
    const auto old = old_by_path.find(source.path);
    if (old != old_by_path.end()) {
      if (!same_state(*old->second, source)) changes.push_back({SourceChange::Kind::changed, source});
      continue;
    }
    const auto same = gone.find(source.inode);
    if (same == gone.end() || !may_be_moved(*same->second, source) || !moved.insert(same->second->path).second)
      changes.push_back({SourceChange::Kind::appeared, source});
    else
      changes.push_back({SourceChange::Kind::moved, source, same->second->path});
  }
  for (const trace::SourceFile& source : before)
    if (!paths_now.contains(source.path) && !moved.contains(source.path))
      changes.push_back({SourceChange::Kind::vanished, source});
  return changes;
}

DirectoryWatch::DirectoryWatch(std::filesystem::path path, Discovery known)
    : path_(std::move(path)), found_(std::move(known)) {
  for (const trace::SourceFile& source : found_.sources) growing_.insert(source.path);
}

Result<std::vector<SourceChange>> DirectoryWatch::look() {
  const auto began = Clock::now();
  auto now = discover(path_, &found_);
  last_took_ = Clock::now() - began;
  if (!now) return now.error();

  std::vector<SourceChange> changes = changes_between(found_.sources, now->sources);
  std::set<std::string, std::less<>> growing;
  for (const SourceChange& change : changes)
    if (change.kind != SourceChange::Kind::vanished) growing.insert(change.source.path);
  for (const trace::SourceFile& source : now->sources)
    if (growing_.contains(source.path) && !growing.contains(source.path))
      changes.push_back({SourceChange::Kind::settled, source});
  growing_ = std::move(growing);
  found_ = std::move(*now);
  return changes;
}

std::chrono::milliseconds DirectoryWatch::pause(std::chrono::milliseconds usual) const {
  return std::max(usual, std::chrono::duration_cast<std::chrono::milliseconds>(last_took_ * 20));
}

}  // namespace warpscope::ingest
