// `warpscope record --out DIR [-- COMMAND…]`: samples this host and writes to DIR while COMMAND runs or until a signal
// arrives. The command is started first and never depends on the recording: problems are only reported as messages,
// signals that the command did not receive itself are forwarded to it, and its exit status becomes the exit status of
// `record`.
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/bystander.hpp"
#include "app/cli/command.hpp"
#include "app/cli/messages.hpp"
#include "core/base/ending_signal.hpp"
#include "core/base/format.hpp"
#include "core/base/parse_number.hpp"
#include "core/base/process/child_process.hpp"
#include "core/record/gpu/gpu_samplers.hpp"
#include "core/record/host/host_samplers.hpp"
#include "core/record/launch_place.hpp"
#include "core/record/metrics_writer.hpp"
#include "core/record/perf/perf_sampler.hpp"
#include "core/record/recorder.hpp"

namespace warpscope::cli {

namespace {

using record::kSecond;

constexpr Ns kShortestInterval = kSecond / 100;
constexpr Ns kLongestInterval = 3600 * kSecond;
constexpr Ns kDurationWithoutCommand = 3600 * kSecond;
constexpr const char* kStatuses =
    "Exit status: that of COMMAND (128 plus the signal number if it was killed by a signal, 127 if it was not found, "
    "126 if it cannot be run). Without COMMAND: 0 success (including after a signal), 4 if nothing could be written. 2 "
    "for usage errors.";

struct RecordOptions {
  std::string out;
  std::string interval = "500ms";
  std::optional<std::string> duration;
  std::string node;
  std::vector<std::string> counters;
  std::vector<std::string> command;
};

struct RecordSettings {
  std::string out;
  Ns interval = 0;
  Ns duration = 0;  // 0: no limit
  std::string node;
  std::vector<std::string> counters;
};

/// Parses a time that must have a unit; a bare number would mean nanoseconds.
Result<Ns> time_of(const char* option, const std::string& text, const char* unit) {
  const bool bare =
      text.find_first_not_of("0123456789") == std::string::npos && text.find_first_not_of('0') < text.size();
  const auto time = parse_time(text);
  if (time && !bare) return *time;
  const std::string advice = std::string("use a number with a unit, such as ") + (bare ? text : "500") + unit;
  if (bare) return Error{option, text + " has no unit", advice};
  return Error{option, "'" + text + "': " + time.error().what, advice};
}

std::vector<std::string> split_at_commas(const std::vector<std::string>& lists) {
  std::vector<std::string> all;
  for (const std::string_view list : lists)
    for (const std::string_view one : parts_of(list, ","))
      if (!one.empty()) all.emplace_back(one);
  return all;
}

Result<RecordSettings> settings_of(const RecordOptions& options) {
  RecordSettings settings;
  std::error_code error;
  settings.out = std::filesystem::absolute(options.out, error).lexically_normal().string();
  if (options.out.empty() || error) return Error{"--out", "not a folder", ""};
  const auto interval = time_of("--interval", options.interval, "ms");
  if (!interval) return interval.error();
  if (*interval < kShortestInterval || *interval > kLongestInterval)
    return Error{"--interval", options.interval + " is not between 10ms and 1h", ""};
  settings.interval = *interval;
  settings.duration = options.command.empty() ? kDurationWithoutCommand : 0;
  if (options.duration) {
    const auto duration = time_of("--duration", *options.duration, "s");
    if (!duration) return duration.error();
    if (*duration < 0 || (*duration > 0 && *duration < kShortestInterval))
      return Error{"--duration", *options.duration + " is shorter than 10ms", "use 0 for no limit"};
    settings.duration = *duration;
  }
  const auto place = record::launch_place([](const char* name) -> const char* { return std::getenv(name); });
  const auto node = record::node_name(options.node.empty() ? std::to_string(place.node.value_or(0) + 1) : options.node);
  if (!node) return Error{"--node", "\"" + options.node + "\" is not a node name", "use algo-1, algo-2, …"};
  settings.node = *node;
  const char* const wanted = std::getenv("WARPSCOPE_NODE");
  if (options.node.empty() && wanted != nullptr && *wanted != '\0' && !record::node_name(wanted))
    print_error({"WARPSCOPE_NODE", "\"" + std::string(wanted) + "\" is not a node name; recording " + settings.node,
                 "use algo-1, algo-2, …"});
  settings.counters = split_at_commas(options.counters);
  for (const std::string& name : settings.counters)
    if (!record::counter_kind(name, false))
      return Error{"--perf-counter", "unknown counter \"" + name + "\"", "choose from " + record::known_counters()};
  return settings;
}

std::vector<std::unique_ptr<record::Sampler>> samplers_of(const RecordSettings& settings, const record::Say& say) {
  std::vector<std::unique_ptr<record::Sampler>> all;
  all.push_back(record::cpu_sampler());
  all.push_back(record::memory_sampler());
  all.push_back(record::disk_sampler());
  all.push_back(record::network_sampler());
  all.push_back(record::nvml_sampler(say));
  if (!all.back()) all.back() = record::rocm_sampler(say);
  if (!settings.counters.empty()) all.push_back(record::perf_sampler(settings.counters, say));
  std::erase(all, nullptr);
  return all;
}

/// Returns the signals that end the program and, if there is a command, also those that jobs use for their own
/// purposes.
sigset_t signals_to_take(bool command) {
  sigset_t signals = ending_signals();
  sigaddset(&signals, SIGCHLD);
  if (command)
    for (const int signal : {SIGQUIT, SIGUSR1, SIGUSR2}) sigaddset(&signals, signal);
  return signals;
}

double own_cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// The command, if there is one, and the recording that runs alongside it.
class Recording {
 public:
  Recording(const RecordSettings& settings, const std::vector<std::string>& command)
      : settings_(settings), command_(command), writer_(settings.out + "/system", settings.node, print_message) {
    // A closed stderr must not end this process before the command ends.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGCHLD, SIG_DFL);
    signals_ = signals_to_take(!command.empty());
    sigset_t before;
    ::pthread_sigmask(SIG_BLOCK, &signals_, &before);
    if (command.empty()) return;
    bystander_ = std::make_unique<Bystander>(signals_without_children());
    child_ = std::make_unique<ChildProcess>(
        command, std::vector<std::string>{"WARPSCOPE_OUT=" + settings.out, "WARPSCOPE_NODE=" + settings.node}, before);
    if (child_->failed() != 0) print_error({command.front(), std::strerror(child_->failed()), ""});
  }

  ExitStatus run(bool record) {
    if (child_ && child_->failed() != 0) return static_cast<ExitStatus>(*child_->ended());
    const Failure failure = record ? writer_.prepare() : std::nullopt;
    if (failure) print_error(*failure);
    if (failure && !child_) return kNotWritten;
    if (failure) print_message("running the command without recording");
    if (record && !failure) start();
    while (!over()) {
      if (recorder_ && steady() >= end_) stop_early();
      if (!recorder_ && !child_) break;
      if (recorder_ && steady() >= recorder_->due()) recorder_->sample();
      wait();
    }
    stop();
    if (child_) return static_cast<ExitStatus>(*child_->ended());
    return writer_.written() == 0 && writer_.lost() > 0 ? kNotWritten : kDone;
  }

 private:
  [[nodiscard]] bool over() { return child_ ? child_->ended().has_value() : ended_; }

  void start() {
    if (!child_)
      print_message("recording " + settings_.node + " to " + settings_.out + " every " +
                    format_duration(settings_.interval) + "; press Ctrl-C to stop");
    recorder_ = std::make_unique<record::Recorder>(samplers_of(settings_, print_message), writer_, settings_.interval,
                                                   print_message);
    began_ = steady();
    end_ = settings_.duration > 0 ? saturating_add(began_, settings_.duration) : std::numeric_limits<Ns>::max();
  }

  void stop_early() {
    if (child_)
      print_message("the duration of " + format_duration(settings_.duration) + " has elapsed; " + command_.front() +
                    " continues without recording");
    stop();
  }

  void stop() {
    if (!recorder_) return;
    recorder_->finish();
    const double seconds = static_cast<double>(steady() - began_) / static_cast<double>(kSecond);
    recorder_.reset();
    const auto written = static_cast<std::int64_t>(writer_.written());
    std::string text = "recorded " + format_count(written) + (written == 1 ? " sample of " : " samples of ") +
                       settings_.node + " to " + settings_.out;
    if (writer_.lost() > 0) text += "; lost " + format_count(static_cast<std::int64_t>(writer_.lost()));
    if (seconds >= 1) text += " (used " + format_share(own_cpu_seconds() / seconds) + " of a core)";
    print_message(text);
  }

  /// Waits for a signal, at most until the next sample is due.
  void wait() {
    const Ns left = recorder_ ? std::min(recorder_->due(), end_) - steady() : kSecond;
    if (left <= 0) return;
    const timespec most{left / kSecond, left % kSecond};
    const int signal = ::sigtimedwait(&signals_, nullptr, &most);
    if (signal <= 0 || signal == SIGCHLD) return;
    if (!child_) ended_ = true;
    if (child_ && !(child_->shares_group() && bystander_->received(signal))) child_->send(signal);
  }

  [[nodiscard]] sigset_t signals_without_children() const {
    sigset_t signals = signals_;
    sigdelset(&signals, SIGCHLD);
    return signals;
  }

  [[nodiscard]] Ns steady() const { return clocks_.steady(); }

  const RecordSettings& settings_;
  const std::vector<std::string>& command_;
  record::Clocks clocks_ = record::system_clocks();
  record::MetricsWriter writer_;
  sigset_t signals_{};
  std::unique_ptr<Bystander> bystander_;
  std::unique_ptr<ChildProcess> child_;
  std::unique_ptr<record::Recorder> recorder_;
  Ns began_ = 0;
  Ns end_ = 0;
  bool ended_ = false;
};

ExitStatus run_record(const RecordOptions& options) {
  const auto settings = settings_of(options);
  if (!settings) return fail(settings.error(), kUsage);
  const auto place = record::launch_place([](const char* name) -> const char* { return std::getenv(name); });
  const bool another = place.process_of_node.value_or(0) > 0;
  if (another && options.command.empty())
    print_message("not recording: another process is already recording this node");
  Recording recording(*settings, options.command);
  return recording.run(!another);
}

std::function<ExitStatus()> declare_record(Arguments arguments) {
  const auto options = std::make_shared<RecordOptions>();
  arguments.required("--out", options->out, "Output folder, also used by smprof in COMMAND");
  arguments.text("--interval", options->interval, "Time between samples");
  arguments.text("--duration", options->duration,
                 "Recording duration; 0 for no limit. Default: until COMMAND ends, or 1h without COMMAND");
  arguments.text("--node", options->node,
                 "Name of this node, algo-N. Default: the node number from the job's launcher, or algo-1");
  arguments.list("--perf-counter", options->counters,
                 "Also record these performance counters (comma-separated), such as instructions, ref-cycles, "
                 "cache-misses or itlb_misses.miss_causes_a_walk");
  arguments.rest("COMMAND", options->command, "Program to run and record, with its arguments, after --");
  return [options] { return run_record(*options); };
}

}  // namespace

const Command registered::record::kCommand{"record",       "Record this host's CPU, memory, disk, network and GPU load",
                                           declare_record, nullptr,
                                           nullptr,        kStatuses};

}  // namespace warpscope::cli
