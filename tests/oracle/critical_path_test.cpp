#include <algorithm>
#include <iterator>
#include <set>

#include "core/analysis/critical_path/hta_path.hpp"
#include "core/analysis/critical_path/path_window.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/oracle/brute_critical_path.hpp"
#include "tests/oracle/brute_ranks.hpp"
#include "tests/oracle/trace_entries.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::uint32_t first_rank_of(const OracleSet& set, const trace::Profile& profile) {
  for (std::uint32_t r = 0; r < profile.ranks.size(); ++r)
    if (profile.ranks[r]->number == set.first_rank) return r;
  FAIL("no rank " << set.first_rank);
  return 0;
}

/// HTA tells of edges that take no time too, as bound by nothing.
CsvFrame bounded(const CsvFrame& frame) {
  return select(frame, [&](std::size_t row) { return !frame.text(row, "bound_by").empty(); });
}

Ns path_length(const trace::Profile& profile) {
  return analysis::find_hta_path(profile, 0, profile.ranks[0]->span, {.classes = {.hta = true}}).length;
}

}  // namespace

TEST_CASE("critical_path has HTA's bottlenecks with --hta", "[oracle]") {
  for (const std::string instance : {"FULL.0", "ProfilerStep.0", "ProfilerStep.1"}) {
    INFO(instance);
    const bool full = instance == "FULL.0";
    const std::string file = "critical_path." + instance + ".summary.csv";
    check_sets(file, full ? Differences{} : Differences{{"diff_test", "B12"}}, [&](const OracleSet& set) {
      const auto profile = set.profile();
      std::vector<analysis::Setting> settings = set.as_hta();
      if (!full) settings.insert(settings.end(), {{"annotation", "ProfilerStep"}, {"instance", {instance.back()}}});
      const CsvFrame ours = run_as_csv(*profile, "critical_path", settings, {}, {{first_rank_of(set, *profile)}, {}});
      check_equal(ours, bounded(set.answer(file)),
                  {.keys = {"bound_by"}, .columns = {{"duration", set.exact ? 1e-9 : 3e-4}}});
    });
  }
}

TEST_CASE("critical_path with --hta contains the same calls and GPU activity as HTA's", "[oracle]") {
  for (const std::string instance : {"FULL.0", "ProfilerStep.0", "ProfilerStep.1"}) {
    const std::string file = "critical_path." + instance + ".events.csv";
    const bool full = instance == "FULL.0";
    Differences differ;
    if (!full) differ.emplace("diff_test", "B12");
    if (instance == "ProfilerStep.0") differ.emplace("triton", "B9");
    check_sets(file, differ, [&](const OracleSet& set) {
      const auto profile = set.profile();
      const std::uint32_t r = first_rank_of(set, *profile);
      const trace::Rank& rank = *profile->ranks[r];
      std::map<std::uint64_t, std::int64_t> places;
      for (const TraceEntry& entry : entries_of(rank.source.path))
        places.emplace(entry.offset, static_cast<std::int64_t>(places.size()));
      const analysis::PathWindow window = analysis::path_window(*profile, r, full ? "" : "ProfilerStep",
                                                                static_cast<std::uint64_t>(instance.back() - '0'), {});
      const analysis::CriticalPath path =
          analysis::find_hta_path(*profile, r, window.time, {.classes = {.hta = true, .rounding = set.rounded}});
      std::set<std::int64_t> ours;
      for (const analysis::CriticalLink& link : path.links) {
        for (const trace::SliceOrdinal slice : {link.from, link.to}) {
          const trace::SlicePlace place = rank.locate(slice);
          ours.insert(places.at(rank.lanes[place.lane].event(place.index)));
        }
      }
      const CsvFrame answer = set.answer(file);
      std::set<std::int64_t> theirs;
      for (std::size_t row = 0; row < answer.rows(); ++row)
        theirs.insert(static_cast<std::int64_t>(answer.number(row, "event_idx")));
      std::vector<std::int64_t> other;
      std::ranges::set_symmetric_difference(ours, theirs, std::back_inserter(other));
      INFO(instance << ": " << ours.size() << " ours, " << theirs.size() << " theirs");
      CHECK(other.empty());
    });
  }
}

TEST_CASE("the length of critical_path with --hta agrees with the traces' text", "[oracle]") {
  const std::vector<const char*> sets{"critical_path_alexnet",
                                      "critical_path_cuda_event_sync",
                                      "critical_path_cuda_event_sync_multi_stream",
                                      "critical_path_simple_add",
                                      "dlrm8",
                                      "triton",
                                      "diff_test"};
  for (const char* const name : sets) {
    const OracleSet* set = oracle_set(name);
    if (set == nullptr) return;
    const auto profile = set->profile();
    const trace::Rank& rank = *profile->ranks[0];
    const std::vector<BrutePathEvent> events = brute_path_events(plain_text_of(rank.source.path));
    INFO(name);
    CHECK(path_length(*profile) == BruteCriticalPath(events).length());
  }
}

TEST_CASE("the length of critical_path of a generated job agrees with its text") {
  const TestFolder folder;
  tracegen::Options options = small_job(1);
  options.steps = 1;  // of several it leaves out the last
  (void)tracegen::generate(options, folder.path());
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 1);
  const Ns length = path_length(*profile);
  CHECK(length > 0);
  const std::string text = plain_text_of(profile->ranks[0]->source.path);
  CHECK(length == BruteCriticalPath(brute_path_events(text)).length());
}
