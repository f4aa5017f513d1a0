// annotations: families of annotations and their durations.
#include <fmt/format.h>

#include "core/analysis/request/recording_advice.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/shared/distribution.hpp"

namespace warpscope::analysis::registered::annotations {

namespace {

Result<std::vector<Table>> run(const AnalysisInput& input) {
  std::vector<Column> columns{{"family", "", ColumnRole::annotation_group}, {"side", "", ColumnRole::side}};
  append_statistics_columns(columns);
  Table table("annotations", "Annotations by family", std::move(columns));
  for (const AnnotationFamily& family : annotation_families(input.profile, input.scope, input.cancel)) {
    std::vector<Ns> durations;
    durations.reserve(family.samples.size());
    for (const Sample& sample : family.samples) durations.push_back(sample.duration);
    std::vector<Cell> cells{family.family, to_string(family.side)};
    append_statistics_cells(cells, statistics(durations));
    table.add_row(cells);
  }
  const std::uint64_t impossible =
      count_impossible(input.profile, input.scope, role_set(trace::Role::annotation, trace::Role::gpu_annotation));
  table.note = joined_notes({table.rows() == 0
                                 ? not_recorded_note(input.profile, input.scope, "No annotations in this selection",
                                                     "add them with torch.profiler.record_function")
                                 : "",
                             impossible_note(impossible, "annotation")});
  return std::vector{std::move(table)};
}

}  // namespace

extern const Analysis kAnalysis{"annotations",
                                "Annotations by family",
                                "Count and duration of annotations on the CPU and of the corresponding GPU "
                                "annotations. Names that differ only in a trailing number are grouped into one family.",
                                {},
                                run};

}  // namespace warpscope::analysis::registered::annotations
