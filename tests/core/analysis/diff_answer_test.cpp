// The sentences that `warpscope diff` prints first.
#include "core/analysis/diff/diff_answer.hpp"

#include "core/base/format.hpp"
#include "tests/catch.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

/// Collectives are matched by arguments that are read from the files.
std::shared_ptr<const trace::Profile> job_with(const TestFolder& folder,
                                               std::initializer_list<const char*> stragglers) {
  tracegen::Options options = small_job(4);
  options.layout = tracegen::Layout::minified;
  options.steps = 6;
  options.layers = 2;
  for (const char* each : stragglers) options.stragglers.push_back(*tracegen::parse_straggler(each));
  write_set(folder, tracegen::generate_in_memory(options));
  return load(folder.path());
}

std::string answer_of(const trace::Profile& control, const trace::Profile& test) {
  return analysis::diff_answer(control, test, analysis::slowdowns(control, test, 0.01));
}

/// Mean of the steps that step_time lists.
std::string mean_step(const trace::Profile& profile) {
  const std::vector<Table> tables = tables_of(profile, "step_time");
  const Table& steps = tables.at(2);
  const auto duration = steps.find_role(ColumnRole::duration);
  REQUIRE(duration);
  Ns sum = 0;
  for (std::size_t row = 0; row < steps.rows(); ++row) sum += steps.at(row, *duration).integer();
  return format_duration(sum / static_cast<Ns>(steps.rows()));
}


bool answer_says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("diff names the rank that the others wait for") {
  const TestFolder before;
  const TestFolder after;
  const auto control = job_with(before, {});
  const auto test = job_with(after, {"1:1.5"});
  const std::string answer = answer_of(*control, *test);
  INFO(answer);
  CHECK(answer.starts_with("Steps take " + mean_step(*test) + " instead of " + mean_step(*control) + " on average: "));
  CHECK(answer_says(answer, " % more. Rank 1: kernels 1.5× slower, "));
  CHECK(answer_says(answer, " per step. "));

  const std::string back = answer_of(*test, *control);
  INFO(back);
  CHECK(back.ends_with(" % less."));
}

TEST_CASE("diff does not blame a rank that was as late before") {
  const TestFolder before;
  const TestFolder after;
  const auto late = job_with(before, {"1:1.5"});
  const std::string same = answer_of(*late, *late);
  INFO(same);
  CHECK(same == "Steps take " + mean_step(*late) + " on average, as in the control.");

  const auto later = job_with(after, {"1:2"});
  const std::string worse = answer_of(*late, *later);
  INFO(worse);
  CHECK(answer_says(worse, "Rank 1: kernels 2× slower, "));
  CHECK(answer_says(worse, " in the control)"));
}
