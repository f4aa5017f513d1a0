#include "core/ingest/listing/discover.hpp"

#include <linux/limits.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <system_error>
#include <unordered_map>

#include "core/base/file_group.hpp"
#include "core/base/natural_order.hpp"
#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/formats/memory_timeline/memory_timeline.hpp"
#include "core/ingest/formats/python_stats/python_stats.hpp"
#include "core/ingest/formats/sagemaker/metrics_file.hpp"
#include "core/ingest/formats/trace_events/counter_mark.hpp"
#include "core/ingest/listing/debugger_files.hpp"
#include "core/ingest/listing/job_documents.hpp"

namespace warpscope::ingest {

namespace fs = std::filesystem;

namespace {

trace::SourceFile source_of(const std::string& path, const FileStamp& stamp) {
  trace::SourceFile source;
  source.path = path;
  source.size = stamp.size;
  source.modified_ns = stamp.modified_ns;
  source.inode = stamp.inode;
  return source;
}

// Kineto's text starts with '{', bare arrays of events with '['; a byte order mark and blanks may precede either.
bool begins_like_json(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

// Returns the path of the group that a file is part of, by its name; "" if there is none.
std::string group_of_file(const std::string& path) {
  for (const TraceFormat* format : trace_formats())
    if (auto group = format->group_of(path)) return std::move(*group);
  return {};
}

bool is_part_of_group(const std::string& path, std::string_view head) {
  return std::ranges::any_of(trace_formats(), [&](const TraceFormat* format) {
    return format->group_of(path).has_value() && format->sniff({path, head});
  });
}

// Folders of SageMaker Debugger without traces: tensors saved by its hooks.
bool has_no_traces(const fs::path& folder, std::string_view name) {
  std::error_code ignored;
  if (name != "debug-output") return false;
  return fs::exists(folder / "collections", ignored) || fs::exists(folder / "index", ignored);
}

bool named_like_a_trace(const fs::path& path) {
  const std::string name = path.filename().string();
  return name.find(".json") != std::string::npos || named_like_python_stats(path.native());
}

class Search {
 public:
  Search(Discovery& found, const Discovery* known, const CancelToken* cancel) : found_(found), cancel_(cancel) {
    if (known == nullptr) return;
    for (const trace::SourceFile& source : known->sources) known_.emplace(source.path, &source);
    for (const trace::SourceFile& part : known->parts) known_parts_.emplace(part.path, &part);
    for (const trace::SourceFile& counters : known->counters) known_counters_.emplace(counters.path, &counters);
    for (const trace::SourceFile& document : known->documents) known_documents_.emplace(document.path, &document);
    for (const trace::SourceFile& timeline : known->memory) known_memory_.emplace(timeline.path, &timeline);
    for (const trace::SourceFile& stats : known->python) known_python_.emplace(stats.path, &stats);
  }

  void directory(const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) {
      skip("unreadable-directory", Severity::error, path, error.message());
      return;
    }
    if (!visited_.insert(real.string()).second) return;
    fs::directory_iterator entries(path, error);
    if (error) {
      skip("unreadable-directory", Severity::error, path, error.message());
      return;
    }
    for (; entries != fs::directory_iterator(); entries.increment(error)) {
      if (error || (cancel_ != nullptr && cancel_->cancelled())) break;
      const fs::path& entry = entries->path();
      const std::string name = entry.filename().string();
      if (name.starts_with('.')) continue;
      std::error_code ignored;
      if (entry.native().size() >= PATH_MAX)
        too_long(entry);
      else if (fs::is_directory(entry, ignored))
        below(entry, name);
      else if (fs::is_regular_file(entry, ignored))
        file(entry);
      else if (named_like_a_trace(entry))
        if (const auto stream = open_byte_stream(entry.string()); !stream)
          skip("unreadable-file", Severity::error, entry, stream.error().what);
    }
  }

 private:
  void below(const fs::path& path, const std::string& name) {
    if (in_sealed_folder(name))
      skip("sealed-profile", Severity::warning, path, kSealed);
    else if (!has_no_traces(path, name))
      directory(path);
  }

  using Known = std::unordered_map<std::string_view, const trace::SourceFile*>;

  /// Groups these by a short path that is easy to read: the directory directly below the root.
  void too_long(const fs::path& entry) {
    const fs::path within = entry.lexically_relative(found_.root);
    skip("unreadable-directory", Severity::error, fs::path(found_.root) / *within.begin(),
         "contains a path longer than the system allows (" + std::to_string(PATH_MAX) + " bytes)");
  }

  void file(const fs::path& path) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (!error && !visited_.insert(real.string()).second) return;
    if (is_sealed_file(path.native())) return skip("sealed-profile", Severity::warning, path.parent_path(), kSealed);
    if (is_notebook(path.native()) || take_metrics(path) || take_known(path)) return;
    if (opens_as_store(path.string())) {
      found_.converted.push_back(path.string());
      return;
    }
    const auto size = fs::file_size(path, error);
    if (!error && size == 0) {
      if (named_like_a_trace(path) && !is_open_file(path.native()))
        skip("empty-file", Severity::warning, path, "0 bytes");
      return;
    }
    auto stream = open_byte_stream(path.string());
    if (!stream) {
      if (named_like_a_trace(path)) skip("unreadable-file", Severity::error, path, stream.error().what);
      return;
    }
    std::array<char, kJobDocumentHead> head{};
    const auto got = (*stream)->read(head);
    if (!got) {
      if (named_like_a_trace(path)) skip("unreadable-file", Severity::error, path, got.error().what);
      return;
    }
    const std::string_view begin(head.data(), *got);
    const trace::SourceFile source = source_of(path.string(), (*stream)->stamp());
    if (looks_like_python_stats(source.path, begin))
      found_.python.push_back(source);
    else if (is_named_report(path.native()))
      found_.documents.push_back(source);
    else if (looks_like_memory_timeline(begin))
      found_.memory.push_back(source);
    else if (is_counter_trace(begin))
      found_.counters.push_back(source);
    else if (begins_like_json(begin) && is_part_of_group(source.path, begin))
      found_.parts.push_back(source);
    else if (begins_like_json(begin))
      (looks_like_job_document(path, source.size, begin) ? found_.documents : found_.sources).push_back(source);
    else if (named_like_a_trace(path))
      skip("not-a-trace", Severity::warning, path, "does not start like JSON");
  }

  // Thousands of small files; opens none of them. Ignores the other files next to them: end markers, and corrupt files
  // that were renamed.
  bool take_metrics(const fs::path& path) {
    const bool among_metrics = smdebug::in_metrics_folder(path.native());
    if (!smdebug::metrics_file_name(path.native())) {
      const bool renamed = path.filename().string().find(".algo-") != std::string::npos && named_like_a_trace(path) &&
                           smdebug::metrics_file_name((path.parent_path() / path.stem()).native());
      if (!among_metrics && !renamed) return false;
      if (named_like_a_trace(path)) skip("metrics-file-ignored", Severity::info, path, "not named EPOCH.algo-N.json");
      return true;
    }
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return false;
    if (info.st_size == 0)
      skip("metrics-file-empty", Severity::info, path, "0 bytes");
    else
      found_.metrics.push_back(source_of(path.native(), stamp_of(info)));
    return true;
  }

  bool take_known(const fs::path& path) {
    return take_known(path, known_counters_, found_.counters) || take_known(path, known_, found_.sources) ||
           take_known(path, known_parts_, found_.parts) || take_known(path, known_documents_, found_.documents) ||
           take_known(path, known_memory_, found_.memory) || take_known(path, known_python_, found_.python);
  }

  static bool take_known(const fs::path& path, const Known& known, std::vector<trace::SourceFile>& found) {
    const auto one = known.find(path.native());
    struct stat info {};
    if (one == known.end() || ::stat(path.c_str(), &info) != 0) return false;
    if (!same_state(*one->second, source_of(path.native(), stamp_of(info)))) return false;
    found.push_back(*one->second);
    return true;
  }

  void skip(std::string_view code, Severity severity, const fs::path& path, std::string_view why) {
    found_.diagnostics.add(code, severity, path.string(), Diagnostic::kNoOffset, why);
  }

  Discovery& found_;
  const CancelToken* cancel_;
  std::set<std::string> visited_;
  Known known_;
  Known known_parts_;
  Known known_counters_;  // may be in known_, too
  Known known_documents_;
  Known known_memory_;
  Known known_python_;
};

}  // namespace

namespace {

/// Adds the groups that the parts belong to. A part that its group does not find, such as one below a link, is a source
/// by itself.
void add_groups(Discovery& found) {
  std::map<std::string, std::set<std::string>> groups;  // with their files
  for (const trace::SourceFile& part : found.parts) {
    std::string path = group_of_file(part.path);
    const auto [group, fresh] = groups.try_emplace(std::move(path));
    if (fresh) {
      const std::vector<GroupFile> files = files_of_group(group->first);
      for (const GroupFile& file : files) group->second.insert(file.path);
      if (!files.empty()) found.sources.push_back(source_of(group->first, stamp_of(stamp_of_group(files))));
    }
    if (!group->second.contains(part.path)) found.sources.push_back(part);
  }
}

/// Converted profiles next to traces were probably made from these traces; showing both would duplicate the data.
void note_converted(Discovery& found) {
  for (const std::string& file : found.converted)
    found.diagnostics.add("converted-beside-traces", Severity::info, file, Diagnostic::kNoOffset,
                          is_store(file) ? "not read with the traces" : "not a converted profile");
}

/// JAX can write a second file for Perfetto beside the trace, with the same events.
void drop_perfetto_copies(Discovery& found) {
  std::set<fs::path> folders;  // with a trace that the copy can be of
  const auto is_copy = [](const fs::path& path) { return path.filename() == "perfetto_trace.json.gz"; };
  for (const trace::SourceFile& source : found.sources)
    if (!is_copy(source.path) && source.path.ends_with(".trace.json.gz"))
      folders.insert(fs::path(source.path).parent_path());
  std::erase_if(found.sources, [&](const trace::SourceFile& source) {
    const bool drop = is_copy(source.path) && folders.contains(fs::path(source.path).parent_path());
    if (drop)
      found.diagnostics.add("copy-beside-trace", Severity::info, source.path, Diagnostic::kNoOffset,
                            "JAX wrote the same events to the other file");
    return drop;
  });
}

/// Files that Warpscope computed from a trace for other viewers are not ranks; leaving them out loses nothing.
void set_counters_aside(Discovery& found) {
  if (found.sources.empty()) {
    found.sources = found.counters;
    return;
  }
  for (const trace::SourceFile& counters : found.counters)
    found.diagnostics.add("counters-beside-traces", Severity::info, counters.path, Diagnostic::kNoOffset,
                          "computed from a trace by `warpscope counters`");
}

/// Returns the error for a `path` that cannot be examined because of `error`.
Error absent(const fs::path& path, const std::error_code& error) {
  if (path == "-") return {path.string(), "cannot read traces from standard input", "give a file or a directory"};
  if (error == std::errc::permission_denied)
    return {path.string(), "permission denied for a folder in the path", "change its permissions or ask its owner"};
  if (error == std::errc::not_a_directory)
    return {path.string(), "part of the path is a file, not a directory", "check the path"};
  if (error == std::errc::filename_too_long)
    return {path.string(), "its name is longer than the system allows", "check the path"};
  std::error_code ignored;
  if (error == std::errc::too_many_symbolic_link_levels)
    return {path.string(), "is a symbolic link to itself", "check the link"};
  if (fs::is_symlink(fs::symlink_status(path, ignored)))
    return {path.string(),
            "is a symbolic link to " + fs::read_symlink(path, ignored).string() + ", which does not exist",
            "check the link"};
  if (error && error != std::errc::no_such_file_or_directory)
    return {path.string(), "cannot be accessed: " + error.message(), "check the disk and the path"};
  return {path.string(), "no such file or directory", "check the path"};
}

}  // namespace

Result<Discovery> discover(const fs::path& path, const Discovery* known, const CancelToken* cancel) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) return absent(path, error);

  Discovery found;
  fs::path root = fs::absolute(path, error).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();
  found.root = root.string();
  if (in_sealed_folder(found.root) || is_sealed_file(found.root)) {
    found.diagnostics.add("sealed-profile", Severity::warning, found.root, Diagnostic::kNoOffset, kSealed);
    return found;
  }
  if (fs::is_directory(status)) {
    fs::directory_iterator probe(root, error);
    if (error) return Error{path.string(), "cannot read the directory: " + error.message(), "check its permissions"};
    Search(found, known, cancel).directory(root);
    add_groups(found);
    const auto by_path = [](const auto& a, const auto& b) { return natural_less(a.path, b.path); };
    std::sort(found.sources.begin(), found.sources.end(), by_path);
    std::sort(found.parts.begin(), found.parts.end(), by_path);
    std::sort(found.converted.begin(), found.converted.end(), natural_less);
    std::sort(found.metrics.begin(), found.metrics.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
    std::sort(found.counters.begin(), found.counters.end(), by_path);
    std::sort(found.documents.begin(), found.documents.end(), by_path);
    std::sort(found.memory.begin(), found.memory.end(), by_path);
    std::sort(found.python.begin(), found.python.end(), by_path);
    drop_perfetto_copies(found);
    set_counters_aside(found);
    if (!found.sources.empty() || !found.metrics.empty()) note_converted(found);
    return found;
  }
  auto stream = open_byte_stream(found.root);
  if (!stream) return stream.error();
  std::array<char, kJobDocumentHead> head{};
  const auto got = (*stream)->read(head);
  const std::string_view begin(head.data(), got ? *got : 0);
  auto& found_as = is_rule_report(begin)                        ? found.documents
                   : looks_like_python_stats(found.root, begin) ? found.python
                   : looks_like_memory_timeline(begin)          ? found.memory
                   : smdebug::metrics_file_name(found.root)     ? found.metrics
                                                                : found.sources;
  found_as.push_back(source_of(found.root, (*stream)->stamp()));
  return found;
}

}  // namespace warpscope::ingest
