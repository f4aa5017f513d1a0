// Launches in the evaluated time.
#include "core/analysis/causes/time_account.hpp"

#include "core/rules/facts.hpp"
#include "tests/core/analysis/tiny_events.hpp"
#include "tests/core/ingest/trace_files.hpp"

using namespace warpscope;
using namespace warpscope::tests;

TEST_CASE("GPU activity launched in the evaluated steps is part of them, even if it starts later") {
  const double start = GENERATE(3'900.0, 4'000.0, 4'300.0);
  TinyEvents events;
  // The first and last of four steps are excluded.
  for (int s = 0; s < 4; ++s) events.step(s + 1, 1'000 + s * 1'000, 1'000);
  for (const double begin : {1'500.0, 2'500.0, 3'500.0, 4'500.0})
    events.launch(begin - 100, static_cast<int>(begin)).run({.begin = begin, .correlation = static_cast<int>(begin)});
  events.launch(3'800, 1).run({.begin = start, .correlation = 1});
  const auto profile = load_events(events.text());
  rules::Facts facts({*profile, {}, {}});
  REQUIRE(facts.gpus().size() == 1);
  REQUIRE(facts.gpus()[0].steps == 2);
  CHECK(facts.account(0).launches == 3);
  CHECK(facts.gpus()[0].parts.back().end ==
        profile->ranks[0]->steps[0].time.begin + static_cast<Ns>(start - 999) * 1'000);
}
