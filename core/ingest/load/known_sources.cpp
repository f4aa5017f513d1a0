#include "core/ingest/load/known_sources.hpp"

#include <optional>
#include <utility>

#include "core/base/file_group.hpp"

namespace warpscope::ingest {

KnownSources::KnownSources(store::StoreFile file) : file_(std::move(file)) {
  for (std::size_t i = 0; i < file_.sources().size(); ++i)
    by_file_[std::string(file_of(file_.sources()[i].key.path))].push_back(i);
}

std::vector<std::size_t> KnownSources::find(const trace::SourceFile& source) const {
  const auto numbers = by_file_.find(source.path);
  if (numbers == by_file_.end()) return {};
  std::optional<store::SourceKey> now;
  for (const std::size_t number : numbers->second) {
    const store::SourceKey& then = file_.sources()[number].key;
    if (then.size != source.size || then.modified_ns != source.modified_ns) return {};
    if (!now) {
      const auto key = store::source_key(source.path);
      if (!key) return {};
      now = *key;
    }
    now->path = then.path;
    if (!store::same_source(then, *now)) return {};
  }
  return numbers->second;
}

}  // namespace warpscope::ingest
