#include "core/trace/system_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/parse_number.hpp"

namespace warpscope::trace {

namespace {

constexpr Ns kUsualInterval = 500'000'000;  // default sampling interval of the agents
constexpr float kSilent = std::numeric_limits<float>::quiet_NaN();

struct KnownMetric {
  std::string_view type;
  std::string_view name;       ///< "" for cores and GPUs, which are numbered
  std::string_view dimension;  ///< "" for any
  Metric metric;
};

constexpr std::array kKnownMetrics{
    KnownMetric{"cpu", "", "CPUUtilization", Metric::cpu_utilisation},
    KnownMetric{"cpu", "", "I/OWaitPercentage", Metric::io_wait},
    KnownMetric{"gpu", "", "GPUUtilization", Metric::gpu_utilisation},
    KnownMetric{"gpu", "", "GPUMemoryUtilization", Metric::gpu_memory},
    KnownMetric{"memory", "MemoryUsedPercent", "", Metric::host_memory},
    KnownMetric{"network", "ReceiveBytesPerSecond", "", Metric::network_received},
    KnownMetric{"network", "TransmitBytesPerSecond", "", Metric::network_sent},
    KnownMetric{"i/o", "ReadThroughputInBytesPerSecond", "", Metric::disk_read},
    KnownMetric{"i/o", "WriteThroughputInBytesPerSecond", "", Metric::disk_written},
    KnownMetric{"i/o", "IOPS", "", Metric::disk_operations},
};

/// Words of a metric, in the order of the metrics.
struct MetricWords {
  std::string_view name;
  std::string_view unit;
  std::string_view owner;  ///< precedes the core or GPU number; "" if a node has only one such series
  std::string_view label;
};
constexpr std::array<MetricWords, kMetrics> kMetricWords{{
    {"CPU utilization", "%", "CPU ", " utilization"},
    {"I/O wait", "%", "CPU ", " I/O wait"},
    {"GPU utilization", "%", "GPU ", " utilization (sampled)"},
    {"GPU memory", "%", "GPU ", " memory (sampled)"},
    {"memory used", "%", "", "memory used"},
    {"network received", "B/s", "", "received"},
    {"network sent", "B/s", "", "sent"},
    {"disk read", "B/s", "", "read"},
    {"disk written", "B/s", "", "written"},
    {"disk operations", "ops/s", "", "operations"},
    {"", "", "", ""},
}};

const MetricWords& words_of(Metric metric) { return kMetricWords[static_cast<std::size_t>(metric)]; }

std::uint32_t number_at_end(std::string_view name) {
  const std::string_view digits = name.substr(name.find_last_not_of("0123456789") + 1);
  return digits.size() > 6 ? MetricSeries::kNone : parse_number<std::uint32_t>(digits).value_or(MetricSeries::kNone);
}

std::string label_of(const MetricSeries& series) {
  const MetricWords& words = words_of(series.metric);
  const std::string label(words.label);
  if (!words.owner.empty())
    return (series.instance == MetricSeries::kNone ? series.name : fmt::format("{}{}", words.owner, series.instance)) +
           label;
  const std::string of = series.dimension.empty() ? "" : " (" + series.dimension + ")";
  if (series.metric == Metric::other) return series.name + of;
  if (series.metric != Metric::network_received && series.metric != Metric::network_sent) return label;
  // SageMaker's dimensions: traffic of the training containers, and of the platform itself.
  if (series.dimension == "Algorithm") return label;
  return label + (series.dimension == "Platform" ? " (platform)" : of);
}

Ns median(std::vector<Ns> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Sample times plus the times at which values become unknown: at the start of each gap and at the end.
struct TimesWithGaps {
  std::vector<Ns> times;
  std::vector<bool> silent;  ///< by time
  Ns interval = 0;
  std::vector<Interval> gaps;
};

/// The typical interval changes if a job changes its setting, so the time between two samples is compared with the
/// longer of the medians just before and just after it.
TimesWithGaps with_gaps(const std::vector<Ns>& times) {
  constexpr std::size_t kNear = 5;
  TimesWithGaps result;
  std::vector<Ns> steps;
  steps.reserve(times.size());
  for (std::size_t i = 1; i < times.size(); ++i) steps.push_back(times[i] - times[i - 1]);
  result.interval = median(steps);
  const auto median_of = [&](std::size_t first, std::size_t last) {
    return median(
        {steps.begin() + static_cast<std::ptrdiff_t>(first), steps.begin() + static_cast<std::ptrdiff_t>(last)});
  };
  result.times.reserve(times.size() + 1);
  for (std::size_t i = 0; i < times.size(); ++i) {
    result.times.push_back(times[i]);
    result.silent.push_back(false);
    if (i + 1 == times.size()) break;
    if (steps[i] / NodeMetrics::kGapIntervals < result.interval) continue;
    const Ns before = i == 0 ? 0 : median_of(i - std::min(i, kNear), i);
    const Ns behind = median_of(i + 1, std::min(steps.size(), i + 1 + kNear));
    const Ns usual = std::max(before, behind);
    if (usual == 0 || steps[i] / NodeMetrics::kGapIntervals < usual) continue;
    const Ns from = saturating_add(times[i], before > 0 ? before : usual);
    result.times.push_back(from);
    result.silent.push_back(true);
    result.gaps.push_back({from, times[i + 1]});
  }
  result.times.push_back(saturating_add(times.back(), result.interval > 0 ? result.interval : kUsualInterval));
  result.silent.push_back(true);
  return result;
}

std::vector<float> with_silence(const std::vector<float>& values, const TimesWithGaps& column) {
  std::vector<float> all;
  all.reserve(column.times.size());
  auto next = values.begin();
  for (const bool silent : column.silent) all.push_back(silent ? kSilent : *next++);
  return all;
}

bool has_mean(Metric metric) { return is_percentage(metric) && metric != Metric::host_memory; }

}  // namespace

Metric metric_of(std::string_view type, std::string_view name, std::string_view dimension) {
  for (const KnownMetric& known : kKnownMetrics)
    if (known.type == type && (known.name.empty() || known.name == name) &&
        (known.dimension.empty() || known.dimension == dimension))
      return known.metric;
  return Metric::other;
}

std::string_view to_string(Metric metric) { return words_of(metric).name; }

std::string_view unit_of(Metric metric) { return words_of(metric).unit; }

// `warpscope record` writes performance counters as metrics of the CPU under their own names.
constexpr std::string_view kEventsPerSecond = "/s";

NodeMetrics::NodeMetrics(Origin origin, std::vector<MetricColumn> columns) : origin_(std::move(origin)) {
  for (MetricColumn& column : columns)
    if (!column.times.empty() && !column.series.empty()) add(std::move(column));
  std::sort(series_.begin(), series_.end(), [](const MetricSeries& a, const MetricSeries& b) {
    return std::tie(a.metric, a.instance, a.type, a.name, a.dimension) <
           std::tie(b.metric, b.instance, b.type, b.name, b.dimension);
  });
  for (std::size_t metric = 0; metric < kMetrics; ++metric)
    if (has_mean(static_cast<Metric>(metric))) add_mean(static_cast<Metric>(metric));
}

void NodeMetrics::add(MetricColumn column) {
  TimesWithGaps all = with_gaps(column.times);
  if (column.times.size() > most_times_) {
    most_times_ = column.times.size();
    interval_ = all.interval;
    gaps_ = std::move(all.gaps);
  }
  span_ = cover(span_, {column.times.front(), all.times.back()});
  samples_ += column.times.size() * column.series.size();
  for (MetricColumn::Series& one : column.series) one.values = with_silence(one.values, all);
  const auto times = std::make_shared<const std::vector<Ns>>(std::move(all.times));
  columns_.push_back(times);
  for (MetricColumn::Series& from : column.series) {
    MetricSeries one;
    one.type = std::move(from.type);
    one.name = std::move(from.name);
    one.dimension = std::move(from.dimension);
    one.metric = metric_of(one.type, one.name, one.dimension);
    one.instance = number_at_end(one.name);
    std::string label = label_of(one);
    const bool event_counter = one.metric == Metric::other && one.type == "cpu";
    std::string unit(event_counter ? kEventsPerSecond : unit_of(one.metric));
    one.counter = Counter(std::move(label), std::move(unit), times, std::move(from.values));
    series_.push_back(std::move(one));
  }
}

std::vector<MetricColumn> NodeMetrics::columns() const {
  std::vector<MetricColumn> result;
  for (const Counter::Times& times : columns_) {
    MetricColumn column;
    for (const MetricSeries& from : series_) {
      if (from.counter.times() != times) continue;
      MetricColumn::Series one{from.type, from.name, from.dimension, {}};
      std::copy_if(from.counter.values().begin(), from.counter.values().end(), std::back_inserter(one.values),
                   [](float value) { return !std::isnan(value); });
      if (column.series.empty())
        for (std::size_t i = 0; i < times->size(); ++i)
          if (!std::isnan(from.counter.value(i))) column.times.push_back((*times)[i]);
      column.series.push_back(std::move(one));
    }
    if (!column.series.empty()) result.push_back(std::move(column));
  }
  return result;
}

/// One sweep over the samples of all members, O(samples · log members), so thousands of series with different sample
/// times stay cheap. A tree over the members yields the sums; in a running sum, a value of 1e30 would permanently lose
/// the digits of the others.
void NodeMetrics::add_mean(Metric metric) {
  const std::span<const MetricSeries> members = of(metric);
  if (members.empty()) return;
  const bool together = std::all_of(members.begin(), members.end(), [&](const MetricSeries& one) {
    return one.counter.times() == members.front().counter.times();
  });
  Counter::Times times = members.front().counter.times();
  if (!together) {
    std::vector<Ns> all;
    for (const MetricSeries& one : members)
      all.insert(all.end(), one.counter.times()->begin(), one.counter.times()->end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    times = std::make_shared<const std::vector<Ns>>(std::move(all));
    columns_.push_back(times);
  }
  std::vector<double> sums(times->size(), 0);
  std::vector<std::uint32_t> counts(times->size(), 0);
  if (together) {
    for (const MetricSeries& one : members)
      for (std::size_t i = 0; i < times->size(); ++i) {
        const float value = one.counter.value(i);
        if (std::isnan(value)) continue;
        sums[i] += static_cast<double>(value);
        ++counts[i];
      }
  } else {
    struct Sample {
      Ns time;
      std::uint32_t member;
      float value;
    };
    std::vector<Sample> samples;
    for (std::uint32_t m = 0; m < members.size(); ++m)
      for (std::size_t i = 0; i < members[m].counter.size(); ++i)
        samples.push_back({(*members[m].counter.times())[i], m, members[m].counter.value(i)});
    std::stable_sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.time < b.time; });
    const std::size_t leaves = std::bit_ceil(members.size());
    std::vector<double> sum(2 * leaves, 0);
    std::vector<bool> known(members.size(), false);
    std::uint32_t count = 0;
    auto next = samples.begin();
    for (std::size_t i = 0; i < times->size(); ++i) {
      for (; next != samples.end() && next->time <= (*times)[i]; ++next) {
        const bool number = !std::isnan(next->value);
        if (number && !known[next->member]) ++count;
        if (!number && known[next->member]) --count;
        known[next->member] = number;
        std::size_t node = leaves + next->member;
        sum[node] = number ? static_cast<double>(next->value) : 0;
        while ((node /= 2) > 0) sum[node] = sum[2 * node] + sum[2 * node + 1];
      }
      sums[i] = sum[1];
      counts[i] = count;
    }
  }
  std::vector<float> mean(times->size(), kSilent);
  for (std::size_t i = 0; i < mean.size(); ++i)
    if (counts[i] > 0) mean[i] = static_cast<float>(sums[i] / counts[i]);
  means_[static_cast<std::size_t>(metric)] =
      Counter(std::string(to_string(metric)), std::string(unit_of(metric)), std::move(times), std::move(mean));
}

std::span<const MetricSeries> NodeMetrics::of(Metric metric) const {
  const auto found = std::ranges::equal_range(series_, metric, {}, &MetricSeries::metric);
  return {found.begin(), found.end()};
}

std::size_t NodeMetrics::first_of(Metric metric) const {
  return static_cast<std::size_t>(of(metric).data() - series_.data());
}

std::size_t NodeMetrics::resident_bytes() const {
  std::size_t bytes = series_.capacity() * sizeof(MetricSeries);
  for (const Counter::Times& column : columns_) bytes += column->capacity() * sizeof(Ns);
  for (const MetricSeries& one : series_) bytes += one.counter.resident_bytes();
  for (const Counter& mean : means_) bytes += mean.resident_bytes();
  return bytes;
}

}  // namespace warpscope::trace
