// Causes found in generated jobs with known faults: single faults and pairs, with clock differences and jitter, with
// and without sequence numbers. A few cases always run; with WARPSCOPE_ACCURACY=1, all cases run and are printed as a
// table, which takes 15 seconds.
#include <fmt/format.h>

#include <cstdlib>
#include <set>

#include "tests/core/analysis/ranks/golden_values.hpp"

using namespace warpscope;
using namespace warpscope::tests;
using tracegen::Fault;
using tracegen::FaultKind;

namespace {

struct AccuracyCase {
  std::string shape;
  tracegen::Options options;
};

/// Expected report of a fault: its class, and part of its name or sentence.
struct Expected {
  std::string cause;
  std::string name;      // "" if any
  std::string sentence;  // "" if any
};

Expected expected_of(const Fault& fault) {
  const std::string cause(tracegen::all_faults()[static_cast<std::size_t>(fault.kind)].cause);
  switch (fault.kind) {
    case FaultKind::slow_kernels:
      return {cause, "", "all kernels ×"};
    case FaultKind::slow_kernel:
      return {cause, fault.name, ""};
    case FaultKind::data_loader:
      return {cause, "DataLoader", ""};
    case FaultKind::gc_pause:
      return {cause, "gc.collect", ""};
    case FaultKind::slow_copies:
      return {cause, "Mem", ""};
    default:
      return {cause, "", ""};
  }
}

std::string fault_text(const Fault& fault) {
  return fmt::format("{}@{}={}{}{}", tracegen::all_faults()[static_cast<std::size_t>(fault.kind)].name, fault.rank,
                     fault.value, fault.name.empty() ? "" : " " + fault.name,
                     fault.step == Fault::kEveryStep ? "" : fmt::format(" step {}", fault.step));
}

struct Shape {
  int nodes = 1;
  int gpus = 1;
  int tensor = 1;
  int pipeline = 1;
};

/// The kinds of faults, large enough to matter in a job of four steps.
std::vector<Fault> kinds_of_faults(int rank, int step) {
  return {{FaultKind::slow_kernels, rank, 1.5, Fault::kEveryStep, ""},
          {FaultKind::slow_kernel, rank, 5, Fault::kEveryStep, "flash"},
          {FaultKind::data_loader, rank, 14, step, ""},
          {FaultKind::gc_pause, rank, 14, step, ""},
          {FaultKind::slow_copies, rank, 6, Fault::kEveryStep, ""},
          {FaultKind::slow_host, rank, 8, step, ""}};
}

std::vector<AccuracyCase> accuracy_cases() {
  constexpr std::array<Shape, 6> kShapes{
      {{2, 4, 1, 1}, {2, 4, 2, 2}, {1, 8, 1, 1}, {2, 8, 2, 2}, {4, 4, 1, 4}, {4, 8, 2, 1}}};
  std::vector<AccuracyCase> cases;
  for (std::uint64_t number = 0; number < 60; ++number) {
    const Shape shape = kShapes[number % kShapes.size()];
    tracegen::Options options = *tracegen::preset("small");
    options.layout = tracegen::Layout::minified;
    options.nodes = shape.nodes;
    options.gpus = shape.gpus;
    options.tensor = shape.tensor;
    options.pipeline = shape.pipeline;
    options.steps = 4;
    options.layers = options.parallel() ? 1 : 4;
    options.microbatches = 3;
    options.seed = 100 + number;
    options.jitter_ns = 30'000;
    for (int node = 0; node < shape.nodes; ++node)
      options.clocks.push_back(
          {node, (static_cast<std::int64_t>(number * 7 + static_cast<std::uint64_t>(node) * 5) % 13 - 6) * 500'000, 0});
    options.sequence_numbers = number % 2 == 0;
    const int world = options.world();
    const int rank = static_cast<int>(number * 11 % static_cast<std::uint64_t>(world));
    const auto faults = kinds_of_faults(rank, 1 + static_cast<int>(number % 2));
    const std::size_t kind = (number / 6 + number) % faults.size();
    options.faults.push_back(faults[kind]);
    if (number >= 30) {
      // If both faults affected all steps, the smaller one would cause no delay, so the second fault is an event in
      // another step.
      constexpr std::array<std::size_t, 3> kEvents{2, 3, 5};
      const int other = (rank + 1 + static_cast<int>(number % static_cast<std::uint64_t>(world - 1))) % world;
      const auto more = kinds_of_faults(other, 2 - static_cast<int>(number % 2));
      options.faults.push_back(more[kEvents[(number + number / 6) % kEvents.size()]]);
    }
    cases.push_back({fmt::format("{}×{}{}", shape.nodes, shape.gpus,
                                 options.parallel() ? fmt::format(" TP{} PP{}", shape.tensor, shape.pipeline) : ""),
                     std::move(options)});
  }
  return cases;
}

bool wants_all() { return std::getenv("WARPSCOPE_ACCURACY") != nullptr; }

struct Verdict {
  bool right = true;
  std::string found;
};

/// Each fault must be reported with its rank, class and name, and no other rank may be listed before it.
Verdict verdict_of(const AccuracyCase& one) {
  const GeneratedSet set(one.options);
  const Table causes = tables_of(set.profile(), "late_causes").front();
  Verdict verdict;
  std::set<std::int64_t> faulty;
  for (const Fault& fault : one.options.faults) faulty.insert(fault.rank);
  std::size_t found = 0;
  for (std::size_t row = 0; row < causes.rows() && found < one.options.faults.size(); ++row) {
    if (!faulty.contains(integer(causes, row, "rank"))) break;
    found += static_cast<std::size_t>(std::ranges::count_if(one.options.faults, [&](const Fault& fault) {
      const Expected expected = expected_of(fault);
      return integer(causes, row, "rank") == fault.rank && text(causes, row, "cause") == expected.cause &&
             text(causes, row, "stands out") == "yes" &&
             text(causes, row, "name").find(expected.name) != std::string::npos &&
             text(causes, row, "sentence").find(expected.sentence) != std::string::npos;
    }));
  }
  verdict.right = found == one.options.faults.size();
  for (std::size_t row = 0; row < std::min(causes.rows(), one.options.faults.size() + 1); ++row)
    verdict.found +=
        fmt::format("{}{} ({:.0f} %{})", row == 0 ? "" : "; ", text(causes, row, "sentence"),
                    100 * figure(causes, row, "share"), text(causes, row, "stands out") == "yes" ? "" : ", not named");
  return verdict;
}

}  // namespace

TEST_CASE("faults of generated jobs are found, with rank, class and name") {
  const auto cases = accuracy_cases();
  for (const std::size_t number : {0U, 7U, 14U, 21U, 34U, 41U}) {
    const Verdict verdict = verdict_of(cases[number]);
    INFO(number << ": " << cases[number].shape << ": " << verdict.found);
    CHECK(verdict.right);
  }
}

TEST_CASE("faults of sixty generated jobs", "[accuracy]") {
  if (!wants_all()) return;
  std::size_t right = 0;
  std::size_t number = 0;
  for (const AccuracyCase& one : accuracy_cases()) {
    const Verdict verdict = verdict_of(one);
    right += verdict.right;
    std::string faults;
    for (const Fault& fault : one.options.faults) faults += (faults.empty() ? "" : " + ") + fault_text(fault);
    fmt::print("{:2} {:12} {:3} {:60} {} {}\n", number++, one.shape, one.options.sequence_numbers ? "seq" : "", faults,
               verdict.right ? "ok   " : "WRONG", verdict.found);
  }
  fmt::print("{} of 60 right\n", right);
  CHECK(right >= 57);
}

TEST_CASE("healthy jobs with different clocks and jitter have no late rank", "[accuracy]") {
  for (const std::size_t number : {0U, 1U, 3U, 4U, 5U}) {
    if (number > 0 && !wants_all()) return;
    AccuracyCase one = accuracy_cases()[number];
    one.options.faults.clear();
    one.options.steps = 8;
    const GeneratedSet set(one.options);
    const auto tables = tables_of(set.profile(), "late_causes");
    INFO(one.shape << ": " << tables.front().note);
    for (std::size_t row = 0; row < tables.front().rows(); ++row)
      CHECK(text(tables.front(), row, "stands out") == "no");
  }
}
