// Statistics of Python functions, as marshal and as JSON: for any bytes, indices are in range, the number of results is
// bounded by the size of the input, and whatever is left out has a diagnostic.
#include <algorithm>

#include "core/ingest/formats/python_stats/python_stats.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {

namespace {

void check_stats(std::string_view input, const trace::PythonStats& stats, const Diagnostics& diagnostics) {
  for (const Diagnostic& one : diagnostics.all()) {
    require(!explain(one.code).empty(), "the diagnostic " + one.code + " is explained");
    require(one.offset == Diagnostic::kNoOffset || one.offset <= input.size(), "offsets are in the file");
  }
  require(stats.functions.size() + stats.callers.size() <= input.size(), "results are bounded");
  const auto known = [&](std::uint32_t code) { return code < stats.codes.size(); };
  for (const trace::PythonCode& code : stats.codes)
    require(code.name < stats.texts.size() && code.file < stats.texts.size(), "texts exist");
  require(std::ranges::all_of(stats.functions, [&](const auto& one) { return known(one.code); }), "functions exist");
  require(std::ranges::all_of(stats.callers, [&](const auto& one) { return known(one.callee) && known(one.caller); }),
          "callers exist");
}

}  // namespace

void run_python_stats(std::string_view input) {
  for (const auto parse : {ingest::parse_cprofile, ingest::parse_pyinstrument}) {
    trace::PythonStats stats;
    Diagnostics diagnostics;
    parse(input, stats, diagnostics);
    check_stats(input, stats, diagnostics);
  }
  (void)ingest::PythonStatsFormat().sniff({"", input});
  trace::PythonStats stats;
  stats.path = input;
  ingest::describe_python_stats(stats);
}

}  // namespace warpscope::fuzz
