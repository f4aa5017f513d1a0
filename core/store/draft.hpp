#pragma once
// The file of a store that is being written: NAME.wscope.tmp-XXXXXX in the folder of the finished store, with an
// exclusive lock (flock). The operating system releases the lock when the writer dies for any reason, which
// distinguishes the file from one left by a killed program; lock files and process ids do not guarantee this.
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/base/descriptor.hpp"
#include "core/base/result.hpp"
#include "core/store/store_bytes.hpp"

namespace warpscope::store {

struct Draft {
  std::string path;
  std::shared_ptr<const FileBytes> file;  ///< shared with the ranks that were added
};

/// Creates a locked empty file for the store at `path`. `shared`: with the user's usual permissions; otherwise, private
/// to the user.
[[nodiscard]] Result<Draft> make_draft(const std::string& path, bool shared);

/// True for the file name of a draft.
[[nodiscard]] bool is_draft(std::string_view name);
/// Opens the file at `path` and locks it without blocking. Returns an empty descriptor if it does not exist, cannot be
/// opened, or is locked, also by this process, or if the file system does not support locks.
[[nodiscard]] Descriptor locked_file(const std::filesystem::path& path);
/// Removes the drafts of killed writers from `folder` whose names start with `prefix`.
void remove_drafts(const std::filesystem::path& folder, std::string_view prefix = {});

}  // namespace warpscope::store
