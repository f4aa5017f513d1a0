// `warpscope counters PATH --out FILE`: writes the queue depth of each stream and the bandwidth of memory copies as
// counters for other viewers. Writes one small trace per rank, to be opened together with the original. If interrupted
// or out of disk space, it leaves existing files unchanged.
//
// The events are counters in the Chrome trace format, with HTA's names: {"ph":"C","name":"Queue
// Length","pid":0,"id":7,"ts":12.345,"args":{"Queue Length":3}}, and {…,"name":"Memcpy HtoD",…,"args":{"Memcpy
// BW":14.4}} in GB/s. Times use the original trace's time base, so viewers can align the two traces.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "core/analysis/shared/memory_bandwidth.hpp"
#include "core/analysis/shared/queue_lengths.hpp"
#include "core/base/ascii.hpp"
#include "core/base/file_group.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "core/ingest/bytes/text_writer.hpp"
#include "core/ingest/formats/trace_events/trace_events_format.hpp"
#include "core/trace/file_time.hpp"

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

/// Appends a time in ns as µs, such as "12.345", without floating-point rounding.
void append_us(std::string& out, Ns time) {
  // Not -time, because the minimum value cannot be negated.
  const std::uint64_t whole = time < 0 ? ~static_cast<std::uint64_t>(time) + 1 : static_cast<std::uint64_t>(time);
  fmt::format_to(std::back_inserter(out), "{}{}.{:03}", time < 0 ? "-" : "", whole / 1000, whole % 1000);
}

std::string head_of(const trace::Rank& rank, Ns zero) {
  std::string head(ingest::kCounterMark);
  append_json_string(head, std::filesystem::path(rank.source.path).filename().string());
  fmt::format_to(std::back_inserter(head), ",\n\"schemaVersion\":1,\"distributedInfo\":{{\"rank\":{}}}", rank.number);
  if (zero != 0) fmt::format_to(std::back_inserter(head), ",\"baseTimeNanoseconds\":{}", zero);
  return head + ",\n\"traceEvents\":[\n";
}

/// Writes the samples of a rank's counters, and counts them.
class CounterEvents {
 public:
  CounterEvents(const trace::Rank& rank, ingest::TextWriter& writer)
      : writer_(writer), zero_(trace::file_zero(rank)), text_(head_of(rank, zero_)) {}

  /// `before` and `middle`: text of an event up to its time, and up to its value. Values are divided by `divisor`.
  Failure write(const std::string& before, std::string_view middle, const analysis::StepCurve& curve, double divisor) {
    for (std::size_t i = 0; i < curve.times.size(); ++i) {
      if (++count_ > 1) text_ += ",\n";
      text_ += before;
      append_us(text_, saturating_difference(curve.times[i], zero_));
      text_ += middle;
      append_json_number(text_, curve.values[i] / divisor);
      text_ += "}}";
      if (text_.size() < kAtATime) continue;
      if (auto failure = writer_.write(std::exchange(text_, {}))) return failure;
    }
    return {};
  }
  Failure finish() { return writer_.write(text_ + "\n]}\n"); }
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  static constexpr std::size_t kAtATime = 1 << 18;

  ingest::TextWriter& writer_;
  Ns zero_;  // origin of the file's times
  std::string text_;
  std::uint64_t count_ = 0;
};

/// Errors whose `where` is the output file are write errors.
Failure write_one(const Loaded& loaded, const Job& job, const CancelToken& cancel, Progress& progress,
                  Written& written) {
  const trace::Profile& profile = *loaded.profile;
  const trace::Rank& rank = *profile.ranks[job.rank];
  const bool packed = lower(job.file).ends_with(".gz");
  auto writer = ingest::TextWriter::create(
      job.file, packed ? ingest::TextWriter::Packing::gzip : ingest::TextWriter::Packing::none);
  if (!writer) return writer.error();
  CounterEvents events(rank, *writer);
  for (const analysis::QueueLength& queue : analysis::queue_lengths(profile, job.rank, &cancel))
    if (auto failure = events.write(fmt::format(R"({{"ph":"C","name":"Queue Length","pid":{},"id":{},"ts":)",
                                                rank.devices[queue.device].id, rank.tracks[queue.track].id),
                                    R"(,"args":{"Queue Length":)", queue.length, 1))
      return failure;
  const auto lookup = loaded.loader->events();
  for (const analysis::MemoryBandwidth& bandwidth :
       analysis::memory_bandwidths(profile, job.rank, &cancel, lookup.get())) {
    std::string name;
    append_json_string(name, bandwidth.kind);
    if (auto failure =
            events.write(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":)", name, rank.devices[bandwidth.device].id),
                         R"(,"args":{"Memcpy BW":)", bandwidth.rate, 1e9))
      return failure;
  }
  if (auto failure = events.finish()) return failure;
  if (auto damage = trace::damage_of(profile, std::span(&job.rank, 1))) return damage;
  if (cancel.cancelled()) return Error{job.file, "was not written: interrupted", ""};
  if (auto failure = writer->finish()) return failure;
  written.bytes += writer->bytes();
  written.samples += events.count();
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
