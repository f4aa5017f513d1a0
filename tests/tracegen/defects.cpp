#include "tests/tracegen/defects.hpp"

#include <array>
#include <charconv>

namespace warpscope::tracegen {
namespace {

constexpr std::array<DefectInfo, 27> kDefects{{
    {Defect::truncated, "truncated", "the text ends in the middle of a device event, half-way through the steps"},
    {Defect::truncated_stream, "truncated-stream",
     "the last third of the file's bytes is missing; counts are then unknown"},
    {Defect::bare_quote, "bare-quote", "one operator a step has unescaped quotes in its name"},
    {Defect::backslash, "backslash", "one operator a step has a Windows path with bare backslashes as its name"},
    {Defect::control_char, "control-char", "one operator a step has raw control characters in its name"},
    {Defect::bad_utf8, "bad-utf8", "one operator a step has bytes in its name that are not UTF-8"},
    {Defect::inf_nan, "inf-nan", "kernels have bare inf and nan as blocks and warps per SM"},
    {Defect::trailing_comma, "trailing-comma", "there is a comma before the closing bracket of the events"},
    {Defect::no_closing_bracket, "no-closing-bracket",
     "a bare array of events that is never closed; times are absolute"},
    {Defect::top_level_array, "top-level-array", "a bare array of events without metadata; times are absolute"},
    {Defect::string_numbers, "string-numbers", "ts, dur, pid and tid are strings"},
    {Defect::negative_duration, "negative-duration", "one kernel a step has a negative duration"},
    {Defect::absurd_duration, "absurd-duration", "one kernel a step lasts for months or centuries"},
    {Defect::zero_begin, "zero-begin", "one kernel a step has ts 0"},
    {Defect::overlap, "overlap", "kernels of one stream overlap without nesting, as dependent launches (PDL) do"},
    {Defect::duplicate_correlation, "duplicate-correlation", "correlation ids restart with each step"},
    {Defect::missing_launch, "missing-launch", "every tenth launch is missing; its kernel is there"},
    {Defect::graph_launch, "graph-launch", "the optimizer runs as a CUDA graph: one launch, many kernels"},
    {Defect::missing_rank, "missing-rank", "the rank has no file"},
    {Defect::duplicate_rank, "duplicate-rank", "the file claims the number of the next rank"},
    {Defect::empty_file, "empty-file", "there is an empty file next to the rank's"},
    {Defect::foreign_file, "foreign-file", "there are files other than traces next to the rank's"},
    {Defect::base_after_events, "base-after-events", "metadata and baseTimeNanoseconds follow the events"},
    {Defect::clock_apart, "clock-apart", "the rank's clock is 2.5 ms ahead"},
    {Defect::begin_end, "begin-end", "annotations are pairs of B and E"},
    {Defect::async, "async", "each collective has asynchronous b, n and e events too"},
    {Defect::counters, "counters", "counter events (C): queue length and SM activity"},
}};
static_assert(kDefects.size() == static_cast<std::size_t>(Defect::counters) + 1);

}  // namespace

std::span<const DefectInfo> all_defects() { return kDefects; }

std::optional<Defect> find_defect(std::string_view name) {
  for (const DefectInfo& info : kDefects) {
    if (info.name == name) return info.defect;
  }
  return std::nullopt;
}

std::optional<DefectAt> parse_defect(std::string_view text) {
  const std::size_t at = text.find('@');
  const std::optional<Defect> defect = find_defect(text.substr(0, at));
  if (!defect) return std::nullopt;
  DefectAt result{*defect};
  if (at == std::string_view::npos) return result;
  const std::string_view where = text.substr(at + 1);
  if (where == "all") {
    result.rank = DefectAt::kEveryRank;
    return result;
  }
  const auto [end, error] = std::from_chars(where.data(), where.data() + where.size(), result.rank);
  if (error != std::errc{} || end != where.data() + where.size() || result.rank < 0) return std::nullopt;
  return result;
}

DefectSet defects_of(std::span<const DefectAt> defects, int rank, int world) {
  DefectSet set;
  for (const DefectAt& entry : defects) {
    const int struck = entry.rank == DefectAt::kLastRank ? world - 1 : entry.rank;
    if (struck == rank || entry.rank == DefectAt::kEveryRank) set.add(entry.defect);
  }
  return set;
}

}  // namespace warpscope::tracegen
