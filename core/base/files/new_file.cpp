#include "core/base/files/new_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <utility>

namespace warpscope {

namespace fs = std::filesystem;

namespace {

constexpr mode_t kUsualMode = 0666;
constexpr int kMostLinks = 40;

Error write_error(const std::string& path, int number) {
  const bool full = number == ENOSPC || number == EFBIG || number == EDQUOT;
  return {path, std::string("cannot be written: ") + std::strerror(number),
          full ? "free disk space or write to another disk" : "choose another file"};
}

/// Replaces each X at the end of `name` with a random letter or digit.
void randomize(std::string& name) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  std::array<unsigned char, 6> random{};
  if (::getrandom(random.data(), random.size(), 0) < 0) return;  // the name as it is; O_EXCL protects existing files
  for (std::size_t i = 0; i < random.size(); ++i)
    name[name.size() - random.size() + i] = kLetters[random[i] % kLetters.size()];
}

/// True for a link that its owner may have planted: it is in a folder that everyone can write to, and belongs neither
/// to this user nor to the folder's owner.
bool is_planted(const fs::path& link) {
  struct stat own {};
  struct stat folder {};
  const fs::path parent = link.has_parent_path() ? link.parent_path() : fs::path(".");
  if (::lstat(link.c_str(), &own) != 0 || ::stat(parent.c_str(), &folder) != 0) return false;
  return (folder.st_mode & S_IWOTH) != 0 && own.st_uid != ::geteuid() && own.st_uid != folder.st_uid;
}

}  // namespace

DraftFile create_draft(const std::string& path, mode_t mode) {
  constexpr int kMostTries = 16;
  DraftFile draft;
  for (int tries = 0; tries < kMostTries && !draft.file; ++tries) {
    draft.path = path + kDraftEnding;
    randomize(draft.path);
    draft.file = Descriptor(::open(draft.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
    if (!draft.file && errno != EEXIST) break;
  }
  return draft;
}

Result<fs::path> behind_links(const fs::path& path) {
  std::error_code failed;
  // Make the path absolute, so a bare file name has a folder.
  fs::path target = fs::absolute(path, failed);
  // fs::canonical() cannot be used, because a link may point to a file that does not exist yet.
  for (int links = 0; fs::is_symlink(fs::symlink_status(target, failed)); ++links) {
    if (links == kMostLinks) return Error{path.string(), "is a broken symbolic link", "choose another file"};
    if (is_planted(target))
      return Error{path.string(), "is a symbolic link that another user created in a shared folder",
                   "choose another file"};
    target = target.parent_path() / fs::read_symlink(target, failed);
  }
  failed.clear();
  target = fs::weakly_canonical(target, failed);
  if (failed) return Error{path.string(), "cannot be written: " + failed.message(), "choose another file"};
  return target;
}

NewFile::NewFile(std::string named, std::string target, DraftFile draft)
    : named_(std::move(named)), target_(std::move(target)), draft_(std::move(draft)) {}

NewFile::~NewFile() {
  if (draft_.file && !draft_.path.empty()) ::unlink(draft_.path.c_str());
}

Result<NewFile> NewFile::create(const fs::path& path) {
  std::error_code unknown;
  // Check before following links, because links in /proc refer to pipes by paths that do not exist.
  if (const auto there = fs::status(path, unknown); fs::exists(there) && !fs::is_regular_file(there))
    return Error{path.string(), "is a directory, device, pipe or socket, not a file", "choose another file"};
  const auto target = behind_links(path);
  if (!target) return target.error();
  DraftFile draft = create_draft(target->string(), kUsualMode);
  if (!draft.file) return write_error(path.string(), errno);
  return NewFile(path.string(), target->string(), std::move(draft));
}

Failure NewFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor(), text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return error(errno);
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return std::nullopt;
}

Failure NewFile::finish(Sync sync) {
  if (sync == Sync::yes && ::fsync(descriptor()) != 0) return error(errno);
  if (std::rename(draft_.path.c_str(), target_.c_str()) != 0) return error(errno);
  draft_.path.clear();
  return std::nullopt;
}

Error NewFile::error(int number) const { return write_error(named_, number); }

Failure replace_file(const fs::path& path, std::string_view text, Sync sync) {
  auto file = NewFile::create(path);
  if (!file) return file.error();
  if (Failure failure = file->write(text)) return failure;
  return file->finish(sync);
}

Result<Descriptor> open_regular(const std::string& path, Writing writing) {
  const int way = writing == Writing::append ? O_WRONLY | O_APPEND : O_RDWR;
  Descriptor file(::open(path.c_str(), way | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, kUsualMode));
  const int number = errno;
  struct stat status {};
  const bool linked = !file && number == ELOOP;
  const bool special = file ? ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1
                            : number == ENXIO || number == EISDIR;
  if (linked || special) return Error{path, "is a link, directory, pipe or device, not a file", "remove it"};
  if (!file) return write_error(path, number);
  return file;
}

}  // namespace warpscope
