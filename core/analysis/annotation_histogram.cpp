// annotation_histogram: how long the annotations of one family, or of one name, last.
#include <fmt/format.h>

#include <array>

#include "core/analysis/distribution.hpp"
#include "core/analysis/registry.hpp"
#include "core/analysis/runs.hpp"
#include "core/analysis/samples.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array<std::string_view, 2> kSides{"cpu", "gpu"};
constexpr std::array kParameters{Parameter{.name = "name",
                                           .about = "a family (step), a whole name (step_7), or a part of names",
                                           .kind = ParameterKind::text,
                                           .preset = ""},
                                 Parameter{.name = "side",
                                           .about = "ranges on the host, or their shadows on the device",
                                           .kind = ParameterKind::choice,
                                           .preset = "cpu",
                                           .choices = kSides},
                                 kBinsParameter, kWidthParameter, kLogParameter};

std::string note(const std::string& name, Side side, const AnnotationSamples& found) {
  const std::string where = side == Side::cpu ? "on the CPU" : "on the GPU";
  if (name.empty()) return "No name is given; set name to a family of annotations, for example step.";
  switch (found.match) {
    case AnnotationMatch::none:
      return fmt::format("No annotation {} is called \"{}\" or has it in its name.", where, name);
    case AnnotationMatch::family:
      return fmt::format("The family \"{}\" {}.", name, where);
    case AnnotationMatch::name:
      return fmt::format("Annotations {} of exactly the name \"{}\".", where, name);
    case AnnotationMatch::part:
      return fmt::format("Annotations {} that have \"{}\" in their name.", where, name);
  }
  return "";
}

Result<std::vector<Table>> run(const AnalysisInput& input) {
  const std::string& name = input.values.text("name");
  const Side side = input.values.text("side") == "gpu" ? Side::gpu : Side::cpu;
  const AnnotationSamples found = annotation_samples(input.profile, input.scope, name, side, input.cancel);
  std::vector<Ns> durations;
  durations.reserve(found.samples.size());
  for (const Sample& sample : found.samples) durations.push_back(sample.duration);
  auto bins = histogram_table("annotation-histogram", name.empty() ? "Annotations" : "Durations of " + name, durations,
                              histogram_options(input.values));
  if (!bins) return bins.error();
  bins->note = note(name, side, found);
  Table figures = statistics_table(bins->title, std::move(durations));
  figures.note = bins->note;
  return std::vector{std::move(*bins), std::move(figures)};
}

}  // namespace

namespace registered {
extern const Analysis annotation_histogram;
const Analysis annotation_histogram{
    "annotation_histogram", "Annotation histogram",
    "How long the annotations of one family, of one name, or with a word in their names "
    "lasted.",
    kParameters, run};
}  // namespace registered

}  // namespace warpscope::analysis
