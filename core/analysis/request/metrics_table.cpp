#include "core/analysis/request/metrics_table.hpp"

#include "core/base/display_path.hpp"
#include "core/trace/system_metrics.hpp"

namespace warpscope::analysis {

namespace {

std::string joined_by(const trace::Node& node) {
  if (node.ranks.empty()) return "no traces";
  return node.metrics_by_order ? "order" : "name";
}

}  // namespace

Table metrics_table(const trace::Profile& profile) {
  Table table("metrics", "System metrics",
              {{"node", "", ColumnRole::node},
               {"files", "", ColumnKind::integer},
               {"bytes", "", ColumnKind::bytes},
               {"cores", "", ColumnKind::integer},
               {"gpus", "", ColumnKind::integer},
               {"series", "", ColumnKind::integer},
               {"samples", "", ColumnKind::integer},
               {"interval", "", ColumnKind::duration},
               {"begin", "", ColumnRole::start},
               {"length", "", ColumnKind::duration},
               {"gaps", "", ColumnKind::integer},
               {"repeated", "", ColumnKind::integer},
               {"joined by", "", ColumnKind::text},
               {"folder", "", ColumnKind::text}});
  for (const trace::Node& node : profile.nodes) {
    if (node.metrics == trace::Node::kNone) continue;
    const trace::NodeMetrics& metrics = *profile.metrics[node.metrics];
    table.add_row({node.label, metrics.origin().files, metrics.origin().bytes,
                   metrics.of(trace::Metric::cpu_utilisation).size(), metrics.of(trace::Metric::gpu_utilisation).size(),
                   metrics.series().size(), metrics.samples(), metrics.interval(),
                   metrics.span().begin - profile.span.begin, metrics.span().length(), metrics.gaps().size(),
                   metrics.origin().repeated, joined_by(node), display_path(metrics.origin().folder, profile.path)});
  }
  return table;
}

}  // namespace warpscope::analysis
