// Infers facts about a statistics file from its path.
#include <cmath>

#include "core/base/ascii.hpp"
#include "core/base/parse_number.hpp"
#include "core/ingest/formats/pevents/timeline_name.hpp"
#include "core/ingest/formats/python_stats/python_stats.hpp"

namespace warpscope::ingest {

namespace {

/// Removes the part after the last `separator` from `text`, including the separator, and returns it.
std::string_view take_last(std::string_view& text, char separator) {
  const std::size_t at = text.rfind(separator);
  const std::string_view last = at == std::string_view::npos ? text : text.substr(at + 1);
  text = at == std::string_view::npos ? std::string_view() : text.substr(0, at);
  return last;
}

std::optional<Ns> time_in_microseconds(std::string_view text) {
  constexpr double kMostMicroseconds = 9e15;
  const auto microseconds = parse_number<double>(text);
  if (!microseconds || !(*microseconds > 0 && *microseconds < kMostMicroseconds)) return std::nullopt;
  const double whole = std::floor(*microseconds);
  return static_cast<Ns>(whole) * 1000 + std::llround((*microseconds - whole) * 1000);
}

/// Parses MODE-STEP-PHASE-TIME; the step is "*" before the first step and after the last.
std::optional<trace::PythonMoment> moment_in(std::string_view text) {
  trace::PythonMoment moment;
  moment.time = time_in_microseconds(take_last(text, '-'));
  moment.phase = take_last(text, '-');
  const std::string_view step = take_last(text, '-');
  moment.step = parse_number<std::int64_t>(step);
  moment.mode = text;
  if (!moment.time || moment.mode.empty() || (!moment.step && step != "*")) return std::nullopt;
  return moment;
}

void set_writer(trace::PythonStats& stats, std::string_view writer) {
  const pevents::Writer parsed = pevents::writer_of(writer);
  stats.node = parsed.host;
  stats.process = parsed.number ? std::to_string(*parsed.number) : std::string();
}

/// Parses MOMENT_MOMENT.
bool take_moments(trace::PythonStats& stats, std::string_view name) {
  const std::size_t middle = name.find('_');
  if (middle == std::string_view::npos) return false;
  auto start = moment_in(name.substr(0, middle));
  auto end = moment_in(name.substr(middle + 1));
  if (!start || !end) return false;
  stats.start = std::move(*start);
  stats.end = std::move(*end);
  return true;
}

/// Parses TIME_TIME_WRITER_STEP[-PHASE]; step -1 covers the time before the first step.
bool take_old_name(trace::PythonStats& stats, std::string_view name) {
  std::string_view step = take_last(name, '_');
  const std::string_view writer = take_last(name, '_');
  const auto end = time_in_microseconds(take_last(name, '_'));
  const auto start = time_in_microseconds(name);
  if (!start || !end || writer.empty()) return false;
  const std::size_t dash = step.find('-', 1);
  const auto number = parse_number<std::int64_t>(step.substr(0, dash));
  if (!number) return false;
  stats.start.time = start;
  stats.end.time = end;
  if (*number >= 0) stats.start.step = stats.end.step = number;
  if (*number < 0) stats.start.mode = "prestepzero";
  if (dash != std::string_view::npos) stats.start.phase = stats.end.phase = step.substr(dash + 1);
  set_writer(stats, writer);
  return true;
}

bool is_profiler(std::string_view folder) {
  const std::string name = lower(folder);
  return name == "cprofile" || name == "pyinstrument";
}

}  // namespace

void describe_python_stats(trace::PythonStats& stats) {
  std::string_view path = stats.path;
  (void)take_last(path, '/');
  const std::string_view folder = take_last(path, '/');
  const std::string_view above = take_last(path, '/');
  if (take_moments(stats, folder)) {
    set_writer(stats, above);
    if (is_profiler(take_last(path, '/'))) stats.framework = take_last(path, '/');
  } else if (take_old_name(stats, folder)) {
    if (is_profiler(above)) stats.framework = take_last(path, '/');
  }
}

}  // namespace warpscope::ingest
