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
#include "core/ingest/bytes/content_kind.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/listing/debugger_files.hpp"
#include "core/ingest/listing/job_documents.hpp"
#include "core/store/draft.hpp"

namespace warpscope::ingest {

namespace fs = std::filesystem;

namespace {

trace::SourceFile source_of(const std::string& path, const FileStamp& stamp) {
  return {path, stamp.size, stamp.modified_ns, stamp.inode, 0};
}

bool is_part_of_group(const FileHead& head) {
  return std::ranges::any_of(trace_formats(), [&](const TraceFormat* format) {
    return format->group_of(head.path).has_value() && format->sniff(head);
  });
}

// SageMaker Debugger folders without traces: tensors saved by its hooks.
bool has_no_traces(const fs::path& folder, std::string_view name) {
  std::error_code ignored;
  if (name != "debug-output") return false;
  return fs::exists(folder / "collections", ignored) || fs::exists(folder / "index", ignored);
}

bool named_like_a_trace(const fs::path& path) { return path.filename().native().find(".json") != std::string::npos; }

class Search {
 public:
  Search(Discovery& found, const Discovery* known, const CancelToken* cancel) : found_(found), cancel_(cancel) {
    if (known == nullptr) return;
    for (const FoundFile& file : known->files) known_.emplace(file.source.path, &file);
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

  /// Reports such paths under a short, readable path: the directory directly below the root.
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
    if (is_notebook(path.native()) || take_by_name(path.native()) || take_known(path.native())) return;
    if (store::is_draft(path.filename().native())) return;
    if (opens_as_store(path.string())) {
      found_.converted.push_back(path.string());
      return;
    }
    const auto refuse = [&](std::string_view code, Severity severity, std::string_view why) {
      if (named_like_a_trace(path)) skip(code, severity, path, why);
    };
    const auto size = fs::file_size(path, error);
    if (!error && size == 0) {
      if (!is_open_file(path.native())) refuse("empty-file", Severity::warning, "0 bytes");
      return;
    }
    auto stream = open_byte_stream(path.string());
    if (!stream) return refuse("unreadable-file", Severity::error, stream.error().what);
    std::array<char, kJobDocumentHead> head{};
    const auto got = (*stream)->read(head);
    if (!got) return refuse("unreadable-file", Severity::error, got.error().what);
    const std::string_view begin(head.data(), *got);
    FoundFile file{source_of(path.string(), (*stream)->stamp()), FoundFile::As::source, {}};
    const FileHead look{file.source.path, begin};
    const bool json = begins_like_json(begin);
    if (is_named_report(path.native())) {
      file.as = FoundFile::As::document;
    } else if (!json && !is_recognized(look)) {
      return refuse("not-a-trace", Severity::warning, "does not look like JSON");
    } else if (is_part_of_group(look)) {
      file.as = FoundFile::As::part;
    } else if (looks_like_job_document(path, file.source.size, begin)) {
      file.as = FoundFile::As::document;
    } else {
      file.copy = copy_of(look);
    }
    found_.files.push_back(std::move(file));
  }

  /// Avoids opening files, because there may be thousands.
  bool take_by_name(const std::string& path) {
    const auto named = format_by_name(path);
    if (!named) return false;
    const NamedFile& file = named->file;
    if (file.ignore) {
      if (named_like_a_trace(path)) skip(file.code, Severity::info, path, file.why);
      return true;
    }
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0) return false;
    if (info.st_size > 0)
      found_.files.push_back({source_of(path, stamp_of(info)),
                              named->format->group_of(path) ? FoundFile::As::part : FoundFile::As::source,
                              {}});
    else if (file.code.empty())
      skip("empty-file", Severity::warning, path, "0 bytes");
    else
      skip(file.code, Severity::info, path, "0 bytes");
    return true;
  }

  bool take_known(const std::string& path) {
    const auto one = known_.find(path);
    struct stat info {};
    if (one == known_.end() || ::stat(path.c_str(), &info) != 0) return false;
    if (!same_state(one->second->source, source_of(path, stamp_of(info)))) return false;
    found_.files.push_back(*one->second);
    return true;
  }

  void skip(std::string_view code, Severity severity, const fs::path& path, std::string_view why) {
    found_.diagnostics.add(code, severity, path.string(), Diagnostic::kNoOffset, why);
  }

  Discovery& found_;
  const CancelToken* cancel_;
  std::set<std::string> visited_;
  std::unordered_map<std::string_view, const FoundFile*> known_;
};

/// Adds the groups that contain the parts. Parts that their group does not find, such as parts under a symbolic link,
/// become separate sources.
void add_groups(Discovery& found) {
  std::map<std::string, std::set<std::string>> groups;  // with their files
  for (const FoundFile& part : found.files) {
    if (part.as != FoundFile::As::part) continue;
    const auto [group, fresh] = groups.try_emplace(group_of(part.source.path).value_or(""));
    if (fresh) {
      const std::vector<GroupFile> files = files_of_group(group->first);
      for (const GroupFile& file : files) group->second.insert(file.path);
      if (!files.empty()) found.sources.push_back(source_of(group->first, stamp_of(stamp_of_group(files))));
    }
    if (!group->second.contains(part.source.path)) found.sources.push_back(part.source);
  }
}

/// Converted profiles next to traces were probably converted from those traces, so showing both would duplicate the
/// data.
void note_converted(Discovery& found) {
  for (const std::string& file : found.converted)
    found.diagnostics.add(
        "converted-beside-traces", Severity::info, file, Diagnostic::kNoOffset,
        is_store(file) ? "skipped because the directory also contains traces" : "not a converted profile");
}

/// Skips copies that are next to traces with the same content. All other copies are sources.
void add_copies(Discovery& found) {
  std::set<fs::path> folders;  // with traces
  for (const trace::SourceFile& source : found.sources) folders.insert(fs::path(source.path).parent_path());
  const auto is_beside = [&](const std::string& start) {
    return std::ranges::any_of(found.sources, [&](const auto& source) { return source.path.starts_with(start); });
  };
  for (const FoundFile& file : found.files) {
    if (!file.copy) continue;
    const fs::path folder = fs::path(file.source.path).parent_path();
    bool beside = file.copy->same_folder ? folders.contains(folder) : !folders.empty();
    if (beside && !file.copy->beside.empty()) beside = is_beside((folder / file.copy->beside).string());
    if (beside)
      found.diagnostics.add(file.copy->code, Severity::info, file.source.path, Diagnostic::kNoOffset, file.copy->why);
    else
      found.sources.push_back(file.source);
  }
}

/// Returns the error for a `path` that could not be examined because of `error`.
Error absent(const fs::path& path, const std::error_code& error) {
  if (path == "-") return {path.string(), "cannot read traces from standard input", "pass a file or a directory"};
  if (error == std::errc::permission_denied)
    return {path.string(), "permission denied for a folder in the path", "change its permissions or ask its owner"};
  if (error == std::errc::not_a_directory)
    return {path.string(), "part of the path is a file, not a directory", "check the path"};
  if (error == std::errc::filename_too_long) return {path.string(), "the path is too long", "check the path"};
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

Failure missing_path(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(fs::status(path, error))) return absent(path, error);
  return {};
}

Result<Discovery> discover(const fs::path& path, const Discovery* known, const CancelToken* cancel) {
  if (const Failure missing = missing_path(path)) return *missing;
  std::error_code error;
  const fs::file_status status = fs::status(path, error);

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
    const auto by_path = [](const auto& a, const auto& b) { return natural_less(a.path, b.path); };
    std::ranges::sort(found.files, [&](const auto& a, const auto& b) { return by_path(a.source, b.source); });
    std::ranges::sort(found.converted, natural_less);
    for (const FoundFile& file : found.files) {
      if (file.as == FoundFile::As::document) found.documents.push_back(file.source);
      if (file.as == FoundFile::As::source && !file.copy) found.sources.push_back(file.source);
    }
    add_groups(found);
    add_copies(found);
    std::ranges::sort(found.sources, by_path);
    if (!found.sources.empty()) note_converted(found);
    return found;
  }
  auto stream = open_byte_stream(found.root);
  if (!stream) return stream.error();
  std::array<char, kJobDocumentHead> head{};
  const auto got = (*stream)->read(head);
  const std::string_view begin(head.data(), got ? *got : 0);
  (is_rule_report(begin) ? found.documents : found.sources).push_back(source_of(found.root, (*stream)->stamp()));
  return found;
}

}  // namespace warpscope::ingest
