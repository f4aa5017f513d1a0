// python_stats: Python functions by self time, from cProfile or pyinstrument.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/tables.hpp"
#include "core/analysis/shared/python_tables.hpp"

namespace warpscope::analysis::registered::python_stats {

namespace {

constexpr std::array<std::string_view, 7> kModes{"all",    "train",       "eval",         "predict",
                                                 "global", "prestepzero", "posthookclose"};

constexpr std::array kParameters{
    integer_parameter("k", "number of functions to list per file, most self time first; 0 for all", "100", 0, 1e6),
    text_parameter("node", "show statistics for this node only, such as algo-1; empty for all"),
    choice_parameter("mode", "show only statistics that start or end in this mode", kModes),
    integer_parameter("step", "show only statistics that include this step; -1 for all", "-1", -1, 9e15),
};

bool includes_step(const trace::PythonStats& stats, std::int64_t step) {
  if (!stats.start.step && !stats.end.step) return false;
  return step >= stats.start.step.value_or(0) && step <= stats.end.step.value_or(step);
}

class Functions {
 public:
  explicit Functions(const AnalysisInput& input) : input_(input) {}

  std::vector<Table> tables() {
    std::size_t left_out = 0;
    for (const auto& stats : input_.profile.python) {
      if (!wanted(*stats)) continue;
      add_python_profile(input_.profile, *stats, profiles_);
      left_out += add(*stats);
    }
    if (input_.profile.python.empty())
      functions_.note = kNoPythonStats;
    else if (profiles_.rows() == 0)
      functions_.note = "No Python function statistics match the parameters and the time range.";
    else if (left_out > 0)
      functions_.note = fmt::format("{} functions with less self time are omitted; k=0 lists all.", left_out);
    return {std::move(functions_), std::move(callers_), std::move(profiles_)};
  }

 private:
  bool wanted(const trace::PythonStats& stats) const {
    const std::string& node = input_.values.text("node");
    const std::string& mode = input_.values.text("mode");
    const std::int64_t step = input_.values.integer("step");
    if (!node.empty() && stats.node != node) return false;
    if (mode != kModes.front() && stats.start.mode != mode && stats.end.mode != mode) return false;
    if (step >= 0 && !includes_step(stats, step)) return false;
    const auto range = input_.scope.on_job();
    return !range || !stats.start.time || !stats.end.time ||
           (*stats.start.time<range->end&& * stats.end.time> range->begin);
  }

  /// Returns the number of omitted functions.
  std::size_t add(const trace::PythonStats& stats) {
    std::vector<std::uint32_t> order(stats.functions.size());
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::stable_sort(order, std::greater<>(), [&](std::uint32_t i) { return stats.functions[i].self; });
    const auto most = static_cast<std::size_t>(input_.values.integer("k"));
    const std::size_t listed = most == 0 ? order.size() : std::min(most, order.size());
    const Ns whole = totals_of(stats).self;
    const std::string from = from_text(input_.profile, stats);
    const std::string until = moment_text(stats.end);
    std::vector<std::vector<const trace::PythonCaller*>> callers(stats.codes.size());
    for (const trace::PythonCaller& caller : stats.callers) callers[caller.callee].push_back(&caller);
    for (std::size_t i = 0; i < listed; ++i) {
      const trace::PythonFunction& function = stats.functions[order[i]];
      functions_.add_row({stats.node, stats.process, from, until, stats.name_of(function.code),
                          stats.file_of(function.code), line_of(stats, function.code), function.calls,
                          function.primitive_calls, function.self, share_of(function.self, whole), function.total});
      for (const trace::PythonCaller* caller : callers[function.code])
        callers_.add_row({stats.node, stats.process, from, until, stats.name_of(function.code),
                          stats.name_of(caller->caller), stats.file_of(caller->caller), line_of(stats, caller->caller),
                          caller->calls, caller->primitive_calls, caller->self, caller->total});
      callers[function.code].clear();
    }
    return order.size() - listed;
  }

  static Cell line_of(const trace::PythonStats& stats, std::uint32_t code) {
    const std::int64_t line = stats.codes[code].line;
    return line > 0 ? Cell(line) : Cell();
  }

  const AnalysisInput& input_;
  Table functions_{"python-functions",
                   "Python functions",
                   {col::node, col::text("process"), col::text("from"), col::text("until"),
                    Column("function", col::name), col::text("file"), col::id("line"), col::integer("calls"),
                    col::integer("primitive calls"), col::ns("self"), col::percent("self share"), col::ns("total")}};
  Table callers_{"python-callers",
                 "Callers of Python functions",
                 {col::node, col::text("process"), col::text("from"), col::text("until"), Column("function", col::name),
                  col::text("caller"), col::text("file of caller"), col::id("line of caller"), col::integer("calls"),
                  col::integer("primitive calls"), col::ns("self"), col::ns("total")}};
  Table profiles_ = empty_python_profiles_table();
};

Result<std::vector<Table>> run(const AnalysisInput& input) { return Functions(input).tables(); }

constexpr std::array kCharts{ChartSpec{"python-functions", ChartKind::none},
                             ChartSpec{"python-callers", ChartKind::none},
                             ChartSpec{"python-profiles", ChartKind::none}};

}  // namespace

extern const Analysis kAnalysis{
    "python_stats",
    "Python functions",
    "Calls, self time and total time of Python functions and their callers, from cProfile or pyinstrument files next "
    "to the traces, such as those of SageMaker Debugger. SageMaker Debugger can configure cProfile to measure CPU or "
    "off-CPU time instead of elapsed time. The files do not record a rank, so selecting ranks has no effect.",
    kParameters,
    run,
    kCharts};

}  // namespace warpscope::analysis::registered::python_stats
