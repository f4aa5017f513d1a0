#include "core/store/cache.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/base/format.hpp"
#include "core/base/user_folders.hpp"
#include "core/store/draft.hpp"
#include "core/store/format.hpp"

namespace warpscope::store {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStore = ".wscope";
constexpr std::string_view kCopy = ".wscope-part";
constexpr std::size_t kLongestTail = 40;

constexpr std::string_view kAdvice =
    "set XDG_CACHE_HOME to a writable directory; without a cache, traces are read again each time";

struct Entry {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

/// Returns the size without holes; 0 if there is no such file.
std::uint64_t bytes_on_disk(const fs::path& path) {
  constexpr std::uint64_t kStatBlock = 512;
  struct ::stat info {};
  return ::stat(path.c_str(), &info) == 0 ? static_cast<std::uint64_t>(info.st_blocks) * kStatBlock : 0;
}

/// Returns the stores in the folder, and the drafts if `drafts` is set. Skips files that disappear during the scan.
std::vector<Entry> entries(const fs::path& folder, bool drafts) {
  std::vector<Entry> found;
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code gone;
    const std::string name = at->path().filename().string();
    if (!at->is_regular_file(gone) || at->is_symlink(gone)) continue;
    if (!name.ends_with(kStore) && !name.ends_with(kCopy) && !(drafts && is_draft(name))) continue;
    const std::uint64_t bytes = name.ends_with(kCopy) ? bytes_on_disk(at->path()) : at->file_size(gone);
    const fs::file_time_type used = gone ? fs::file_time_type() : at->last_write_time(gone);
    if (!gone) found.push_back({at->path(), bytes, used});
  }
  return found;
}

/// Returns two 64-bit FNV-1a hashes as hex digits, each with a final mixing step. With 128 bits, paths do not collide
/// in practice. (A collision would be detected by the keys in the store.)
std::string path_hash(std::string_view text) {
  std::string digits;
  for (std::uint64_t hash : {14695981039346656037ull, 0x9AE16A3B2F90404Full}) {
    hash = fnv1a({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, hash);
    hash ^= hash >> 30;
    hash *= 0xBF58476D1CE4E5B9ull;
    hash ^= hash >> 27;
    hash *= 0x94D049BB133111EBull;
    hash ^= hash >> 31;
    digits += fmt::format("{:016x}", hash);
  }
  return digits;
}

/// Returns the recognizable end of the path; replaces characters that are unsafe in file names.
std::string readable_tail(const fs::path& path) {
  std::string tail = path.filename().string().substr(0, kLongestTail);
  for (char& c : tail) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
    if (!plain) c = '_';
  }
  if (tail.starts_with('.')) tail.front() = '_';
  return tail.empty() ? "root" : tail;
}

}  // namespace

Cache::Cache(fs::path folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

fs::path Cache::default_folder() {
  const fs::path folder = user_cache_folder();
  return folder.empty() ? folder : folder / "stores";
}

fs::path Cache::place_of(const fs::path& opened) const {
  if (folder_.empty()) return {};
  std::error_code error;
  fs::path whole = fs::weakly_canonical(opened, error);
  if (error) whole = fs::absolute(opened, error).lexically_normal();
  if (!whole.has_filename() && whole.has_relative_path()) whole = whole.parent_path();
  return folder_ / (readable_tail(whole) + "-" + path_hash(whole.string()) + std::string(kStore));
}

fs::path Cache::place_of_copy(const fs::path& remote, std::uint64_t size, std::uint64_t key) const {
  if (folder_.empty()) return {};
  return folder_ / fmt::format("{}-{:x}-{:016x}{}", readable_tail(remote), size, key, kCopy);
}

Failure Cache::make_room(std::uint64_t expected_bytes) const {
  if (folder_.empty())
    return Error{"", "no store folder: neither XDG_CACHE_HOME nor HOME is set", std::string(kAdvice)};
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return Error{folder_.string(), "cannot create the store folder: " + error.message(), std::string(kAdvice)};
  if (::access(folder_.c_str(), W_OK | X_OK) != 0)
    return Error{folder_.string(), "cannot write stores to this folder: " + std::generic_category().message(errno),
                 std::string(kAdvice)};
  reduce(expected_bytes <= limit_ ? limit_ - expected_bytes : limit_);
  const fs::space_info space = fs::space(folder_, error);
  if (!error && space.available < expected_bytes + std::min(kDiskReserve, space.capacity / 20))
    return Error{folder_.string(),
                 "the disk has only " + format_bytes(static_cast<std::int64_t>(space.available)) +
                     " left, which is not enough for a store",
                 "free disk space, or set XDG_CACHE_HOME to another disk"};
  return {};
}

void Cache::reduce(std::uint64_t limit) const {
  if (folder_.empty()) return;
  remove_drafts(folder_);
  std::vector<Entry> stores = entries(folder_, false);
  std::uint64_t total = 0;
  for (const Entry& store : stores) total += store.bytes;
  std::ranges::sort(stores, {}, &Entry::used);
  std::error_code error;
  for (const Entry& store : stores) {
    if (total <= limit) break;
    if (fs::remove(store.path, error)) total -= store.bytes;
  }
}

void mark_used(const fs::path& path) {
  std::error_code error;
  fs::last_write_time(path, fs::file_time_type::clock::now(), error);
}

}  // namespace warpscope::store
