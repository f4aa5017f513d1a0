#include "core/store/verify_store.hpp"

#include <memory>

#include "core/store/reader.hpp"

namespace warpscope::store {

Result<std::vector<VerifiedPart>> verify_parts(const std::string& path, const CancelToken* cancel) {
  std::vector<VerifiedPart> parts;
  const auto whole = open_store(path);
  if (!whole) return whole.error();
  for (std::size_t source = 0; source < whole->sources().size(); ++source) {
    if (cancel != nullptr && cancel->cancelled()) return Error{path, "the check was interrupted", ""};
    const SourceEntry& entry = whole->sources()[source];
    VerifiedPart part{entry.key.path, {}, {}, {}};
    // Opened separately for each source, because a file records only the first corruption.
    const auto file = open_store(path);
    if (!file) return file.error();
    if (entry.rank)
      if (const auto rank = file->rank(source, std::make_shared<trace::Dictionary>())) {
        part.rank = (*rank)->number;
        part.slices = (*rank)->counts.slices;
      }
    part.wrong = file->verify_source(source, cancel);
    parts.push_back(std::move(part));
  }
  for (const auto& node : whole->each_metrics()) {
    VerifiedPart part{"system metrics", {}, {}, {}};
    if (node)
      part.path += " of " + (*node)->node();
    else
      part.wrong = node.error();
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace warpscope::store
