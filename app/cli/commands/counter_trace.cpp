#include "app/cli/commands/counter_trace.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <utility>

#include "core/base/json_writer.hpp"
#include "core/ingest/formats/trace_events/trace_events_format.hpp"

namespace warpscope::cli {
namespace {

constexpr std::size_t kAtATime = 4096;

/// Appends a time in ns as µs, such as "12.345", without floating-point rounding.
void append_us(std::string& out, Ns time) {
  // Not -time, because the minimum value cannot be negated.
  const std::uint64_t whole = time < 0 ? ~static_cast<std::uint64_t>(time) + 1 : static_cast<std::uint64_t>(time);
  fmt::format_to(std::back_inserter(out), "{}{}.{:03}", time < 0 ? "-" : "", whole / 1000, whole % 1000);
}

/// Returns the origin of the times in the rank's file, in ns since the Unix epoch: the file's baseTimeNanoseconds, or 0
/// if its times are absolute.
Ns file_zero(const trace::Rank& rank) {
  if (rank.diagnostics.count("time-base-ignored") > 0) return 0;
  const auto base = rank.properties.find("baseTimeNanoseconds");
  if (base == rank.properties.end()) return 0;
  std::string_view text = base->second;
  if (text.starts_with('"')) text.remove_prefix(1);
  Ns zero = 0;
  std::from_chars(text.data(), text.data() + text.size(), zero);
  return zero;
}

std::string head_of(const trace::Rank& rank, Ns zero) {
  std::string head(ingest::kCounterMark);
  append_json_string(head, std::filesystem::path(rank.source.path).filename().string());
  fmt::format_to(std::back_inserter(head), ",\n\"schemaVersion\":1,\"distributedInfo\":{{\"rank\":{}}}", rank.number);
  if (zero != 0) fmt::format_to(std::back_inserter(head), ",\"baseTimeNanoseconds\":{}", zero);
  return head + ",\n\"traceEvents\":[\n";
}

}  // namespace

CounterTrace::CounterTrace(const trace::Profile& profile, std::uint32_t r, const CancelToken* cancel,
                           const ingest::EventLookup* lookup)
    : queues_(analysis::queue_lengths(profile, r, cancel)),
      bandwidths_(analysis::memory_bandwidths(profile, r, cancel, lookup)),
      zero_(file_zero(*profile.ranks[r])),
      head_(head_of(*profile.ranks[r], zero_)) {
  const trace::Rank& rank = *profile.ranks[r];
  for (const analysis::QueueLength& queue : queues_)
    series_.push_back({fmt::format(R"({{"ph":"C","name":"Queue Length","pid":{},"id":{},"ts":)",
                                   rank.devices[queue.device].id, rank.tracks[queue.track].id),
                       R"(,"args":{"Queue Length":)", &queue.length, 1});
  for (const analysis::MemoryBandwidth& bandwidth : bandwidths_) {
    std::string name;
    append_json_string(name, bandwidth.kind);
    series_.push_back({fmt::format(R"({{"ph":"C","name":{},"pid":{},"ts":)", name, rank.devices[bandwidth.device].id),
                       R"(,"args":{"Memcpy BW":)", &bandwidth.rate, 1e9});
  }
}

bool CounterTrace::append(std::string& out) {
  out += head_;
  bool some = !std::exchange(head_, {}).empty();
  for (std::size_t taken = 0; at_ < series_.size() && taken < kAtATime;) {
    const Series& series = series_[at_];
    if (sample_ == series.curve->times.size()) {
      ++at_;
      sample_ = 0;
      continue;
    }
    if (std::exchange(comma_due_, true)) out += ",\n";
    ++taken;
    out += series.before;
    append_us(out, saturating_difference(series.curve->times[sample_], zero_));
    out += series.middle;
    append_json_number(out, series.curve->values[sample_] / series.divisor);
    out += "}}";
    ++sample_;
    some = true;
  }
  if (at_ < series_.size() || ended_) return some;
  out += "\n]}\n";
  return ended_ = true;
}

std::uint64_t CounterTrace::size() const {
  std::uint64_t sum = 0;
  for (const Series& series : series_) sum += series.curve->times.size();
  return sum;
}

}  // namespace warpscope::cli
