// Sentences about the largest parts of a whole.
#include "core/analysis/request/registry.hpp"
#include "core/base/format.hpp"
#include "tests/catch.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

namespace warpscope::analysis {
namespace {

using namespace warpscope::tests;

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

  const Table operators = table("operators");
  Ns most = 0;
  for (std::size_t row = 0; row < operators.rows(); ++row)
    if (operators.at(row, 1).text() == "CPU") most = std::max(most, operators.at(row, 6).integer());
  CHECK(operators.note.find("Most GPU time: ") != std::string::npos);
  CHECK(operators.note.find(format_duration(most)) != std::string::npos);
}

}  // namespace
}  // namespace warpscope::analysis
