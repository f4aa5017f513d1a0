// Table of the values in the job's documents.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/analysis/information/information.hpp"
#include "core/base/calendar.hpp"
#include "core/base/display_path.hpp"
#include "core/base/word_at.hpp"

namespace warpscope::analysis {
namespace {

using trace::JobDocument;

struct Part {
  std::string_view title;
  std::string_view begin;  // prefix of the names in this part; removed if `cut`
  bool cut = false;
};

// In table order; each value is listed in the first part with a matching prefix.
constexpr std::array kParts{
    Part{"Job", "TrainingJobName"},
    Part{"Job", "TrainingJobArn"},
    Part{"Job", "TrainingJobStatus"},
    Part{"Job", "SecondaryStatus"},
    Part{"Job", "FailureReason"},
    Part{"Job", "CreationTime"},
    Part{"Job", "TrainingStartTime"},
    Part{"Job", "TrainingEndTime"},
    Part{"Job", "LastModifiedTime"},
    Part{"Job", "TrainingTimeInSeconds"},
    Part{"Job", "BillableTimeInSeconds"},
    Part{"Job", "RoleArn"},
    Part{"Job", "TuningJobArn"},
    Part{"Job", "LabelingJobArn"},
    Part{"Job", "AutoMLJobArn"},
    Part{"Machines", "ResourceConfig.", true},
    Part{"Hyper-parameters", "HyperParameters.", true},
    Part{"Profiler", "ProfilerConfig.ProfilingParameters.", true},
    Part{"Profiler", "ProfilerConfig.", true},
    Part{"Profiler rules", "ProfilerRuleConfigurations"},
    Part{"Profiler rules", "ProfilerRuleEvaluationStatuses"},
    Part{"Debugger", "DebugHookConfig"},
    Part{"Debugger", "DebugRuleConfigurations"},
    Part{"Debugger", "DebugRuleEvaluationStatuses"},
};
constexpr std::array<std::string_view, 7> kTitles = {
    "Job", "Machines", "Hyper-parameters", "Profiler", "Profiler rules", "Debugger", "Other"};

struct Placed {
  std::size_t order;
  std::string_view part;
  std::string_view name;
};

Placed place(const JobDocument& document, std::string_view name) {
  const auto whole = [&](std::string_view title) {
    const auto at = static_cast<std::size_t>(std::find(kTitles.begin(), kTitles.end(), title) - kTitles.begin());
    return Placed{at * 100 + 50, kTitles[at], name};
  };
  static constexpr std::array<std::string_view, 6> kTitleOfKind{
      "", "Profiler", "Machines", "Hyper-parameters", "Other", "Profiler rules"};
  if (const auto title = word_at(kTitleOfKind, document.kind); !title.empty()) return whole(title);
  for (std::size_t i = 0; i < kParts.size(); ++i) {
    if (!name.starts_with(kParts[i].begin)) continue;
    Placed placed = whole(kParts[i].title);
    placed.order += i - 50;
    if (kParts[i].cut) placed.name.remove_prefix(kParts[i].begin.size());
    return placed;
  }
  return whole("Other");
}

/// Formats times as calendar times, since saved API responses often have seconds since 1970. Returns other values
/// unchanged.
std::string shown(std::string_view name, const std::string& value) {
  if (name.size() < 4 || !name.ends_with("Time")) return value;
  const auto time = parse_calendar_time(value);
  return time ? format_calendar_time(*time) : value;
}

}  // namespace

Table job_table(const trace::Profile& profile) {
  Table table("job", "Job", {col::text("part"), col::name, col::text("value"), col::text("file")});
  struct Row {
    Placed placed;
    const JobDocument* document;
    const JsonFact* fact;
  };
  std::vector<Row> rows;
  for (const JobDocument& document : *profile.job)
    for (const JsonFact& fact : document.facts) rows.push_back({place(document, fact.name), &document, &fact});
  std::stable_sort(rows.begin(), rows.end(),
                   [](const Row& a, const Row& b) { return a.placed.order < b.placed.order; });
  for (const Row& row : rows)
    table.add_row({row.placed.part, row.placed.name, shown(row.fact->name, row.fact->value),
                   display_path(row.document->path, profile.path)});
  if (rows.empty())
    table.note =
        "No job description found next to the traces. Save the output of `aws sagemaker describe-training-job` as a "
        ".json file in their directory; profilerconfig.json, resourceconfig.json and hyperparameters.json are read too";
  return table;
}

}  // namespace warpscope::analysis
