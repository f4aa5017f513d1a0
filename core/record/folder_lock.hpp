#pragma once
// Lets one process at a time record a node into a folder: samples of two would be mixed. A lock of the kernel on a
// hidden file, so it ends with the process, however that ends.
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

  /// Locks an existing folder for `node`. Fails only if another process has the lock; file systems without locks have
  /// none.
  [[nodiscard]] Failure take(const std::string& folder, const std::string& node);

 private:
  std::string path_;
  Descriptor file_;
};

}  // namespace warpscope::record
