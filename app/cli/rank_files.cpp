#include "app/cli/rank_files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <set>
#include <span>
#include <string_view>

#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "core/base/ascii.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"

namespace warpscope::cli {

namespace fs = std::filesystem;

namespace {

/// Returns the name of a rank's file in a folder: NAME of the trace NAME.json.gz, plus the rank if several traces share
/// the name. For a file group, the "*" is removed from the pattern; for a rank of a merged file, the rank's label is
/// added.
std::string name_of(const trace::Rank& rank, bool numbered, std::set<std::string>& taken) {
  const std::string number = "rank" + std::to_string(rank.number);
  std::string name = numbered ? number : fs::path(file_of(rank.source.path)).filename().string();
  for (const std::string_view suffix : {".gz", ".zst", ".json"})
    if (lower(name).ends_with(suffix)) name.resize(name.size() - suffix.size());
  std::erase(name, '*');
  if (std::string label(label_in_merged(rank.source.path)); !label.empty() && !numbered) {
    std::erase(label, ' ');
    name.append(1, '.').append(label);
  }
  std::string unique = name;
  if (taken.contains(unique) && !numbered) unique = number + "." + name;
  for (int n = 2; taken.contains(unique); ++n) unique = fmt::format("{}-{}{}", number, n, numbered ? "" : "." + name);
  taken.insert(unique);
  return unique;
}

/// Returns the output path for a single trace. Errors: the suffix does not determine a format; the path is not
/// writable.
Result<std::string> single_file(const std::string& out) {
  std::error_code failed;
  if (!named_like_json(out) && !fs::is_directory(out, failed))
    return Error{"--out " + out, "does not end in .json or .json.gz", "use a file name such as trace.json.gz"};
  return output_file(out, Replaces::nothing);
}

/// Checks that `out` can be the folder for several traces.
Failure check_folder(const std::string& out, std::size_t ranks) {
  std::error_code failed;
  if (named_like_json(out) && !fs::is_directory(out, failed))
    return Error{"--out " + out, "is a single file, but there are " + std::to_string(ranks) + " ranks",
                 "specify a folder, or select a rank with --rank"};
  if (fs::exists(out, failed) && !fs::is_directory(out, failed))
    return Error{out, "is not a folder", "choose another name"};
  return {};
}

Result<std::vector<RankFile>> list_files(const RankFiles& files, const trace::Profile& profile) {
  const auto scope = scope_of(profile, files.ranks);
  if (!scope) return scope.error();
  const std::vector<std::uint32_t> ranks = analysis::ranks_in(profile, *scope);
  std::vector<RankFile> list;
  if (ranks.size() == 1) {
    const auto file = single_file(files.out);
    if (!file) return file.error();
    list.push_back({ranks.front(), *file});
    return list;
  }
  if (auto failure = check_folder(files.out, ranks.size())) return *failure;
  std::error_code ignored;
  const bool there = fs::is_directory(files.out, ignored);
  std::set<std::string> taken;
  for (const std::uint32_t r : ranks) {
    const std::string base = name_of(*profile.ranks[r], files.numbered, taken);
    const std::string name = (fs::path(files.out) / (base + files.suffix + ".json.gz")).string();
    const auto file = there ? output_file(name, Replaces::nothing) : name;
    if (!file) return file.error();
    list.push_back({r, *file});
  }
  return list;
}

Failure write_one(const trace::Profile& profile, const RankFile& file, const WriteRank& write,
                  const CancelToken& cancel, Progress& progress, std::uint64_t& bytes) {
  using ingest::TextWriter;
  const bool packed = lower(file.file).ends_with(".gz");
  auto writer = TextWriter::create(file.file, packed ? TextWriter::Packing::gzip : TextWriter::Packing::none);
  if (!writer) return writer.error();
  if (auto failure = write(file, *writer, cancel)) return failure;
  if (auto damage = trace::damage_of(profile, std::span(&file.rank, 1))) return damage;
  if (cancel.cancelled()) return Error{file.file, "was not written: interrupted", ""};
  if (auto failure = writer->finish()) return failure;
  bytes += writer->bytes();
  progress.done += profile.ranks[file.rank]->source.size;
  return {};
}

}  // namespace

bool named_like_json(const std::string& path) {
  const std::string name = lower(path);
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

ExitStatus write_rank_files(Loaded& loaded, const RankFiles& files, Interrupts& interrupts, const WriteRank& write,
                            const DescribeFiles& describe) {
  if (loaded.profile->ranks.empty())
    return fail({loaded.profile->path, "contains no traces, only system metrics", "open the job's traces"},
                kNothingRead);
  const auto list = list_files(files, *loaded.profile);
  if (!list) return fail(list.error(), kUsage);
  std::error_code failed;
  if (list->size() > 1) fs::create_directory(files.out, failed);
  if (failed) return fail({files.out, "cannot be created: " + failed.message(), "choose another folder"}, kNotWritten);
  std::uint64_t bytes = 0;
  bool writing = false;  // true if writing failed
  const Failure failure = write_with_progress(loaded, interrupts, [&](const CancelToken& cancel, Progress& progress) {
    for (const RankFile& file : *list) {
      Failure wrong;
      const auto attempt = [&] { wrong = write_one(*loaded.profile, file, write, cancel, progress, bytes); };
      if (auto damage = compute_soundly(std::span(&loaded, 1), attempt)) return damage;
      if (wrong) {
        writing = wrong->where == file.file;
        return wrong;
      }
    }
    return Failure();
  });
  if (failure) {
    if (!interrupts.came()) print_error(*failure);
    return writing ? kNotWritten : kNothingRead;
  }
  const std::string names = list->size() == 1
                                ? list->front().file
                                : files.out + ": " + format_count(static_cast<std::int64_t>(list->size())) + " files";
  print_message(describe("wrote " + names + ", " + format_bytes(static_cast<std::int64_t>(bytes))));
  return kDone;
}

}  // namespace warpscope::cli
