// annotations and annotation_histogram: families of annotations and their durations.
#include <fmt/format.h>

#include <array>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/request/samples.hpp"
#include "core/analysis/request/scope.hpp"
#include "core/analysis/request/what_is_there.hpp"
#include "core/analysis/shared/distribution.hpp"

namespace warpscope::analysis::registered {

namespace {

Result<std::vector<Table>> run_families(const AnalysisInput& input) {
  std::vector<Column> columns{Column("family", col::annotation_group), col::side};
  append_statistics_columns(columns);
  Table table("annotations", "Annotations by family", std::move(columns));
  for (const AnnotationFamily& family : annotation_families(input.profile, input.scope, input.cancel)) {
    std::vector<Ns> durations;
    durations.reserve(family.samples.size());
    for (const Sample& sample : family.samples) durations.push_back(sample.duration);
    std::vector<Cell> cells{family.family, Cell(to_string(family.side), family.side)};
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

constexpr std::array<std::string_view, 2> kSides{"cpu", "gpu"};
constexpr std::array kHistogramParameters{
    Parameter{.name = "name",
              .about = "annotations to include: a family (step), a full name (step_7), or part of a name; required for "
                       "a histogram",
              .kind = ParameterKind::text,
              .preset = "",
              .example = "step"},
    choice_parameter("side", "cpu: annotations recorded on the host; gpu: the corresponding GPU annotations", kSides),
    kBinsParameter};

std::string histogram_note(const trace::Profile& profile, std::span<const std::uint32_t> ranks, const std::string& name,
                           Side side, const AnnotationSamples& found) {
  // An annotation has one shadow on each stream that ran work for it.
  const std::string where = side == Side::cpu ? "on the CPU" : "on the GPU (one per stream)";
  if (name.empty())
    return fmt::format("No name given; choose an annotation. Available annotations: {}.",
                       annotations_there(profile, ranks));
  if (found.match != AnnotationMatch::none && found.samples.empty())
    return fmt::format("No annotation {} matching \"{}\" lies entirely within the range.", where, name);
  switch (found.match) {
    case AnnotationMatch::none:
      return fmt::format("No annotation {} has \"{}\" in its name. Available annotations: {}.", where, name,
                         annotations_there(profile, ranks));
    case AnnotationMatch::family:
      return fmt::format("Annotations in the family \"{}\" {}.", name, where);
    case AnnotationMatch::name:
      return fmt::format("Annotations {} named exactly \"{}\".", where, name);
    case AnnotationMatch::part:
      return fmt::format("Annotations {} with \"{}\" in their names.", where, name);
  }
  return "";
}

Result<std::vector<Table>> run_histogram(const AnalysisInput& input) {
  const std::string& name = input.values.text("name");
  const Side side = input.values.text("side") == "gpu" ? Side::gpu : Side::cpu;
  const AnnotationSamples found = annotation_samples(input.profile, input.scope, name, side, input.cancel);
  std::vector<Ns> durations;
  durations.reserve(found.samples.size());
  for (const Sample& sample : found.samples) durations.push_back(sample.duration);
  Table bins = histogram_table("annotation-histogram", name.empty() ? "Annotations" : "Durations of " + name, durations,
                               histogram_bins(input.values));
  bins.note = histogram_note(input.profile, ranks_in(input.profile, input.scope), name, side, found);
  Table figures = statistics_table(bins.title, std::move(durations));
  figures.note = bins.note;
  return std::vector{std::move(bins), std::move(figures)};
}

}  // namespace

namespace annotations {
extern const Analysis kAnalysis{"annotations",
                                "Annotations by family",
                                "Count and duration of annotations on the CPU and of the corresponding GPU "
                                "annotations. Names that differ only in a trailing number are grouped into one family.",
                                {},
                                run_families};
}

namespace annotation_histogram {
extern const Analysis kAnalysis{
    .name = "annotation_histogram",
    .title = "Annotation histogram",
    .about = "Durations of annotations selected by family, exact name, or part of the name.",
    .parameters = kHistogramParameters,
    .run = run_histogram};
}

}  // namespace warpscope::analysis::registered
