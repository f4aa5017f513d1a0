// Sorts the parts of a store written by several threads. A part's position depends on the sizes of all parts before it.
// Those are known only after packing, and waiting for them would stall all threads but one. Parts are therefore copied
// again if necessary; a store is only a few percent of the size of its traces.
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "core/base/natural_order.hpp"
#include "core/store/writer.hpp"

namespace warpscope::store {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;

struct Part {
  std::uint64_t* offset;  // of the part within the file
  std::uint64_t size;
  std::uint64_t place = 0;  // in order
};

}  // namespace

/// Call before writing the indexes of archives and the directory; the parts do not contain their own positions.
void StoreWriter::put_in_order() {
  const MutexLock lock(mutex_);
  std::vector<std::size_t> order(sources_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) REQUIRES(mutex_) {
    return natural_less(sources_[a].key.path, sources_[b].key.path);
  });
  std::vector<SourceEntry> sources;
  std::map<std::size_t, std::vector<ArchiveBlock>> archives;
  for (const std::size_t source : order) {
    if (const auto archive = archives_.find(source); archive != archives_.end())
      archives.emplace(sources.size(), std::move(archive->second));
    sources.push_back(std::move(sources_[source]));
  }
  sources_ = std::move(sources);
  archives_ = std::move(archives);

  std::vector<Part> parts;
  for (SourceEntry& source : sources_)
    if (source.rank) parts.push_back({&source.rank->base, source.rank->length});
  for (MetricsPlace& node : metrics_) {
    parts.push_back({&node.head.offset, node.head.stored});
    if (!node.columns.none()) parts.push_back({&node.columns.offset, node.columns.stored});
  }
  for (auto& [source, blocks] : archives_)
    for (ArchiveBlock& block : blocks) parts.push_back({&block.section.offset, block.section.stored});

  std::uint64_t end = kHeaderBytes;
  for (Part& part : parts) {
    part.place = end;
    end += part.size;
  }
  const bool in_order = std::ranges::all_of(parts, [](const Part& part) { return *part.offset == part.place; });
  if (failed_ || (in_order && end == end_)) return;

  auto draft = make_draft(path_, options_.shared);
  if (!draft) return;
  std::vector<std::uint8_t> piece(kPiece);
  const auto copy = [&](std::uint64_t from, std::uint64_t to, std::uint64_t size) {
    while (size > 0) {
      const auto some = std::span(piece).first(std::min<std::uint64_t>(size, piece.size()));
      if (options_.cancel != nullptr && options_.cancel->cancelled()) return false;
      if (!draft_.file->read(from, some) || !draft->file->write(to, some)) return false;
      from += some.size();
      to += some.size();
      size -= some.size();
    }
    return true;
  };
  const auto copy_part = [&](const Part& part) { return copy(*part.offset, part.place, part.size); };
  if (!copy(0, 0, kHeaderBytes) || !std::ranges::all_of(parts, copy_part)) {
    ::unlink(draft->path.c_str());
    return;
  }
  for (const Part& part : parts) *part.offset = part.place;
  ::unlink(draft_.path.c_str());
  draft_ = std::move(*draft);  // ranks already returned keep the first file open
  end_ = end;
}

}  // namespace warpscope::store
