#include "core/ingest/bytes/file_source.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <limits>
#include <utility>

#include "core/base/files/regular_file.hpp"

namespace warpscope::ingest {

FileStamp stamp_of(const struct ::stat& info) {
  return {static_cast<std::uint64_t>(info.st_size),
          static_cast<std::int64_t>(info.st_mtim.tv_sec) * 1'000'000'000 + info.st_mtim.tv_nsec,
          static_cast<std::uint64_t>(info.st_ino)};
}

FileStamp stamp_of(const GroupStamp& group) { return {group.size, group.modified_ns, group.hash}; }

std::optional<FileStamp> stamp_at(const std::string& path) {
  if (is_group(path)) {
    const auto files = files_of_group(path);
    return files.empty() ? std::nullopt : std::optional(stamp_of(stamp_of_group(files)));
  }
  struct stat info {};
  return ::stat(std::string(file_of(path)).c_str(), &info) == 0 ? std::optional(stamp_of(info)) : std::nullopt;
}

Result<FileSource> FileSource::open(const std::string& path_of_source) {
  const std::string path(file_of(path_of_source));
  auto opened = open_regular_file(path);
  if (!opened) return opened.error();
  return FileSource(std::move(opened->file), path, stamp_of(opened->info));
}

Result<std::size_t> FileSource::read_at(std::uint64_t offset, std::span<char> into) const {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max()) - into.size()) return std::size_t{0};
  std::size_t done = 0;
  while (done < into.size()) {
    const ssize_t got = ::pread(file_.get(), into.data() + done, into.size() - done, static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return read_error(path_, errno);
    if (got == 0 && done == 0 && offset < stamp_.size)
      return Error{path_, "shrank while being read: it now ends before byte " + std::to_string(offset),
                   "reload it when it is complete"};
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

Result<std::string> FileSource::text_at(std::uint64_t offset, std::size_t most) const {
  std::string text(most, '\0');
  const auto got = read_at(offset, text);
  if (!got) return got.error();
  text.resize(*got);
  return text;
}

}  // namespace warpscope::ingest
