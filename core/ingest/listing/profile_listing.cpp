#include "core/ingest/listing/profile_listing.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/base/natural_order.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/listing/debugger_files.hpp"
#include "core/ingest/listing/job_documents.hpp"
#include "core/ingest/listing/share.hpp"

namespace warpscope::ingest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kEntriesForOne = 2000;  // is_one_profile inspects no more

/// Files of a profile.
struct Content {
  bool traces = false;  ///< one of them is a trace or other data about a job
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  Ns modified = 0;

  void add(const Content& other) {
    traces = traces || other.traces;
    files += other.files;
    bytes += other.bytes;
    modified = std::max(modified, other.modified);
  }
  [[nodiscard]] FoundProfile as_profile(const fs::path& path) const {
    return {path.string(), path.filename().string(), modified, files, bytes};
  }
};

/// Returns true for names of folders that hold part of a job, such as "rank-0", "algo-1", "node_3", "worker7".
bool names_a_part(std::string_view folder) {
  constexpr std::array<std::string_view, 8> kStems = {"rank",  "local_rank", "algo", "node",
                                                      "nodes", "worker",     "gpu",  "host"};
  const std::string folded = lower(folder);
  std::string_view stem = folded;
  while (!stem.empty() && is_digit(stem.back())) stem.remove_suffix(1);
  if (stem.size() == folded.size()) return false;
  if (stem.ends_with('-') || stem.ends_with('_') || stem.ends_with('.')) stem.remove_suffix(1);
  return std::ranges::find(kStems, stem) != kStems.end();
}

/// Recognizes SageMaker's folder layout for a job.
bool is_job(const fs::path& folder) {
  std::error_code ignored;
  return std::ranges::any_of(std::array{"profiler-output", "profiler-reports", "system/incremental",
                                        "framework/pevents", "framework/tensorflow", "framework/pytorch"},
                             [&](const char* name) { return fs::is_directory(folder / name, ignored); });
}

enum class NameSays : std::uint8_t { nothing, trace, content_decides, converted };

NameSays by_name(const std::string& path) {
  constexpr std::array<std::string_view, 6> kEndings = {".json",     ".json.gz",  ".json.zst",
                                                        ".trace.gz", ".pt.trace", ".json.zstd"};
  const std::string folded = lower(path);
  if (folded.ends_with(".wscope")) return NameSays::converted;
  if (const auto named = format_by_name(path)) return named->file.ignore ? NameSays::nothing : NameSays::trace;
  if (is_named_report(path) || in_sealed_folder(path) || is_sealed_file(path)) return NameSays::trace;
  const bool ends = std::ranges::any_of(kEndings, [&](std::string_view ending) { return folded.ends_with(ending); });
  return ends ? NameSays::content_decides : NameSays::nothing;
}

bool is_trace(const std::string& path, std::uint64_t size) {
  const auto text = read_head(path);
  if (!text) return false;
  const FileHead head{path, *text};
  if (const auto copy = copy_of(head); copy && !copy->same_folder) return false;
  return !looks_like_job_document(path, size, *text) && is_recognized(head);
}

struct Entries {
  std::vector<std::string> folders{};  ///< names
  Content own{};                       ///< files of the folder itself, except converted ones
  std::vector<FoundProfile> converted{};

  [[nodiscard]] std::ptrdiff_t parts() const { return std::ranges::count_if(folders, names_a_part); }
};

/// Shards of a job are one profile, that of their folder.
void join_shards(std::vector<FoundProfile>& converted, const fs::path& folder) {
  std::vector<std::string> paths;
  for (const FoundProfile& each : converted) paths.push_back(each.path);
  if (const Shards shards = shards_among(paths); shards.files.empty() || !shards.others.empty()) return;
  FoundProfile job{.path = folder.string(), .name = folder.filename().string()};
  for (const FoundProfile& each : converted) {
    job.modified = std::max(job.modified, each.modified);
    job.files += each.files;
    job.bytes += each.bytes;
  }
  converted = {std::move(job)};
}

/// Reads a folder. Adds the number of its entries to `seen`, and stops at `most`.
Entries entries_of(const fs::path& folder, std::size_t most, std::size_t& seen, const CancelToken* cancel) {
  Entries entries;
  std::error_code failed;
  fs::directory_iterator each(folder, fs::directory_options::skip_permission_denied, failed);
  for (; !failed && each != fs::directory_iterator(); each.increment(failed)) {
    const std::string path = each->path().string();
    const std::string name = each->path().filename().string();
    std::error_code ignored;
    if (name.starts_with('.')) continue;
    if (++seen > most || (cancel != nullptr && cancel->cancelled())) break;
    if (each->is_directory(ignored)) entries.folders.push_back(name);
    const NameSays says = by_name(path);
    if (says == NameSays::nothing || !each->is_regular_file(ignored)) continue;
    const auto modified = std::chrono::file_clock::to_sys(each->last_write_time(ignored)).time_since_epoch();
    Content file{false, 1, each->file_size(ignored),
                 std::chrono::duration_cast<std::chrono::nanoseconds>(modified).count()};
    if (says == NameSays::converted) {
      entries.converted.push_back(file.as_profile(each->path()));
      continue;
    }
    file.traces = says == NameSays::trace || entries.own.traces || is_trace(path, file.bytes);
    if (file.traces) entries.own.add(file);
  }
  std::ranges::sort(entries.folders, natural_less);
  join_shards(entries.converted, folder);
  return entries;
}

class Walk {
 public:
  explicit Walk(const ListingOptions& options) : options_(options) {}

  /// Returns all files under `path`. `listed`: also lists the profiles found.
  Content folder(const fs::path& path, std::size_t depth, bool listed) {
    std::error_code failed;
    const fs::path real = fs::canonical(path, failed);
    if (stopped() || failed || !visited_.insert(real.string()).second) return {};
    if (depth > options_.limits.depth || visited_.size() > options_.limits.directories) {
      cut();
      return {};
    }
    const Entries entries = entries_of(path, options_.limits.files, seen_, options_.cancel);
    if (seen_ > options_.limits.files) cut();
    const bool job = is_job(path);
    const bool has_parts = entries.parts() >= 2;
    Content all = entries.own;
    Content of_parts;
    for (const std::string& name : entries.folders) {
      const bool part = has_parts && names_a_part(name);
      const Content below = folder(path / name, depth + 1, listed && !job && !part);
      all.add(below);
      if (part) of_parts.add(below);
    }
    if (!listed) return all;
    for (const FoundProfile& converted : entries.converted) add(converted);
    if (job || entries.own.traces) {
      if (all.traces) add(all.as_profile(path));
    } else if (of_parts.traces) {
      add(of_parts.as_profile(path));
    }
    return all;
  }

  ProfileListing take() {
    std::ranges::sort(listing_.profiles, natural_less, &FoundProfile::path);
    return std::move(listing_);
  }

 private:
  [[nodiscard]] bool cancelled() const { return options_.cancel != nullptr && options_.cancel->cancelled(); }
  [[nodiscard]] bool stopped() const {
    return cancelled() || seen_ > options_.limits.files || visited_.size() > options_.limits.directories;
  }

  void cut() {
    listing_.cut = "scan stopped: more than " + format_count(static_cast<std::int64_t>(options_.limits.files)) +
                   " files or " + format_count(static_cast<std::int64_t>(options_.limits.directories)) +
                   " folders, or nested too deeply; choose a subfolder";
  }

  void add(const FoundProfile& profile) {
    if (cancelled()) return;  // only partly scanned
    if (options_.found) options_.found(profile);
    listing_.profiles.push_back(profile);
  }

  const ListingOptions& options_;
  ProfileListing listing_;
  std::set<std::string> visited_;
  std::size_t seen_ = 0;
};

/// Returns an absolute path without a trailing slash.
fs::path clean(const fs::path& path) {
  std::error_code failed;
  fs::path whole = fs::absolute(path, failed).lexically_normal();
  if (!whole.has_filename() && whole.has_relative_path()) whole = whole.parent_path();
  return failed ? path : whole;
}

}  // namespace

Result<ProfileListing> list_profiles(const fs::path& root, const ListingOptions& options) {
  const fs::path path = clean(root);
  std::error_code failed;
  if (!fs::is_directory(path, failed))
    return Error{path.string(), "no such folder", "remove it from the list, or create it"};
  const fs::directory_iterator probe(path, failed);
  if (failed) return Error{path.string(), "cannot read the folder: " + failed.message(), "check its permissions"};
  Walk walk(options);
  static_cast<void>(walk.folder(path, 0, true));
  return walk.take();
}

bool is_one_profile(const fs::path& root) {
  const fs::path path = clean(root);
  std::error_code failed;
  if (!fs::is_directory(path, failed) || is_job(path)) return true;
  std::size_t seen = 0;
  const Entries entries = entries_of(path, kEntriesForOne, seen, nullptr);
  const bool shards = entries.converted.size() == 1 && entries.converted.front().path == path.string();
  return entries.parts() >= 2 || entries.own.traces || shards;
}

}  // namespace warpscope::ingest
