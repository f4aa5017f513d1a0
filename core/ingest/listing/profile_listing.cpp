#include "core/ingest/listing/profile_listing.hpp"

#include <dirent.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/format.hpp"
#include "core/base/natural_order.hpp"
#include "core/ingest/listing/profile_listing_facts.hpp"
#include "core/ingest/listing/profile_listing_file.hpp"

namespace warpscope::ingest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kEntriesForOne = 2000;  // is_one_profile inspects no more

struct Entries {
  std::vector<std::string> folders;  // names, digits compared as numbers
  std::vector<ListedFile> files;
};

std::optional<struct ::stat> state_of(const std::string& path) {
  struct ::stat info {};
  if (::stat(path.c_str(), &info) != 0) return std::nullopt;
  return info;
}

ListedFile file_at(const std::string& path, const struct ::stat& info) {
  ListedFile file = file_by_name(path);
  file.bytes = static_cast<std::uint64_t>(info.st_size);
  file.modified = Ns{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec;
  return file;
}

/// Lists a folder's entries, keeping only potentially relevant files. Adds the total number of entries to `seen`.
Entries entries_of(const std::string& folder, std::size_t most, std::size_t& seen, const CancelToken* cancel) {
  Entries entries;
  DIR* open = ::opendir(folder.c_str());
  if (open == nullptr) return entries;
  while (const dirent* entry = ::readdir(open)) {
    const std::string name = entry->d_name;
    if (name.starts_with('.')) continue;
    if (++seen > most || (cancel != nullptr && cancel->cancelled())) break;
    const std::string path = folder.ends_with('/') ? folder + name : folder + "/" + name;
    if (entry->d_type == DT_DIR) {
      entries.folders.push_back(name);
      continue;
    }
    const bool link = entry->d_type == DT_LNK || entry->d_type == DT_UNKNOWN;
    if (!link && (entry->d_type != DT_REG || file_by_name(path).role == ListedRole::nothing)) continue;
    const auto info = state_of(path);
    if (!info) continue;
    if (S_ISDIR(info->st_mode)) {
      entries.folders.push_back(name);
    } else if (S_ISREG(info->st_mode)) {
      ListedFile file = file_at(path, *info);
      if (file.role != ListedRole::nothing) entries.files.push_back(std::move(file));
    }
  }
  ::closedir(open);
  std::ranges::sort(entries.folders, natural_less);
  std::ranges::sort(entries.files,
                    [](const ListedFile& a, const ListedFile& b) { return natural_less(a.path, b.path); });
  return entries;
}

bool has_folder(const std::string& folder, std::string_view name) {
  const auto info = state_of(folder + "/" + std::string(name));
  return info && S_ISDIR(info->st_mode);
}

/// Recognizes SageMaker's folder layout for a job.
bool is_job(const std::string& folder, const std::vector<std::string>& folders) {
  const auto has = [&](std::string_view name) { return std::ranges::binary_search(folders, name, natural_less); };
  if (has("profiler-output") || has("profiler-reports")) return true;
  if (has("system") && has_folder(folder + "/system", "incremental")) return true;
  return has("framework") &&
         (has_folder(folder + "/framework", "pevents") || has_folder(folder + "/framework", "tensorflow") ||
          has_folder(folder + "/framework", "pytorch"));
}

bool is_source(const ListedFile& file) {
  return file.role == ListedRole::trace || file.role == ListedRole::named || file.role == ListedRole::report ||
         file.role == ListedRole::sealed;
}

bool holds_sources(const std::vector<ListedFile>& files) { return std::ranges::any_of(files, is_source); }

Ns clock_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

class Walk {
 public:
  explicit Walk(const ListingOptions& options)
      : options_(options),
        now_(options.now.value_or(clock_now())),
        budget_{options.limits.unpacked_file, options.limits.unpacked, options.cancel} {}

  /// Returns all files under `path`. `listed`: also lists the profiles found.
  std::vector<ListedFile> folder(const std::string& path, std::size_t depth, bool listed) {
    std::vector<ListedFile> all;
    const auto info = state_of(path);
    if (stopped() || !info || !visited_.emplace(info->st_dev, info->st_ino).second) return all;
    if (depth > options_.limits.depth || ++listing_.directories > options_.limits.directories) {
      cut();
      return all;
    }
    Entries entries = entries_of(path, options_.limits.files, seen_, options_.cancel);
    if (seen_ > options_.limits.files) cut();
    for (ListedFile& file : entries.files) {
      if (options_.cancel != nullptr && options_.cancel->cancelled()) return all;
      if (file.role == ListedRole::candidate) look_into(file);
    }
    if (options_.looked) options_.looked(listing_.directories);

    const bool job = is_job(path, entries.folders);
    const auto parts = static_cast<std::size_t>(std::ranges::count_if(entries.folders, names_a_part));
    std::vector<ListedFile> of_parts;
    for (const std::string& name : entries.folders) {
      const bool part = parts >= 2 && names_a_part(name);
      const std::string below = path.ends_with('/') ? path + name : path + "/" + name;
      std::vector<ListedFile> found = folder(below, depth + 1, listed && !job && !part);
      std::ranges::move(found, std::back_inserter(part ? of_parts : all));
    }
    const bool own = holds_sources(entries.files);
    const bool apart = holds_sources(of_parts);
    for (ListedFile& file : entries.files) {
      if (file.role != ListedRole::converted) {
        if (file.role != ListedRole::nothing) of_parts.push_back(std::move(file));
      } else if (listed) {
        add(sum_up_converted(file));
      }
    }
    if (job || own || !apart) {
      std::ranges::move(of_parts, std::back_inserter(all));
      if (listed && (job || own) && holds_sources(all)) add(sum_up(path, all, now_, options_.limits, budget_));
      return all;
    }
    if (listed) add(sum_up(path, of_parts, now_, options_.limits, budget_));
    std::ranges::move(of_parts, std::back_inserter(all));
    return all;
  }

  void file(const std::string& path) {
    const auto info = state_of(path);
    if (!info) return;
    ListedFile file = file_at(path, *info);
    if (file.role == ListedRole::converted) {
      add(sum_up_converted(file));
      return;
    }
    if (file.role != ListedRole::named) {
      look_into(file);
      file.role = ListedRole::trace;  // the user opened exactly this file
    }
    FoundProfile profile = sum_up(path, std::span(&file, 1), now_, options_.limits, budget_);
    profile.name = fs::path(path).filename().string();
    add(std::move(profile));
  }

  ProfileListing take() {
    std::ranges::sort(listing_.profiles,
                      [](const FoundProfile& a, const FoundProfile& b) { return natural_less(a.path, b.path); });
    listing_.cancelled = options_.cancel != nullptr && options_.cancel->cancelled();
    return std::move(listing_);
  }

 private:
  [[nodiscard]] bool stopped() const {
    return (options_.cancel != nullptr && options_.cancel->cancelled()) || seen_ > options_.limits.files ||
           listing_.directories > options_.limits.directories;
  }

  void cut() {
    listing_.cut = "scan stopped: more than " + format_count(static_cast<std::int64_t>(options_.limits.files)) +
                   " files or " + format_count(static_cast<std::int64_t>(options_.limits.directories)) +
                   " folders, or nested too deeply; choose a subfolder";
  }

  void add(FoundProfile profile) {
    if (options_.cancel != nullptr && options_.cancel->cancelled()) return;  // only partly scanned
    if (options_.found) options_.found(profile);
    listing_.profiles.push_back(std::move(profile));
  }

  const ListingOptions& options_;
  Ns now_;
  UnpackBudget budget_;
  ProfileListing listing_;
  std::set<std::pair<dev_t, ino_t>> visited_;
  std::size_t seen_ = 0;
};

/// Returns an absolute path without a trailing slash.
std::string clean(const fs::path& path) {
  std::error_code failed;
  fs::path whole = fs::absolute(path, failed).lexically_normal();
  if (!whole.has_filename() && whole.has_relative_path()) whole = whole.parent_path();
  return failed ? path.string() : whole.string();
}

}  // namespace

Result<ProfileListing> list_profiles(const fs::path& root, const ListingOptions& options) {
  const std::string path = clean(root);
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (!fs::exists(status)) return Error{path, "no such folder", "remove it from the list, or create it"};
  Walk walk(options);
  if (fs::is_directory(status)) {
    const fs::directory_iterator probe(path, failed);
    if (failed) return Error{path, "cannot read the folder: " + failed.message(), "check its permissions"};
    static_cast<void>(walk.folder(path, 0, true));
  } else {
    walk.file(path);
  }
  return walk.take();
}

bool is_one_profile(const fs::path& root) {
  const std::string path = clean(root);
  std::error_code failed;
  if (!fs::is_directory(path, failed)) return true;
  std::size_t seen = 0;
  Entries entries = entries_of(path, kEntriesForOne, seen, nullptr);
  if (is_job(path, entries.folders)) return true;
  if (std::ranges::count_if(entries.folders, names_a_part) >= 2) return true;
  for (ListedFile& file : entries.files) {
    if (file.role == ListedRole::candidate) look_into(file);
    if (is_source(file)) return true;
  }
  return false;
}

}  // namespace warpscope::ingest
