#include <simdjson.h>

#include <set>

#include "core/base/table_writers.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/oracle/brute_ranks.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Two profiles that HTA compared: the first rank and step of each.
struct Pair {
  const char* name;
  const char* control;
  const char* test;
};
constexpr Pair kPairs[]{{"a100_vs_v100", "diff/control", "diff/test"},
                        {"base_test", "trace_compare/base", "trace_compare/test"}};

std::vector<Table> diff_of(const std::filesystem::path& traces, const Pair& pair, const char* name,
                           const std::vector<analysis::Setting>& settings) {
  static std::map<std::string, std::shared_ptr<const trace::Profile>> loaded;
  const auto profile = [&](const char* folder) -> const trace::Profile& {
    auto& known = loaded[folder];
    if (!known) known = load(traces / folder);
    return *known;
  };
  auto tables = analysis::run_analysis(*analysis::find_analysis(name), profile(pair.control), {}, settings, nullptr,
                                       &profile(pair.test));
  REQUIRE(tables);
  return std::move(*tables);
}

}  // namespace

TEST_CASE("trace_diff matches HTA", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) return;
  for (const Pair& pair : kPairs) {
    for (const char* device : {"ALL", "CPU", "GPU"}) {
      for (const bool short_names : {false, true}) {
        const OracleSet set{.name = pair.name, .traces = {}, .answers = *shared / "oracle" / "trace_diff"};
        const std::string file =
            std::string(pair.name) + ".compare." + device + (short_names ? ".short.csv" : ".full.csv");
        INFO(file);
        REQUIRE(set.has(file));
        const auto tables =
            diff_of(*shared / "traces", pair, "trace_diff",
                    {{"hta", "true"}, {"device_type", device}, {"short_names", short_names ? "true" : "false"}});
        std::string csv;
        write_csv(csv, tables[0]);
        const CsvFrame ours(csv);
        const CsvFrame theirs = set.answer(file);
        const std::string key = short_names ? "short_name" : "name";
        check_equal(ours, theirs,
                    {.keys = {key},
                     .columns = {{"Control_counts", 0},
                                 {"Control_total_duration", 1e-6},
                                 {"Test_counts", 0},
                                 {"Test_total_duration", 1e-6},
                                 {"diff_counts", 0},
                                 {"diff_duration", 1e-6}}});
        const auto rows = rows_by(ours, {key});
        for (std::size_t row = 0; row < theirs.rows(); ++row)
          if (const auto own = rows.find(theirs.key(row, {key})); own != rows.end())
            CHECK(ours.text(own->second, "counts_change_categories") == theirs.text(row, "counts_change_categories"));
      }
    }
  }
}

TEST_CASE("ops_diff matches HTA", "[oracle]") {
  const auto shared = shared_dir();
  if (!shared) return;
  for (const Pair& pair : kPairs) {
    for (const char* device : {"ALL", "CPU", "GPU"}) {
      const std::string file = std::string(pair.name) + ".ops_diff." + device + ".json";
      INFO(file);
      std::set<std::string> theirs;
      simdjson::dom::parser parser;
      const std::string text = plain_text_of(*shared / "oracle" / "trace_diff" / file);
      simdjson::dom::object changes;
      REQUIRE(parser.parse(text).get(changes) == simdjson::SUCCESS);
      for (const auto [change, names] : changes)
        for (const simdjson::dom::element name : simdjson::dom::array(names))
          theirs.insert(std::string(change) + ": " + std::string(std::string_view(name)));
      const auto tables = diff_of(*shared / "traces", pair, "ops_diff", {{"hta", "true"}, {"device_type", device}});
      std::set<std::string> ours;
      for (std::size_t row = 0; row < tables[0].rows(); ++row)
        ours.insert(std::string(tables[0].at(row, 0).text()) + ": " + std::string(tables[0].at(row, 1).text()));
      CHECK(ours == theirs);
    }
  }
}
