#include "core/ingest/load/known_sources.hpp"

#include <algorithm>
#include <utility>

namespace warpscope::ingest {

std::optional<trace::SourceFile> unchanged_trace(const store::StoreFile& file, const std::string& path) {
  const auto entry =
      std::ranges::find(file.sources(), path, [](const store::SourceEntry& each) { return each.key.path; });
  if (entry == file.sources().end()) return std::nullopt;
  const auto now = store::source_key(path);
  if (!now || !store::same_source(entry->key, *now)) return std::nullopt;
  return trace::SourceFile{path, now->size, now->modified_ns, now->inode, 0};
}

KnownSources::KnownSources(store::StoreFile file) : file_(std::move(file)) {
  for (std::size_t i = 0; i < file_.sources().size(); ++i) by_path_.emplace(file_.sources()[i].key.path, i);
}

std::optional<std::size_t> KnownSources::candidate(const trace::SourceFile& source) const {
  const auto number = by_path_.find(source.path);
  if (number == by_path_.end()) return std::nullopt;
  const store::SourceKey& then = file_.sources()[number->second].key;
  if (then.size != source.size || then.modified_ns != source.modified_ns) return std::nullopt;
  return number->second;
}

std::optional<std::size_t> KnownSources::find(const trace::SourceFile& source) const {
  const auto number = candidate(source);
  if (!number) return std::nullopt;
  const auto now = store::source_key(source.path);
  if (!now || !store::same_source(file_.sources()[*number].key, *now)) return std::nullopt;
  return number;
}

}  // namespace warpscope::ingest
