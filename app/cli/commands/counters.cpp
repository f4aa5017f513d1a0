// `warpscope counters PATH --out FILE`: writes the queue depth of each stream and the bandwidth of memory copies as
// counters for other viewers. Writes one small trace per rank, to be opened together with the original. If interrupted
// or out of disk space, it leaves existing files unchanged.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/commands/counter_trace.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "core/base/ascii.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/ingest/bytes/text_writer.hpp"

namespace warpscope::cli {

namespace {

namespace fs = std::filesystem;

struct CountersOptions {
  std::string path;
  std::string out;
  std::string ranks;  ///< "0,3-5"; empty: all
  LoadFlags load;
};

/// A trace to write.
struct Job {
  std::uint32_t rank = 0;  ///< index
  std::string file;
};

struct Written {
  std::uint64_t bytes = 0;
  std::uint64_t samples = 0;
};

bool named_like_json(const std::string& path) {
  const std::string name = lower(path);
  return name.ends_with(".json") || name.ends_with(".json.gz");
}

/// Returns the file name of a rank's counters in a folder: "NAME.counters.json.gz" for NAME.json or NAME.json.gz, plus
/// the rank if several traces share the name. For a file group, the "*" is removed from the pattern; for a rank of a
/// merged file, the rank's label is added.
std::string name_of(const trace::Rank& rank, std::set<std::string>& taken) {
  std::string name = fs::path(file_of(rank.source.path)).filename().string();
  for (const std::string_view suffix : {".gz", ".zst", ".json"})
    if (lower(name).ends_with(suffix)) name.resize(name.size() - suffix.size());
  std::erase(name, '*');
  if (std::string label(label_in_merged(rank.source.path)); !label.empty()) {
    std::erase(label, ' ');
    name.append(1, '.').append(label);
  }
  std::string unique = name;
  if (taken.contains(unique)) unique = "rank" + std::to_string(rank.number) + "." + name;
  for (int n = 2; taken.contains(unique); ++n)
    unique = "rank" + std::to_string(rank.number) + "-" + std::to_string(n) + "." + name;
  taken.insert(unique);
  return unique + ".counters.json.gz";
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

Result<std::vector<Job>> jobs_of(const CountersOptions& options, const trace::Profile& profile) {
  const auto scope = scope_of(profile, options.ranks);
  if (!scope) return scope.error();
  const std::vector<std::uint32_t> ranks = analysis::ranks_in(profile, *scope);
  std::vector<Job> jobs;
  if (ranks.size() == 1) {
    const auto file = single_file(options.out);
    if (!file) return file.error();
    jobs.push_back({ranks.front(), *file});
    return jobs;
  }
  if (auto failure = check_folder(options.out, ranks.size())) return *failure;
  std::error_code ignored;
  const bool there = fs::is_directory(options.out, ignored);
  std::set<std::string> taken;
  for (const std::uint32_t r : ranks) {
    const std::string name = (fs::path(options.out) / name_of(*profile.ranks[r], taken)).string();
    const auto file = there ? output_file(name, Replaces::nothing) : name;
    if (!file) return file.error();
    jobs.push_back({r, *file});
  }
  return jobs;
}

/// Errors whose `where` is the output file are write errors.
Failure write_one(const Loaded& loaded, const Job& job, const CancelToken& cancel, Progress& progress,
                  Written& written) {
  const trace::Profile& profile = *loaded.profile;
  const trace::Rank& rank = *profile.ranks[job.rank];
  const bool packed = lower(job.file).ends_with(".gz");
  auto writer = ingest::TextWriter::create(
      job.file, packed ? ingest::TextWriter::Packing::gzip : ingest::TextWriter::Packing::none);
  if (!writer) return writer.error();
  CounterTrace counters(profile, job.rank, &cancel, loaded.loader->events().get());
  for (std::string text; counters.append(text); text.clear())
    if (auto failure = writer->write(text)) return failure;
  if (auto damage = trace::damage_of(profile, std::span(&job.rank, 1))) return damage;
  if (cancel.cancelled()) return Error{job.file, "was not written: interrupted", ""};
  if (auto failure = writer->finish()) return failure;
  written.bytes += writer->bytes();
  written.samples += counters.size();
  progress.done += rank.source.size;
  return {};
}

std::string describe(const Written& written, const std::vector<Job>& jobs, const std::string& out) {
  const auto count = [](std::uint64_t n) { return format_count(static_cast<std::int64_t>(n)); };
  return "wrote " + (jobs.size() == 1 ? jobs.front().file : out + ": " + count(jobs.size()) + " files") + ", " +
         format_bytes(static_cast<std::int64_t>(written.bytes)) + ", with " + count(written.samples) +
         " queue depth and bandwidth samples";
}

ExitStatus write_all(Loaded& loaded, const CountersOptions& options, Interrupts& interrupts) {
  if (loaded.profile->ranks.empty())
    return fail({options.path, "contains no traces, only system metrics", "open the job's traces"}, kNothingRead);
  const auto jobs = jobs_of(options, *loaded.profile);
  if (!jobs) return fail(jobs.error(), kUsage);
  std::error_code failed;
  if (jobs->size() > 1) fs::create_directory(options.out, failed);
  if (failed)
    return fail({options.out, "cannot be created: " + failed.message(), "choose another folder"}, kNotWritten);
  Written written;
  bool writing = false;  // true if writing failed
  const Failure failure = write_with_progress(loaded, interrupts, [&](const CancelToken& cancel, Progress& progress) {
    for (const Job& job : *jobs) {
      Failure wrong;
      const auto write = [&] { wrong = write_one(loaded, job, cancel, progress, written); };
      if (auto damage = compute_soundly(std::span(&loaded, 1), write)) return damage;
      if (wrong) {
        writing = wrong->where == job.file;
        return wrong;
      }
    }
    return Failure();
  });
  if (!failure) {
    print_message(describe(written, *jobs, options.out));
    return kDone;
  }
  if (!interrupts.came()) print_error(*failure);
  return writing ? kNotWritten : kNothingRead;
}

ExitStatus run_counters(const CountersOptions& options) {
  if (options.out.empty())
    return fail({"--out", "needs a file name", "specify the output file, for example trace.json.gz"}, kUsage);
  if (const Failure failure = unreachable_output(options.out)) return fail(*failure, kNotWritten);
  return load_and_write(options.path, options.load, saved_settings(),
                        [&](Loaded& loaded, Interrupts& interrupts) { return write_all(loaded, options, interrupts); });
}

std::function<ExitStatus()> declare_counters(Arguments arguments) {
  const auto options = std::make_shared<CountersOptions>();
  arguments.required("PATH", options->path, "A trace file or a directory of trace files");
  arguments.required("--out", options->out, "Output file (.json or .json.gz), or a folder for several ranks");
  add_rank_option(arguments, options->ranks);
  add_load_flags(arguments, options->load, StoreWriting::by_flag);
  return [options] { return run_counters(*options); };
}

}  // namespace

const Command registered::counters::kCommand{
    "counters", "Write queue depth and memory bandwidth as trace counters, for other viewers", declare_counters};

}  // namespace warpscope::cli
