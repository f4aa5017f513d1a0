// Lines of system metrics: results do not depend on portion sizes; accepted values are sorted, finite, and unchanged by
// a store.
#include <cmath>

#include "core/ingest/formats/sagemaker/metrics_text.hpp"
#include "core/store/metrics_section.hpp"
#include "tests/core/store/memory_bytes.hpp"
#include "tests/fuzz/controls.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

using ingest::smdebug::MetricNames;
using ingest::smdebug::MetricsPart;

const std::string kFile = "of any minute";

MetricsPart parse(std::string_view text, std::size_t portion, MetricNames& names) {
  ingest::smdebug::MetricsText reader(names, kFile);
  for (std::size_t at = 0; at < text.size(); at += portion) reader.push(text.substr(at, portion));
  return reader.finish();
}

bool same(const MetricsPart& a, const MetricsPart& b) {
  if (a.columns.size() != b.columns.size() || a.repeated != b.repeated ||
      a.diagnostics.all().size() != b.diagnostics.all().size())
    return false;
  for (std::size_t c = 0; c < a.columns.size(); ++c)
    if (a.columns[c].times != b.columns[c].times || a.columns[c].series != b.columns[c].series ||
        a.columns[c].values != b.columns[c].values)
      return false;
  for (std::size_t i = 0; i < a.diagnostics.all().size(); ++i) {
    const Diagnostic& x = a.diagnostics.all()[i];
    const Diagnostic& y = b.diagnostics.all()[i];
    if (x.code != y.code || x.count != y.count || x.offset != y.offset || x.example != y.example) return false;
  }
  return true;
}

std::vector<trace::MetricColumn> columns_of(const MetricsPart& part, const MetricNames& names) {
  std::vector<trace::MetricColumn> columns;
  for (const MetricsPart::Column& from : part.columns) {
    require(!from.times.empty() && from.values.size() == from.times.size() * from.series.size(), "a column is full");
    trace::MetricColumn column;
    column.times = from.times;
    for (std::size_t i = 0; i < from.times.size(); ++i)
      require(from.times[i] > 0 && (i == 0 || from.times[i - 1] < from.times[i]), "times ascend");
    for (std::size_t s = 0; s < from.series.size(); ++s) {
      const MetricNames::Name name = names[from.series[s]];
      const auto first = from.values.begin() + static_cast<std::ptrdiff_t>(s * from.times.size());
      column.series.push_back(
          {name.type, name.name, name.dimension, {first, first + static_cast<std::ptrdiff_t>(from.times.size())}});
      for (const float value : column.series.back().values) require(std::isfinite(value), "a value is finite");
    }
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

void run_metrics(std::string_view input) {
  Controls controls(input, 1);
  const std::size_t portion = controls.size();
  MetricNames names;
  const MetricsPart whole = parse(input, std::max<std::size_t>(1, input.size()), names);
  require(same(whole, parse(input, portion, names)), "portions make no difference");
  for (const Diagnostic& diagnostic : whole.diagnostics.all())
    require(!explain(diagnostic.code).empty(), "the diagnostic " + diagnostic.code + " is explained");

  trace::NodeMetrics::Origin origin;
  origin.node = "algo-1";
  const trace::NodeMetrics metrics(origin, columns_of(whole, names));
  const Interval span = metrics.span();
  for (const trace::MetricSeries& one : metrics.series()) {
    const trace::Counter::Summary all = one.counter.summary(span.begin, span.end);
    require(all.any && all.known > 0, "a series is known somewhere");
  }
  for (const Interval& gap : metrics.gaps()) require(gap.begin < gap.end && gap.end <= span.end, "a gap has a length");

  store::MetricsBytes packed = store::write_metrics(metrics, {});
  const tests::MemoryBytes bytes("test", std::move(packed.bytes));
  const auto back = store::read_metrics(bytes, packed.place, true);
  require(back.ok() && (*back)->samples() == metrics.samples() && (*back)->span() == span &&
              (*back)->gaps() == metrics.gaps(),
          "a store gives back what it was given");
}

}  // namespace warpscope::fuzz
