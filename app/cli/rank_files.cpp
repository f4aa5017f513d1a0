#include "app/cli/rank_files.hpp"

#include <filesystem>
#include <span>

#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "core/base/format.hpp"
#include "core/ingest/write/rank_file.hpp"

namespace warpscope::cli {

namespace fs = std::filesystem;

namespace {

/// Returns the output path for a single trace. Errors: the suffix does not determine a format; the path is not
/// writable.
Result<std::string> single_file(const std::string& out) {
  std::error_code failed;
  if (!ingest::named_like_json(out) && !fs::is_directory(out, failed))
    return Error{"--out " + out, "does not end in .json or .json.gz", "use a file name such as trace.json.gz"};
  return output_file(out, Replaces::nothing);
}

/// Checks that `out` can be the folder for several traces.
Failure check_folder(const std::string& out, std::size_t ranks) {
  std::error_code failed;
  if (ingest::named_like_json(out) && !fs::is_directory(out, failed))
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
  const std::vector<std::string> names = ingest::rank_file_names(profile, ranks, files.numbered);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::string name = (fs::path(files.out) / (names[i] + files.suffix + ".json.gz")).string();
    const auto file = there ? output_file(name, Replaces::nothing) : name;
    if (!file) return file.error();
    list.push_back({ranks[i], *file});
  }
  return list;
}

}  // namespace

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
      const auto attempt = [&] {
        const auto written =
            ingest::write_rank_file(*loaded.profile, file.rank, file.file, cancel,
                                    [&](ingest::TextWriter& writer) { return write(file, writer, cancel); });
        wrong = written ? Failure() : Failure(written.error());
        bytes += written ? *written : 0;
      };
      if (auto damage = compute_soundly(std::span(&loaded, 1), attempt)) return damage;
      if (wrong) {
        writing = wrong->where == file.file;
        return wrong;
      }
      progress.done += loaded.profile->ranks[file.rank]->source.size;
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
