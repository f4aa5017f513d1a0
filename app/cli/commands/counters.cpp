// `warpscope counters PATH --out FILE`: writes the queue depth of each stream and the bandwidth of memory copies as
// counters for other viewers. Writes one small trace per rank, to be opened together with the original. If interrupted
// or out of disk space, it leaves existing files unchanged.
//
// The events are counters in the Chrome trace format, with HTA's names: {"ph":"C","name":"Queue
// Length","pid":0,"id":7,"ts":12.345,"args":{"Queue Length":3}}, and {…,"name":"Memcpy HtoD",…,"args":{"Memcpy
// BW":14.4}} in GB/s. Times use the original trace's time base, so viewers can align the two traces.
#include <fmt/format.h>

#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli/command.hpp"
#include "app/cli/load.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/rank_files.hpp"
#include "core/analysis/shared/memory_bandwidth.hpp"
#include "core/analysis/shared/queue_lengths.hpp"
#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "core/ingest/bytes/text_writer.hpp"
#include "core/ingest/formats/trace_events/trace_events_format.hpp"
#include "core/ingest/write/trace_writer.hpp"
#include "core/trace/file_time.hpp"

namespace warpscope::cli {

namespace {

struct CountersOptions {
  std::string path;
  std::string out;
  std::string ranks;  ///< "0,3-5"; empty: all
  LoadFlags load;
};

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
      ingest::append_us(text_, saturating_difference(curve.times[i], zero_));
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

Failure write_counters(const Loaded& loaded, const RankFile& file, ingest::TextWriter& writer,
                       const CancelToken& cancel, std::uint64_t& samples) {
  const trace::Profile& profile = *loaded.profile;
  const trace::Rank& rank = *profile.ranks[file.rank];
  CounterEvents events(rank, writer);
  for (const analysis::QueueLength& queue : analysis::queue_lengths(profile, file.rank, &cancel))
    if (auto failure = events.write(fmt::format(R"({{"ph":"C","name":"Queue Length","pid":{},"id":{},"ts":)",
                                                rank.devices[queue.device].id, rank.tracks[queue.track].id),
                                    R"(,"args":{"Queue Length":)", queue.length, 1))
      return failure;
  const auto lookup = loaded.loader->events();
  for (const analysis::MemoryBandwidth& bandwidth :
       analysis::memory_bandwidths(profile, file.rank, &cancel, lookup.get())) {
    std::string name;
    append_json_string(name, bandwidth.kind);
    if (auto failure =
            events.write(fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":)", name, rank.devices[bandwidth.device].id),
                         R"(,"args":{"Memcpy BW":)", bandwidth.rate, 1e9))
      return failure;
  }
  samples += events.count();
  return events.finish();
}

ExitStatus run_counters(const CountersOptions& options) {
  if (options.out.empty())
    return fail({"--out", "needs a file name", "specify the output file, for example trace.json.gz"}, kUsage);
  if (const Failure failure = unreachable_output(options.out)) return fail(*failure, kNotWritten);
  return load_and_write(options.path, options.load, saved_settings(), [&](Loaded& loaded, Interrupts& interrupts) {
    std::uint64_t samples = 0;
    return write_rank_files(
        loaded, {.out = options.out, .ranks = options.ranks, .suffix = ".counters"}, interrupts,
        [&](const RankFile& file, ingest::TextWriter& writer, const CancelToken& cancel) {
          return write_counters(loaded, file, writer, cancel, samples);
        },
        [&](const std::string& wrote) {
          return wrote + ", with " + format_count(static_cast<std::int64_t>(samples)) +
                 " queue depth and bandwidth samples";
        });
  });
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
