#include "core/analysis/shared/python_tables.hpp"

#include "core/base/calendar.hpp"
#include "core/base/display_path.hpp"

namespace warpscope::analysis {

std::string moment_text(const trace::PythonMoment& moment) {
  std::string text = moment.mode;
  const auto add = [&](const std::string& word) { text += (text.empty() || word.empty() ? "" : " ") + word; };
  if (moment.step) add(std::to_string(*moment.step));
  add(moment.phase);
  if (text.empty() && moment.time) text = format_calendar_time(*moment.time, true);
  return text;
}

std::string from_text(const trace::Profile& profile, const trace::PythonStats& stats) {
  std::string text = moment_text(stats.start);
  return text.empty() ? display_path(stats.path, profile.path) : text;
}

PythonTotals totals_of(const trace::PythonStats& stats) {
  PythonTotals totals;
  for (const trace::PythonFunction& function : stats.functions) {
    totals.counted = totals.counted || function.calls.has_value();
    totals.calls = saturating_add(totals.calls, function.calls.value_or(0));
    totals.primitive_calls = saturating_add(totals.primitive_calls, function.primitive_calls.value_or(0));
    totals.self = saturating_add(totals.self, function.self);
  }
  return totals;
}

Table empty_python_profiles_table() {
  return {"python-profiles",
          "Python profiles",
          {col::node, col::text("process"), col::text("profiler"), col::text("framework"), col::text("from"),
           col::text("until"), col::text("recorded from"), col::ns("recorded for"), col::integer("functions"),
           col::integer("calls"), col::integer("primitive calls"), col::ns("self"), col::text("file")}};
}

void add_python_profile(const trace::Profile& profile, const trace::PythonStats& stats, Table& table) {
  const PythonTotals totals = totals_of(stats);
  const auto if_counted = [&](std::int64_t count) { return totals.counted ? Cell(count) : Cell(); };
  const bool timed = stats.start.time && stats.end.time && *stats.end.time >= *stats.start.time;
  const std::string start = stats.start.time ? format_calendar_time(*stats.start.time, true) : std::string();
  table.add_row({stats.node, stats.process, trace::to_string(stats.profiler), stats.framework, moment_text(stats.start),
                 moment_text(stats.end), start, timed ? Cell(*stats.end.time - *stats.start.time) : Cell(),
                 stats.functions.size(), if_counted(totals.calls), if_counted(totals.primitive_calls), totals.self,
                 display_path(stats.path, profile.path)});
}

Table python_profiles_table(const trace::Profile& profile) {
  Table table = empty_python_profiles_table();
  for (const auto& stats : profile.python) add_python_profile(profile, *stats, table);
  table.note = table.rows() == 0 ? std::string(kNoPythonStats) : "The python_stats analysis lists the functions.";
  return table;
}

}  // namespace warpscope::analysis
