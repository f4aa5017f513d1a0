#include "core/ingest/load/known_sources.hpp"

#include <algorithm>
#include <utility>

#include "core/base/file_group.hpp"

namespace warpscope::ingest {

std::optional<trace::SourceFile> unchanged_trace(const store::StoreFile& file, const std::string& path) {
  const auto entry =
      std::ranges::find(file.sources(), path, [](const store::SourceEntry& each) { return each.key.path; });
  if (entry == file.sources().end()) return std::nullopt;
  const auto now = store::source_key(path);
  if (!now || !store::same_source(entry->key, *now)) return std::nullopt;
  return trace::SourceFile{std::string(file_of(path)), now->size, now->modified_ns, now->inode, 0};
}

KnownSources::KnownSources(store::StoreFile file) : file_(std::move(file)) {
  for (std::size_t i = 0; i < file_.sources().size(); ++i)
    by_file_[std::string(file_of(file_.sources()[i].key.path))].push_back(i);
}

const std::vector<std::size_t>* KnownSources::candidates(const trace::SourceFile& source) const {
  const auto numbers = by_file_.find(source.path);
  if (numbers == by_file_.end()) return nullptr;
  const auto is_like = [&](std::size_t number) {
    const store::SourceKey& then = file_.sources()[number].key;
    return then.size == source.size && then.modified_ns == source.modified_ns;
  };
  return std::ranges::all_of(numbers->second, is_like) ? &numbers->second : nullptr;
}

std::vector<std::size_t> KnownSources::find(const trace::SourceFile& source) const {
  const std::vector<std::size_t>* const numbers = candidates(source);
  if (numbers == nullptr) return {};
  auto now = store::source_key(source.path);
  if (!now) return {};
  const auto is_same = [&](std::size_t number) {
    const store::SourceKey& then = file_.sources()[number].key;
    now->path = then.path;
    return store::same_source(then, *now);
  };
  return std::ranges::all_of(*numbers, is_same) ? *numbers : std::vector<std::size_t>();
}

}  // namespace warpscope::ingest
