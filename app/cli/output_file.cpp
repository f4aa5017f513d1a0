#include "app/cli/output_file.hpp"

#include <linux/limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "app/cli/messages.hpp"
#include "app/cli/report/report_document.hpp"
#include "app/ui/shell/state_dump.hpp"
#include "core/base/files/new_file.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/sql/export.hpp"

namespace warpscope::cli {

namespace fs = std::filesystem;

namespace {

/// Message texts for a kind of file, and the first bytes that identify it, unless the kind has its own check.
struct KindOfFile {
  const char* example;
  const char* what_else;
  const char* option = "--out";
  std::string_view begin{};
};

constexpr std::array<KindOfFile, 6> kKinds{
    {{"trace.json.gz", ""},
     {"job.wscope", " and is not a converted profile"},
     {"report.html", " and is not a report", "--html"},
     {"timeline.png", " and is not a PNG image", "--out", "\x89PNG\r\n\x1a\n"},
     {"job.db", " and was not written by warpscope sql --export", "--export"},
     {"state.json", " and is not a state file written by Warpscope", "--dump-state", ui::kStateBegin}}};

const KindOfFile& kind_of(Replaces replaces) { return kKinds[static_cast<std::size_t>(replaces)]; }

bool starts_with(const std::string& file, std::string_view expected) {
  std::string begin(expected.size(), '\0');
  std::ifstream(file, std::ios::binary).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return begin == expected;
}

/// Returns true if the existing file is of the kind that may be replaced.
bool may_go(const std::string& file, Replaces replaces) {
  if (replaces == Replaces::converted_profile) return ingest::is_store(file);
  if (replaces == Replaces::nothing) return false;
  if (replaces == Replaces::database) return sql::is_export(file);
  if (replaces != Replaces::report) return starts_with(file, kind_of(replaces).begin);
  return std::ranges::any_of(kReportFormats,
                             [&](ReportFormat format) { return starts_with(file, report_begin(format)); });
}

}  // namespace

Result<std::string> output_file(const std::string& path, Replaces replaces) {
  const std::string example = kind_of(replaces).example;
  if (path.empty())
    return Error{kind_of(replaces).option, "needs a file name", "specify the output file, for example " + example};
  std::error_code failed;
  // Check before following links, because links in /proc refer to pipes by paths that do not exist.
  if (fs::is_other(path, failed)) return Error{path, "is a device, pipe or socket, not a file", "choose another file"};
  const auto behind = behind_links(path);
  if (!behind) return behind.error();
  const fs::path& target = *behind;
  const fs::file_status status = fs::status(target, failed);
  if (fs::is_directory(status))
    return Error{path, "is a directory", "specify a file in it, for example " + path + "/" + example};
  if (!fs::exists(status)) {
    if (fs::is_directory(target.parent_path(), failed)) return target.string();
    return Error{path, "its folder does not exist", "create it first or choose another folder"};
  }
  if (fs::file_size(target, failed) > 0 && !may_go(target.string(), replaces))
    return Error{path, std::string("already exists") + kind_of(replaces).what_else,
                 "remove it first or choose another file"};
  return target.string();
}

Failure unreachable_output(const std::string& path) {
  if (path.empty()) return {};
  // Replacing a file by renaming does not check whether the file is writable.
  std::error_code ignored;
  constexpr fs::perms kWrite = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
  if (const fs::file_status there = fs::status(path, ignored);
      fs::is_regular_file(there) &&
      ((there.permissions() & kWrite) == fs::perms::none || ::access(path.c_str(), W_OK) != 0))
    return Error{path, "is write-protected", "make it writable first or choose another file"};
  // The temporary file has a longer name, which the system must also accept.
  std::error_code error;
  static_cast<void>(fs::status(path + kDraftEnding, error));
  // Even a short name cannot be resolved if its folder's path is too long.
  std::error_code unknown;
  const fs::path whole = fs::absolute(path, unknown);
  if (unknown == std::errc::filename_too_long ||
      whole.native().size() + std::string_view(kDraftEnding).size() >= PATH_MAX)
    return Error{path, "cannot be written: its full path is longer than the system allows",
                 "choose a folder with a shorter path"};
  const fs::path target = fs::path(path).has_filename() ? fs::path(path) : fs::path(path).parent_path();
  const fs::path folder = target.parent_path();
  if (!error || error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory) {
    if (folder.empty() || fs::is_directory(folder, error)) return {};
    return Error{path, "its folder does not exist", "create it first or choose another folder"};
  }
  if (error == std::errc::filename_too_long)
    return Error{path, "cannot be written: the path is too long", "choose a shorter name"};
  if (error == std::errc::permission_denied)
    return Error{path, "cannot be written: permission denied for its folder", "check the folder's permissions"};
  return Error{path, "cannot be written: " + error.message(), "choose another file"};
}

ExitStatus check_output(const std::string& path, Replaces replaces) {
  if (path.empty()) return kDone;
  if (const Failure failure = unreachable_output(path)) return fail(*failure, kNotWritten);
  const auto file = output_file(path, replaces);
  return file ? kDone : fail(file.error(), kUsage);
}

}  // namespace warpscope::cli
