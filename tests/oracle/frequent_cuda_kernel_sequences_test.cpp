#include <set>

#include "tests/core/analysis/brute_patterns.hpp"
#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

const std::map<std::string, std::string> kOperators{{"aten__addmm", "aten::addmm"},
                                                    {"aten__conv2d", "aten::conv2d"},
                                                    {"aten__linear", "aten::linear"},
                                                    {"autograd__engine", "autograd::engine"},
                                                    {"ProfilerStep", "ProfilerStep"}};

/// HTA takes waits for kernels (B27): sequences with any are not compared, nor ours of the same calls.
CsvFrame without_waits(const CsvFrame& frame) {
  return select(frame, [&](std::size_t row) {
    const std::string& pattern = frame.text(row, "pattern");
    return pattern.find("|Stream Wait Event") == pattern.npos && pattern.find("|Stream Sync") == pattern.npos;
  });
}

}  // namespace

TEST_CASE("frequent_cuda_kernel_sequences matches HTA with --hta", "[oracle]") {
  for (const auto& [file, name] : kOperators) {
    check_sets("frequent_cuda_kernel_sequences." + file + ".csv", {}, [&](const OracleSet& set) {
      INFO(name);
      const auto profile = set.profile();
      analysis::Scope scope;
      for (std::uint32_t r = 0; r < profile->ranks.size(); ++r)
        if (profile->ranks[r]->number == set.first_rank) scope.ranks.push_back(r);
      std::vector<analysis::Setting> settings = set.as_hta();
      settings.emplace_back("names", "0");
      settings.emplace_back("operator_name", name);
      const double each = set.exact ? 1e-6 : 0.3 * 100;
      const CsvFrame ours = run_as_csv(*profile, "frequent_cuda_kernel_sequences", settings, {}, scope);
      const CsvFrame all = set.answer("frequent_cuda_kernel_sequences." + file + ".csv");
      const CsvFrame theirs = without_waits(all);
      std::set<std::string> told;
      for (std::size_t row = 0; row < theirs.rows(); ++row) told.insert(theirs.text(row, "pattern"));
      const bool waits = theirs.rows() < all.rows();
      CHECK((!waits || set.name.starts_with("critical_path")));
      check_equal(select(ours, [&](std::size_t row) { return !waits || told.contains(ours.text(row, "pattern")); }),
                  theirs,
                  {.keys = {"pattern"},
                   .columns = {{"count", 0}, {"GPU kernel duration (us)", each}, {"CPU op duration (us)", each}}});
    });
  }
}

TEST_CASE("frequent_cuda_kernel_sequences agrees with the traces' text", "[oracle]") {
  for (const char* name : {"dlrm8", "critical_path_alexnet", "critical_path_cuda_event_sync",
                           "critical_path_cuda_event_sync_multi_stream", "critical_path_simple_add"}) {
    const OracleSet* set = oracle_set(name);
    if (set == nullptr) return;
    INFO(name);
    std::size_t patterns = 0;
    for (const char* part : {"aten::", "ProfilerStep", "autograd::engine"}) {
      INFO(part);
      BrutePatterns expected;
      const Brute& brute = set->brute();
      for (const NaiveFile* file : brute.files()) add_brute_patterns(expected, *file, part, 1);
      CHECK((told_patterns(*set->profile(), part, 1) == expected));
      patterns += expected.size();
    }
    CHECK(patterns > 0);
  }
}
