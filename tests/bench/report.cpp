#include "tests/bench/report.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string_view>
#include <thread>

#include "core/base/format.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/table_writers.hpp"

namespace warpscope::bench {

namespace {

// From this load average on, other processes affect the measurements.
constexpr double kBusy = 0.5;

struct Machine {
  std::string processor = "unknown processor";
  unsigned cores = std::thread::hardware_concurrency();
  std::int64_t memory_bytes = 0;
};

Machine this_machine() {
  Machine machine;
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);) {
    if (!line.starts_with("model name")) continue;
    machine.processor = line.substr(std::min(line.find(':') + 2, line.size()));
    break;
  }
  machine.memory_bytes = std::int64_t{sysconf(_SC_PHYS_PAGES)} * sysconf(_SC_PAGESIZE);
  return machine;
}

std::string figure_text(double figure, const std::string& unit) {
  if (std::isnan(figure)) return "not measured";
  const int decimals = std::fabs(figure) >= 100 ? 0 : std::fabs(figure) >= 10 ? 1 : 2;
  return fmt::format("{:.{}f} {}", figure, decimals, unit);
}

}  // namespace

double load_average() {
  double average = 0;
  return getloadavg(&average, 1) == 1 ? average : std::numeric_limits<double>::quiet_NaN();
}

bool Report::all_met() const { return std::ranges::all_of(requirements, &Requirement::met); }

std::string to_text(const Report& report) {
  const Machine machine = this_machine();
  std::string out = fmt::format("{}\n{}, {} cores, {}; medians of {}\n", report.title, machine.processor, machine.cores,
                                format_bytes(machine.memory_bytes), report.runs);
  for (const Table& table : report.tables) {
    if (table.rows() == 0) continue;
    out += '\n';
    write_text(out, table, {.max_text_width = 24, .title = true});
  }
  const bool busy = report.load_before > kBusy;
  if (!report.notes.empty() || busy) out += '\n';
  if (busy)
    out += fmt::format("the machine was busy (load average {:.1f} before the first run): times are too long\n",
                       report.load_before);
  for (const std::string& note : report.notes) out += note + '\n';
  if (!report.requirements.empty()) out += '\n';
  for (const Requirement& requirement : report.requirements) {
    out += fmt::format("{:<7} {:<56} {:>14}   {} {:>12}\n", requirement.met() ? "ok" : "MISSED", requirement.what,
                       figure_text(requirement.figure, requirement.unit), requirement.at_least ? "≥" : "≤",
                       figure_text(requirement.limit, requirement.unit));
  }
  return out;
}

std::string to_json(const Report& report) {
  const Machine machine = this_machine();
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("schema", 2);
  json.member("benchmark", report.name);
  json.member("title", report.title);
  json.key("machine");
  json.begin_object(JsonWriter::Layout::one_line);
  json.member("processor", machine.processor);
  json.member("cores", machine.cores);
  json.member("memory_bytes", machine.memory_bytes);
  json.member("load_before", report.load_before);
  json.end_object();
  json.member("runs", report.runs);
  json.key("tables");
  json.begin_object();
  for (const Table& table : report.tables) {
    json.key(as_identifier(table.id));
    write_records(json, table);
  }
  json.end_object();
  json.key("notes");
  json.begin_array();
  for (const std::string& note : report.notes) json.value(note);
  json.end_array();
  json.key("requirements");
  json.begin_array();
  for (const Requirement& requirement : report.requirements) {
    json.begin_object(JsonWriter::Layout::one_line);
    json.member("what", requirement.what);
    json.member("figure", requirement.figure);
    json.member("limit", requirement.limit);
    json.member("unit", requirement.unit);
    json.member("at_least", requirement.at_least);
    json.member("met", requirement.met());
    json.end_object();
  }
  json.end_array();
  json.end_object();
  return out;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : 0.5 * (values[middle - 1] + values[middle]);
}

Cell duration_cell(double seconds) {
  return std::isnan(seconds) ? Cell() : Cell(static_cast<std::int64_t>(std::llround(1e9 * seconds)));
}

Cell bytes_cell(double bytes) {
  return std::isnan(bytes) ? Cell() : Cell(static_cast<std::int64_t>(std::llround(bytes)));
}

}  // namespace warpscope::bench
