#include "core/analysis/operators/graph_modules.hpp"

#include <simdjson.h>

#include <array>

#include "core/analysis/request/event_numbers.hpp"
#include "core/ingest/load/event_lookup.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::string_view kQualifiedName = "module_fqn";
constexpr std::array<std::string_view, 3> kAnnotationRows{"args.module_fqn", "args.name", "args.annotation"};

/// Returns the module in a list of annotations, [{"name": "mlp"}, {"module_fqn": "layers.0.mlp"}].
std::string module_in_list(const std::string& list) {
  simdjson::dom::parser parser;
  simdjson::dom::array annotations;
  if (parser.parse(list).get(annotations) != simdjson::SUCCESS) return {};
  std::string found;
  for (const simdjson::dom::element annotation : annotations) {
    std::string_view text;
    if (annotation[kQualifiedName].get(text) == simdjson::SUCCESS) return std::string(text);
    if (annotation["name"].get(text) == simdjson::SUCCESS) found = text;
  }
  return found;
}

std::string module_of_event(const ingest::EventText& event) {
  for (const std::string_view path : {kAnnotationRows[0], kAnnotationRows[1]})
    if (const std::string* text = event.find(path); text != nullptr && !text->empty()) return *text;
  const std::string* const list = event.find(kAnnotationRows[2]);
  return list == nullptr ? std::string() : module_in_list(*list);
}

}  // namespace

Result<GraphModules> graph_modules_of(const AnalysisInput& input, std::uint32_t r, const GpuRows::Rows& rows) {
  GraphModules modules;
  const trace::Rank& rank = *input.profile.ranks[r];
  std::vector<trace::SliceOrdinal> slices;
  for (const GpuRow& row : rows)
    if (row.launch && is_graph_launch(input.profile.names().view(rank.name(*row.launch)))) slices.push_back(row.slice);
  if (slices.empty()) return modules;
  const auto take = [&](trace::SliceOrdinal slice, const ingest::EventText& event) {
    if (std::string module = module_of_event(event); !module.empty()) modules.emplace(slice, std::move(module));
  };
  if (auto failure = read_events(input, rank, slices, kAnnotationRows, take)) return *failure;
  return modules;
}

}  // namespace warpscope::analysis
