// Sentences about the largest parts of a whole.
#include "core/analysis/shared/answers.hpp"

#include "core/analysis/request/registry.hpp"
#include "core/base/format.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

namespace warpscope::analysis {
namespace {

using namespace warpscope::tests;

TEST_CASE("the answer contains the largest part, and the share of the top five", "[answers]") {
  const std::vector<NamedTime> few{{"gemm", 60}, {"add", 40}};
  CHECK(leading_answer(few, 2, 100, "the kernel time") == "gemm takes 60.0 % of the kernel time.");
  const std::vector<NamedTime> many{{"a", 30}, {"b", 20}, {"c", 10}, {"d", 10}, {"e", 10}};
  CHECK(leading_answer(many, 9, 100, "the kernel time") ==
        "a takes 30.0 % of the kernel time; the top 5 of 9 take 80.0 %.");
  CHECK(leading_answer({}, 0, 100, "the kernel time").empty());
  CHECK(leading_answer(std::vector<NamedTime>{{"a", 0}}, 1, 0, "the kernel time").empty());
}

TEST_CASE("long names are truncated between characters", "[answers]") {
  const std::vector<NamedTime> one{{std::string(59, 'x') + "ß" + std::string(200, 'y'), 10}};
  CHECK(leading_answer(one, 1, 10, "all") == std::string(59, 'x') + "… takes 100.0 % of all.");
}

TEST_CASE("at most three largest parts are listed, each at least one percent", "[answers]") {
  CHECK(largest_parts({{"a", 10}, {"b", 50}, {"c", 25}, {"d", 15}}, 100) == "b 50.0 %, c 25.0 %, d 15.0 %");
  CHECK(largest_parts({{"a", 995}, {"b", 5}}, 1000) == "a 99.5 %");
  CHECK(largest_parts({{"a", 1}}, 0).empty());
}

TEST_CASE("the note of a table starts with the values of its first rows", "[answers]") {
  const TestFolder folder;
  (void)tracegen::generate(small_job(), folder.path());
  const auto profile = load(folder.path());
  REQUIRE(profile);
  const auto table = [&](std::string_view name) {
    auto tables = run_analysis(*find_analysis(name), *profile, {}, {});
    REQUIRE(tables.ok());
    return std::move(tables->front());
  };
  const Table kernels = table("kernels");
  const std::string share = format_share(kernels.at(0, *kernels.find_role(ColumnRole::share)).number());
  CHECK(kernels.note.find(" takes " + share + " of the kernel time") != std::string::npos);

  const Table overlap = table("comm_comp_overlap");
  Ns exposed = 0;
  for (std::size_t row = 0; row < overlap.rows(); ++row)
    exposed += overlap.at(row, *overlap.find_role(ColumnRole::exposed_communication)).integer();
  CHECK(overlap.note.find(format_duration(exposed) + " of ") != std::string::npos);

  const Table steps = table("step_overview");
  CHECK(steps.note.starts_with("Time of 4 steps: "));

  const Table operators = table("operators");
  Ns most = 0;
  for (std::size_t row = 0; row < operators.rows(); ++row)
    if (operators.at(row, 1).text() == "CPU") most = std::max(most, operators.at(row, 6).integer());
  CHECK(operators.note.find("Most GPU time: ") != std::string::npos);
  CHECK(operators.note.find(format_duration(most)) != std::string::npos);
}

}  // namespace
}  // namespace warpscope::analysis
