#include "core/base/files/regular_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/format.hpp"

namespace warpscope {
namespace {

Failure reject_special(const std::string& path, mode_t mode) {
  if (S_ISREG(mode)) return {};
  if (S_ISDIR(mode)) return Error{path, "is a directory, not a file", "check the path"};
  const char* kind = S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
  return Error{path, std::string("is ") + kind + ", not a file", "copy its contents into a file and open that file"};
}

}  // namespace

bool is_missing(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) != 0 && errno == ENOENT;
}

Error read_error(const std::string& path, int code) {
  switch (code) {
    case ENOENT:
      return {path, "no such file", "check the path"};
    case ENOTDIR:
      return {path, "part of the path is a file, not a directory", "check the path"};
    case EACCES:
    case EPERM:
      return {path, "no permission to read it", "change its permissions or ask its owner"};
    case EMFILE:
    case ENFILE:
      return {path, "too many open files", "close other programs or raise the limit (ulimit -n)"};
    case ELOOP:
      return {path, "symbolic links form a loop", "check the links"};
    case ENAMETOOLONG:
      return {path, "the path is too long", "check the path"};
    default:
      return {path, "cannot be read: " + std::generic_category().message(code), "check the disk and the path"};
  }
}

Result<OpenedFile> open_regular_file(const std::string& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return read_error(path, errno);
  if (auto failure = reject_special(path, info.st_mode)) return *failure;
  // Non-blocking: the path may have become a pipe since it was checked.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!file || ::fstat(file.get(), &info) != 0) return read_error(path, errno);
  if (auto failure = reject_special(path, info.st_mode)) return *failure;
  return OpenedFile{std::move(file), info};
}

Result<std::string> read_small_file(const std::string& path, std::uint64_t largest) {
  const auto opened = open_regular_file(path);
  if (!opened) return opened.error();
  const Error too_large{path, "is larger than " + format_bytes(static_cast<std::int64_t>(largest)),
                        "check that it is the right file"};
  // The size is not reliable: it is 0 for files of the kernel, and the file may grow.
  if (static_cast<std::uint64_t>(opened->info.st_size) > largest) return too_large;
  std::string text;
  std::array<char, 16384> part{};
  for (;;) {
    const ssize_t got = ::read(opened->file.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_error(path, errno);
    if (got == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
    if (text.size() > largest) return too_large;
  }
}

}  // namespace warpscope
