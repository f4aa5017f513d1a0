#include "core/store/source_key.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include "core/base/file_group.hpp"
#include "core/store/format.hpp"
#include "core/store/store_bytes.hpp"

namespace warpscope::store {

namespace {

constexpr std::uint64_t kEdge = 16 << 10;

/// A group may have thousands of files, so it is identified by their names, sizes and times.
Result<SourceKey> key_of_group(const std::string& path) {
  const auto files = files_of_group(path);
  if (files.empty()) return Error{path, "no such files", ""};
  const GroupStamp stamp = stamp_of_group(files);
  return SourceKey{path, stamp.size, stamp.modified_ns, stamp.hash, 0, stamp.hash};
}

}  // namespace

Result<SourceKey> source_key(const std::string& path) {
  if (is_group(path)) return key_of_group(path);
  const auto file = open_file_bytes(std::string(file_of(path)));
  if (!file) return Error{path, file.error().what, ""};
  struct stat status {};
  if (::fstat((*file)->descriptor(), &status) != 0) return Error{path, "cannot be read", ""};
  SourceKey key;
  key.path = path;
  key.size = static_cast<std::uint64_t>(status.st_size);
  key.modified_ns = static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
  key.inode = static_cast<std::uint64_t>(status.st_ino);
  const std::uint64_t edge = std::min(kEdge, key.size);
  std::vector<std::uint8_t> bytes(edge);
  key.edges = fnv1a({});
  for (const std::uint64_t from : {std::uint64_t{0}, key.size - edge}) {
    if (!(*file)->read(from, bytes)) return Error{path, "changed while it was read", "try again"};
    key.edges = fnv1a(bytes, key.edges);
  }
  return key;
}

bool same_source(const SourceKey& then, const SourceKey& now) {
  return then.path == now.path && then.size == now.size && then.modified_ns == now.modified_ns &&
         then.edges == now.edges;
}

}  // namespace warpscope::store
