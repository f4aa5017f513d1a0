// `warpscope convert PATH --out FILE.wscope`: writes everything in PATH, arguments included, to one portable file that
// opens instantly. With `--out FILE.json.gz` or a folder: writes a part of the ranks as PyTorch profiler traces, for
// example for a bug report. With `--share 3/16`: writes a share of the files to a folder that opens as one profile. If
// interrupted or out of disk space, it leaves an existing file unchanged.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/rank_files.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/ingest/listing/discover.hpp"
#include "core/ingest/listing/share.hpp"
#include "core/ingest/load/known_sources.hpp"
#include "core/ingest/remote/remote_path.hpp"
#include "core/ingest/write/rank_file.hpp"
#include "core/ingest/write/trace_writer.hpp"

namespace warpscope::cli {

namespace {

struct ConvertOptions {
  std::string path;
  std::string out;
  std::string from;  ///< "12.3ms"
  std::string to;
  std::string ranks;  ///< "0,3-5"; empty: all
  bool anonymize = false;
  std::optional<std::string> share;  ///< "3/16" or "auto"
  LoadFlags load;

  [[nodiscard]] bool selects() const { return !from.empty() || !to.empty() || !ranks.empty() || anonymize; }
};

/// "wrote job.wscope: 8 ranks in 12.3 MiB (the traces: 410 MiB)"
std::string describe_written(const std::string& file, std::uint64_t bytes, const trace::Profile& profile) {
  const auto in_bytes = [](std::uint64_t count) { return format_bytes(static_cast<std::int64_t>(count)); };
  return "wrote " + file + ": " + counted(profile.ranks.size(), "rank", "ranks") + " in " + in_bytes(bytes) +
         " (the traces: " + in_bytes(source_bytes(profile)) + ")";
}

/// Writes the file and reports it. Removes a file that could not be completed.
ExitStatus write_file(const Loaded& loaded, const std::string& file, Interrupts& interrupts) {
  const Failure failure = write_with_progress(loaded, interrupts, [&](const CancelToken& cancel, Progress& progress) {
    return loaded.loader->save(file, cancel, &progress);
  });
  if (failure) {
    if (!interrupts.came()) print_error(*failure);
    // When a profile is converted onto itself, the file name does not show whether reading or writing failed.
    return failure->where == file && !loaded.loader->damage_of_converted() ? kNotWritten : kNothingRead;
  }
  std::error_code ignored;
  print_message(describe_written(file, std::filesystem::file_size(file, ignored), *loaded.profile));
  return kDone;
}

/// True if the shard at `path` is intact and from these files, as they are now.
bool is_current(const std::string& path, const std::vector<trace::SourceFile>& sources) {
  auto file = store::open_store(path);
  if (!file) return false;
  const ingest::KnownSources known(std::move(*file));
  if (std::ranges::any_of(sources, [&](const auto& source) { return known.find(source).empty(); })) return false;
  const auto parts = store::verify_parts(path, nullptr);
  return parts && std::ranges::none_of(*parts, [](const auto& part) { return part.wrong.has_value(); });
}

/// Checks that nothing in the folder would be mixed with the shard.
Failure misfit_in(const std::filesystem::path& folder, const ingest::Shard& shard) {
  std::error_code failed;
  if (std::filesystem::exists(folder, failed) && !std::filesystem::is_directory(folder, failed))
    return Error{folder.string(), "is not a folder", "--share writes into one: choose another name"};
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    const auto other = ingest::parse_shard_name(entry.path().filename().string());
    if (!other) continue;
    if (other->names != shard.names)
      return Error{entry.path().string(), "belongs to other trace files, or files were added or removed",
                   "remove this folder or choose another, and convert all shares"};
    if (other->share.of != shard.share.of)
      return Error{entry.path().string(), fmt::format("is one of {} shares", other->share.of),
                   "use this number of shares, or another folder"};
  }
  return {};
}

/// Writes the store of one share into the folder, unless it is there.
ExitStatus write_shard(const ConvertOptions& options) {
  const auto share =
      ingest::parse_share(*options.share, [](const char* name) -> const char* { return std::getenv(name); });
  if (!share) return fail(share.error(), kUsage);
  if (options.selects())
    return fail({"--share", "converts everything: --from, --to, --rank and --anonymize do not apply", "omit them"},
                kUsage);
  if (ingest::named_like_json(options.out))
    return fail({"--out " + options.out, "is the name of a trace", "--share needs a folder, such as job.wscope"},
                kUsage);
  if (ingest::is_remote(options.path))
    return fail({options.path, "--share converts files on this machine", "run the command on the host"}, kUsage);
  const auto found = ingest::discover(options.path);
  if (!found) return fail(found.error(), kNothingRead);
  const std::size_t used = std::min(found->sources.size(), share->of);
  if (share->number > used && used > 0) {
    print_message(
        fmt::format("nothing to do: {} for {} shares", counted(used, "trace file", "trace files"), share->of));
    return kDone;
  }
  const ingest::Share own{share->number, std::max<std::size_t>(used, 1)};
  const ingest::Shard shard = ingest::shard_of(own, found->root, found->sources);
  const std::filesystem::path folder(options.out);
  if (const Failure misfit = misfit_in(folder, shard)) return fail(*misfit, kUsage);
  const std::string file = folder / ingest::shard_name(shard);
  if (is_current(file, ingest::sources_of(own, found->root, found->sources))) {
    print_message("nothing to do: " + file + " is up to date");
    return kDone;
  }
  std::error_code failed;
  if (std::filesystem::exists(file, failed))
    if (const ExitStatus status = check_output(file, Replaces::converted_profile); status != kDone) return status;
  LoadFlags flags = options.load;
  flags.share = own;
  return load_and_write(options.path, flags, saved_settings(), [&](const Loaded& loaded, Interrupts& interrupts) {
    std::filesystem::create_directories(folder, failed);
    if (failed)
      return fail({options.out, "cannot be created: " + failed.message(), "choose another place"}, kNotWritten);
    return write_file(loaded, file, interrupts);
  });
}

ExitStatus write_traces(const ConvertOptions& options) {
  return load_and_write(options.path, options.load, saved_settings(), [&](Loaded& loaded, Interrupts& interrupts) {
    const trace::Profile& profile = *loaded.profile;
    const auto range = range_option(profile, options.from, options.to);
    if (!range) return fail(range.error(), kUsage);
    ingest::Anonymizer anonymizer;
    ingest::TracePart part;
    if (*range) part.range = **range;
    if (options.anonymize) part.anonymizer = &anonymizer;
    const auto events = loaded.loader->events();
    std::uint64_t slices = 0;
    return write_rank_files(
        loaded, {.out = options.out, .ranks = options.ranks, .numbered = options.anonymize}, interrupts,
        [&](const RankFile& file, ingest::TextWriter& writer, const CancelToken& cancel) -> Failure {
          part.rank = file.rank;
          const auto written = ingest::write_trace(profile, part, *events, writer, cancel);
          if (!written) return written.error();
          slices += *written;
          return {};
        },
        [&](const std::string& wrote) {
          return wrote + ", with " + counted(slices, "slice", "slices") + " of " +
                 format_bytes(static_cast<std::int64_t>(source_bytes(profile))) + " of traces";
        });
  });
}

ExitStatus run_convert(const ConvertOptions& options) {
  if (const Failure failure = unreachable_output(options.out)) return fail(*failure, kNotWritten);
  std::error_code failed;
  if (std::filesystem::is_directory(options.out, failed) &&
      std::filesystem::equivalent(options.out, options.path, failed))
    return fail({options.out, "contains the traces", "choose another file or folder"}, kUsage);
  if (options.share) return write_shard(options);
  if (std::filesystem::path(options.out).extension() == ".wscope") {
    if (options.selects())
      return fail({"--out " + options.out,
                   "contains everything: --from, --to, --rank and --anonymize only apply to "
                   "traces",
                   "use a file name such as part.json.gz"},
                  kUsage);
  } else if (options.selects() || ingest::named_like_json(options.out) ||
             std::filesystem::is_directory(options.out, failed)) {
    return write_traces(options);
  }
  const auto out = output_file(options.out);
  if (!out) return fail(out.error(), kUsage);
  return load_and_write(
      options.path, options.load, saved_settings(),
      [&](const Loaded& loaded, Interrupts& interrupts) { return write_file(loaded, *out, interrupts); });
}

std::function<ExitStatus()> declare_convert(Arguments arguments) {
  const auto options = std::make_shared<ConvertOptions>();
  arguments.required("PATH", options->path, "A trace file or a directory of trace files");
  arguments.required("--out", options->out,
                     "Output file: NAME.wscope with everything, or a trace, NAME.json or NAME.json.gz; a folder for "
                     "traces of several ranks");
  arguments.text("--from", options->from,
                 "Traces: start of the time range, such as 12.3ms, since the start of the profile");
  arguments.text("--to", options->to, "Traces: end of the time range");
  add_rank_option(arguments, options->ranks);
  arguments.text("--share", options->share,
                 "Convert a share of the files, such as 3/16, into the folder --out, which opens as one profile. auto: "
                 "the place of this process among those of Slurm, MPI or a Kubernetes job; auto/16: of 16");
  arguments.flag("--anonymize", options->anonymize, "Traces: replace the names of files, hosts and users");
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  arguments.exclude("--share", "--save-store");
  return [options] { return run_convert(*options); };
}

}  // namespace

const Command registered::convert::kCommand{
    "convert", "Write everything to a file that opens instantly on any machine, or a part of it as a trace",
    declare_convert};

}  // namespace warpscope::cli
