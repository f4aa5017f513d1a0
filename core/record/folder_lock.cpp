#include "core/record/folder_lock.hpp"

#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/base/files/new_file.hpp"

namespace warpscope::record {

namespace {

std::string owner_in(int file) {
  char text[64];
  const ssize_t length = ::pread(file, text, sizeof text, 0);
  return length > 0 ? "process " + std::string(text, static_cast<std::size_t>(length)) : "another process";
}

}  // namespace

FolderLock::~FolderLock() {
  if (file_) ::unlink(path_.c_str());
}

Failure FolderLock::take(const std::string& folder, const std::string& node) {
  path_ = folder + "/." + node + ".lock";
  for (;;) {
    auto opened = open_regular(path_, Writing::update);
    if (!opened) return Error{path_, opened.error().what, "remove it, or use another folder"};
    Descriptor file = std::move(*opened);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) return std::nullopt;
      return Error{folder, node + " is already being recorded into this folder by " + owner_in(file.get()),
                   "use another folder, or --node if this is another node"};
    }
    if (!file.is_at(path_.c_str())) continue;  // its owner removed it before we locked it
    const std::string owner = std::to_string(::getpid());
    static_cast<void>(::ftruncate(file.get(), 0) == 0 && ::pwrite(file.get(), owner.data(), owner.size(), 0) > 0);
    file_ = std::move(file);
    return std::nullopt;
  }
}

}  // namespace warpscope::record
