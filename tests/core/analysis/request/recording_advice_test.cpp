// Advice to use options of PyTorch's profiler appears only for its traces.
#include <string>

#include "core/analysis/request/runs.hpp"
#include "core/rules/registry.hpp"
#include "tests/catch.hpp"
#include "tests/load_profile.hpp"
#include "tests/small_job.hpp"

namespace warpscope::analysis {

namespace {

using namespace warpscope::tests;

/// Returns the notes of all analyses and the reasons of all rules.
std::string notes_of(const trace::Profile& profile) {
  std::string notes;
  for (const Analysis& analysis : analyses())
    if (const auto tables = run_analysis(analysis, profile, {}, {}); tables.ok())
      for (const Table& table : *tables) notes += table.note + "\n";
  if (const auto evaluation = rules::evaluate({.profile = profile, .scope = {}, .values = {}}); evaluation.ok())
    for (const rules::Evaluated& each : evaluation->rules) notes += each.outcome.why + "\n";
  return notes;
}

TEST_CASE("notes suggest options of PyTorch's profiler only for its traces") {
  for (const tracegen::Writer writer : {tracegen::Writer::kineto, tracegen::Writer::jax, tracegen::Writer::generic}) {
    tracegen::Options options = small_job();
    options.writer = writer;
    const TestFolder folder;
    (void)tracegen::generate(options, folder.path());
    const auto profile = load_profile(folder.path().string());
    REQUIRE(profile.ok());
    const bool pytorch = writer == tracegen::Writer::kineto;
    CHECK(of_pytorch(**profile, {}) == pytorch);
    const std::string notes = notes_of(**profile);
    CHECK(notes.find("The traces have no input shapes") != std::string::npos);
    for (const char* advice : {"profile(record_shapes=True)", "profile(with_stack=True)"}) {
      INFO(advice);
      CHECK((notes.find(advice) != std::string::npos) == pytorch);
    }
    CHECK((notes.find("Ranks are numbered in file order") != std::string::npos) != pytorch);
  }
}

}  // namespace
}  // namespace warpscope::analysis
