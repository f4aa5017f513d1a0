#pragma once
// Allows only one process at a time to record a node into a folder; otherwise, their samples would be interleaved.
// Uses a kernel lock on a hidden file, so the lock is released no matter how the process ends.
#include <string>

#include "core/base/descriptor.hpp"
#include "core/base/result.hpp"

namespace warpscope::record {

class FolderLock {
 public:
  FolderLock() = default;
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  /// Locks an existing folder for `node`. No-op on file systems without locks. Errors: another process holds the lock;
  /// the lock file is a link or not a regular file, or cannot be created.
  [[nodiscard]] Failure take(const std::string& folder, const std::string& node);

 private:
  std::string path_;
  Descriptor file_;
};

}  // namespace warpscope::record
