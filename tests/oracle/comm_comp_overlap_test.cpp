#include "tests/oracle/brute_ranks.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("comm_comp_overlap matches HTA with --hta", "[oracle]") {
  check_sets("comm_comp_overlap.csv", {}, [](const OracleSet& set) {
    check_equal(run_as_csv(*set.profile(), "comm_comp_overlap", set.as_hta()), set.answer("comm_comp_overlap.csv"),
                {.keys = {"rank"}, .columns = {{"comp_comm_overlap_pctg", 0.00501}}});
  });
}

namespace {

/// The spans of one type of runs by device.
using ByDevice = std::map<std::int64_t, std::vector<Span>>;

std::int64_t covered(const ByDevice& spans) {
  std::int64_t sum = 0;
  for (const auto& [device, all] : spans) sum += union_of(all);
  return sum;
}

/// What of `a` no span of `b` covers.
std::int64_t uncovered(const ByDevice& a, ByDevice b) {
  std::int64_t sum = 0;
  for (const auto& [device, all] : a) sum += union_of(joined(all, b[device])) - union_of(b[device]);
  return sum;
}

std::vector<NaiveSlice> steps_of(const NaiveFile& file) {
  std::vector<NaiveSlice> steps;
  for (const NaiveSlice& slice : file.slices)
    if (is_annotation(slice) && slice.name.starts_with("ProfilerStep#")) steps.push_back(slice);
  return steps;
}

/// The name of the step that holds a time, or what our table says in its place.
std::string step_of(const std::vector<NaiveSlice>& steps, std::optional<std::int64_t> time) {
  for (const NaiveSlice& step : steps)
    if (time && step.begin <= *time && *time < step.end()) return step.name;
  return "outside steps";
}

}  // namespace

TEST_CASE("comm_comp_overlap agrees with the traces' text", "[oracle]") {
  std::size_t ranks = 0;
  std::size_t steps = 0;
  for (const OracleSet& set : oracle_sets()) {
    INFO(set.name);
    const Brute& brute = set.brute();
    const auto profile = set.profile();
    const CsvFrame ours = run_as_csv(*profile, "comm_comp_overlap");
    const CsvFrame by_step = run_as_csv(*profile, "comm_comp_overlap", {}, "exposed-communication");
    const auto rows = rows_by(ours, {"rank"});
    const auto step_rows = rows_by(by_step, {"rank", "step"});
    std::size_t expected_steps = 0;
    for (const NaiveFile* file : brute.files()) {
      ByDevice communicating;
      ByDevice computing;
      std::map<std::int64_t, std::int64_t> launches;
      for (const NaiveSlice& slice : file->slices)
        if (slice.call() && slice.correlation > 0) launches.emplace(slice.correlation, slice.begin);
      std::map<std::string, ByDevice> communicating_in;
      const std::vector<NaiveSlice> named = steps_of(*file);
      bool ran = false;
      for (const NaiveSlice& slice : file->slices) {
        if (!slice.run()) continue;
        ran = true;
        const Span span{slice.begin, slice.end()};
        const auto launch = launches.find(slice.correlation);
        const std::string step =
            step_of(named, launch == launches.end() ? std::nullopt : std::optional(launch->second));
        if (step != "outside steps") communicating_in[step];
        if (brute_type(slice) == "COMPUTATION") computing[slice.pid].push_back(span);
        if (brute_type(slice) != "COMMUNICATION") continue;
        communicating[slice.pid].push_back(span);
        communicating_in[step][slice.pid].push_back(span);
      }
      const std::string rank = std::to_string(rank_of(*file, *profile));
      INFO("rank " << rank);
      CHECK(rows.contains(rank) == ran);
      if (!rows.contains(rank)) continue;
      const std::size_t row = rows.at(rank);
      const std::int64_t all = covered(communicating);
      const std::int64_t exposed = uncovered(communicating, computing);
      CHECK(ours.number(row, "communication_time(us)") == Approx(in_us(all)));
      CHECK(ours.number(row, "exposed_time(us)") == Approx(in_us(exposed)));
      CHECK(ours.number(row, "hidden_time(us)") == Approx(in_us(all - exposed)));
      if (all > 0)
        CHECK(ours.number(row, "comp_comm_overlap_pctg") ==
              Approx(100 * static_cast<double>(all - exposed) / static_cast<double>(all)));
      else
        CHECK(ours.text(row, "comp_comm_overlap_pctg").empty());
      ranks += all > 0;
      for (const auto& [step, spans] : communicating_in) {
        INFO(step);
        ++expected_steps;
        const auto found = step_rows.find(rank + " | " + step);
        CHECK(found != step_rows.end());
        if (found == step_rows.end()) continue;
        CHECK(by_step.number(found->second, "communication_time(us)") == Approx(in_us(covered(spans))));
        CHECK(by_step.number(found->second, "exposed_time(us)") == Approx(in_us(uncovered(spans, computing))));
      }
    }
    CHECK(by_step.rows() == expected_steps);
    steps += expected_steps;
  }
  CHECK((oracle_sets().empty() || (ranks > 8 && steps > 16)));
}
