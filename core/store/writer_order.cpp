// Sorts the parts of a store written by several threads. The position of a part depends on the sizes of all parts
// before it, which are known only once they are packed, and waiting for them would stall all threads but one. So the
// parts are copied once more if necessary; a store is only a few percent of the size of its traces.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <numeric>

#include "core/base/natural_order.hpp"
#include "core/store/writer.hpp"

namespace warpscope::store {

namespace {

constexpr std::size_t kWriteAtOnce = std::size_t{1} << 20;

struct Part {
  std::uint64_t* offset;  // of the part within the file
  std::uint64_t size;
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

  const std::vector<SourceEntry> sources_before = sources_;
  const std::vector<MetricsPlace> metrics_before = metrics_;
  const auto archives_before = archives_;
  std::vector<Part> parts;
  for (SourceEntry& source : sources_)
    if (source.rank) parts.push_back({&source.rank->base, source.rank->length});
  for (MetricsPlace& node : metrics_) {
    parts.push_back({&node.head.offset, node.head.stored});
    if (!node.columns.none()) parts.push_back({&node.columns.offset, node.columns.stored});
  }
  for (auto& [source, blocks] : archives_)
    for (ArchiveBlock& block : blocks) parts.push_back({&block.section.offset, block.section.stored});

  std::uint64_t next = kHeaderBytes;
  const bool in_order = std::ranges::all_of(parts, [&](const Part& part) {
    const bool here = *part.offset == next;
    next += part.size;
    return here;
  });
  if (failed_ || (in_order && next == end_)) return;

  const auto made = make_temporary_store(path_);
  if (!made) return;
  const auto& [name, descriptor] = *made;
  const auto into = std::make_shared<FileBytes>(path_, descriptor);
  std::array<std::uint8_t, std::size_t{1} << 16> piece{};
  std::vector<std::uint8_t> waiting;  // write buffer
  std::uint64_t written = 0;
  bool whole = true;
  const auto flush = [&] {
    std::span<const std::uint8_t> rest = waiting;
    while (whole && !rest.empty()) {
      const ::ssize_t put = ::pwrite(descriptor, rest.data(), rest.size(), static_cast<::off_t>(written));
      if (put < 0 && errno == EINTR) continue;
      whole = put > 0;
      if (!whole) break;
      written += static_cast<std::uint64_t>(put);
      rest = rest.subspan(static_cast<std::size_t>(put));
    }
    waiting.clear();
  };
  const auto copy = [&](std::uint64_t offset, std::uint64_t size) {
    while (whole && size > 0) {
      const auto some = std::span(piece).first(std::min<std::uint64_t>(size, piece.size()));
      whole = bytes_->read(offset, some) && (options_.cancel == nullptr || !options_.cancel->cancelled());
      waiting.insert(waiting.end(), some.begin(), some.end());
      if (waiting.size() >= kWriteAtOnce) flush();
      offset += some.size();
      size -= some.size();
    }
  };
  copy(0, kHeaderBytes);
  std::uint64_t place = kHeaderBytes;
  for (const Part& part : parts) {
    copy(*part.offset, part.size);
    *part.offset = place;
    place += part.size;
  }
  flush();
  if (!whole) {
    ::unlink(name.c_str());
    sources_ = sources_before;
    metrics_ = metrics_before;
    archives_ = archives_before;
    return;
  }
  ::unlink(temporary_.c_str());
  temporary_ = name;
  descriptor_ = descriptor;
  bytes_ = into;  // ranks already returned keep the first file open
  end_ = place;
}

}  // namespace warpscope::store
