#include "core/store/draft.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "core/base/files/new_file.hpp"

namespace warpscope::store {

namespace fs = std::filesystem;

Result<Draft> make_draft(const std::string& path, bool shared) {
  // Another process may remove the file as abandoned before it is locked; the next try then creates another.
  for (int tries = 0; tries < 16; ++tries) {
    DraftFile fresh = create_draft(path, shared ? 0666 : 0600);
    if (!fresh.file) break;
    struct stat status {};
    if (::flock(fresh.file.get(), LOCK_EX) == 0 && ::fstat(fresh.file.get(), &status) == 0 && status.st_nlink > 0)
      return Draft{std::move(fresh.path), std::make_shared<const FileBytes>(path, std::move(fresh.file))};
  }
  return Error{path, std::string("the store cannot be written: ") + std::strerror(errno),
               "check the folder's permissions and the free space on its disk"};
}

bool is_draft(std::string_view name) { return name.find(".wscope.tmp-") != std::string_view::npos; }

Descriptor locked_file(const fs::path& path) {
  // Some network file systems require write access for exclusive locks.
  Descriptor file(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
  while (file && ::flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return Descriptor();
  return file;
}

void remove_drafts(const fs::path& folder, std::string_view prefix) {
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end; entry.increment(ignored)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(prefix) || !is_draft(name)) continue;
    const Descriptor file = locked_file(entry->path());
    if (file && file.is_at(entry->path().c_str())) ::unlink(entry->path().c_str());
  }
}

}  // namespace warpscope::store
