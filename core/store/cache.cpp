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
#include "core/store/format.hpp"

namespace warpscope::store {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStore = ".wscope";
constexpr std::string_view kDamaged = ".wscope.damaged";
constexpr std::string_view kDraft = ".wscope.tmp-";
constexpr std::size_t kLongestTail = 40;

constexpr std::string_view kAdvice =
    "set XDG_CACHE_HOME to a writable directory; without a cache, traces are read again each time";

struct Entry {
  fs::path path;
  std::uint64_t bytes = 0;
  fs::file_time_type used;
};

bool is_store(std::string_view name) { return name.ends_with(kStore) || name.ends_with(kDamaged); }

bool is_draft(std::string_view name) { return name.find(kDraft) != std::string_view::npos; }

/// Returns the regular files in the folder whose names satisfy `matches`. Skips files that disappear during the scan.
template <class Matches>
std::vector<Entry> entries(const fs::path& folder, Matches matches) {
  std::vector<Entry> found;
  std::error_code error;
  fs::directory_iterator at(folder, error);
  for (; !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code gone;
    if (!at->is_regular_file(gone) || at->is_symlink(gone) || !matches(at->path().filename().string())) continue;
    const std::uint64_t bytes = at->file_size(gone);
    if (gone) continue;
    const fs::file_time_type used = at->last_write_time(gone);
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

/// Removes `path` unless it is locked. Returns true if it was removed.
bool remove_unused(const fs::path& path) {
  const Descriptor lock = locked_file(path, LockKind::exclusive);
  if (!lock || !lock.is_at(path.c_str())) return false;
  std::error_code error;
  return fs::remove(path, error);
}

void remove_dead_drafts(const fs::path& folder) {
  for (const Entry& draft : entries(folder, is_draft)) remove_unused(draft.path);
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

std::optional<StoreInUse> Cache::use(const fs::path& file) const {
  Descriptor lock = locked_file(file, LockKind::shared);
  // The file may have been evicted or replaced between opening and locking.
  if (!lock || !lock.is_at(file.c_str())) return std::nullopt;
  static_cast<void>(::futimens(lock.get(), nullptr));
  return StoreInUse(file, std::move(lock));
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
  remove_dead_drafts(folder_);
  evict(expected_bytes <= limit_ ? limit_ - expected_bytes : limit_);
  const fs::space_info space = fs::space(folder_, error);
  if (!error && space.available < expected_bytes + std::min(kDiskReserve, space.capacity / 20))
    return Error{folder_.string(),
                 "the disk has only " + format_bytes(static_cast<std::int64_t>(space.available)) +
                     " left, which is not enough for a store",
                 "free disk space, or set XDG_CACHE_HOME to another disk"};
  return {};
}

void Cache::set_aside(const StoreInUse& damaged) const {
  if (!damaged.lock_.is_at(damaged.file_.c_str())) return;
  fs::path aside = damaged.file_;
  aside += ".damaged";
  std::error_code error;
  for (const Entry& old : entries(folder_, [](std::string_view name) { return name.ends_with(kDamaged); }))
    fs::remove(old.path, error);
  fs::rename(damaged.file_, aside, error);
}

void Cache::tidy() const {
  if (folder_.empty()) return;
  remove_dead_drafts(folder_);
  evict(limit_);
}

void Cache::evict(std::uint64_t limit) const {
  std::vector<Entry> stores = entries(folder_, is_store);
  std::uint64_t total = 0;
  for (const Entry& store : stores) total += store.bytes;
  // Corrupt stores are kept only for inspection, so they are evicted first.
  std::ranges::sort(stores, [](const Entry& a, const Entry& b) {
    const bool damaged_a = a.path.extension() == ".damaged";
    const bool damaged_b = b.path.extension() == ".damaged";
    return damaged_a != damaged_b ? damaged_a : a.used < b.used;
  });
  for (const Entry& store : stores) {
    if (total <= limit) break;
    if (remove_unused(store.path)) total -= store.bytes;
  }
}

std::uint64_t Cache::clear() const {
  if (folder_.empty()) return 0;
  const std::uint64_t before = bytes();
  remove_dead_drafts(folder_);
  for (const Entry& store : entries(folder_, is_store)) remove_unused(store.path);
  const std::uint64_t after = bytes();
  return before > after ? before - after : 0;
}

std::uint64_t Cache::bytes() const {
  std::uint64_t total = 0;
  if (folder_.empty()) return total;
  for (const Entry& entry : entries(folder_, [](std::string_view name) { return is_store(name) || is_draft(name); }))
    total += entry.bytes;
  return total;
}

}  // namespace warpscope::store
