#include "core/ingest/bytes/source_change.hpp"

#include "core/ingest/bytes/file_source.hpp"

namespace warpscope::ingest {

bool same_state(const trace::SourceFile& a, const trace::SourceFile& b) {
  return a.size == b.size && a.modified_ns == b.modified_ns && a.inode == b.inode;
}

std::string change_since_found(const trace::SourceFile& found) {
  const auto now = stamp_at(found.path);
  if (!now || *now == FileStamp{found.size, found.modified_ns, found.inode}) return "";
  if (now->size != found.size)
    return "its size changed from " + std::to_string(found.size) + " to " + std::to_string(now->size) + " bytes";
  if (is_group(found.path)) return "one of its files was replaced or its content changed";
  return now->inode == found.inode ? "its content changed but its size did not" : "it was replaced by another file";
}

}  // namespace warpscope::ingest
