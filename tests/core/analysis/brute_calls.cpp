#include "tests/core/analysis/brute_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tests/catch.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/find_column.hpp"

namespace warpscope::tests {

namespace {

// Returns the parent of a call. This is the last call on the same thread that starts no later, is still open, and ends
// no earlier, within the clock's resolution. The parent of a zero-length call is one that starts there, otherwise one
// that ends there.
const NaiveSlice* parent_among(const std::vector<const NaiveSlice*>& earlier, const NaiveSlice& call) {
  constexpr std::int64_t kClockStep = 1000;
  const auto around = std::find_if(earlier.rbegin(), earlier.rend(), [&](const NaiveSlice* other) {
    return other->end() > call.begin && other->end() + kClockStep >= call.end();
  });
  const NaiveSlice* parent = around == earlier.rend() ? nullptr : *around;
  if (call.duration > 0 || (parent != nullptr && parent->begin == call.begin)) return parent;
  const auto ending = std::find_if(earlier.rbegin(), around, [&](const NaiveSlice* other) {
    return other->end() == call.begin && !other->call() && other->category != "overhead";
  });
  return ending == around ? parent : *ending;
}

// Formats a call, for messages about differences.
std::string told(std::int64_t rank, std::int64_t begin, std::string_view name, std::int64_t duration,
                 std::int64_t parent_begin, std::int64_t kernels, std::int64_t time) {
  return fmt::format("{} {} {} {} in {}: {} kernels {}", rank, begin, name, duration, parent_begin, kernels, time);
}

}  // namespace

BruteCalls::BruteCalls(const NaiveFile& file) {
  std::set<std::pair<std::int64_t, std::int64_t>> stepping;
  std::set<std::pair<std::int64_t, std::int64_t>> backward;
  const auto thread = [](const NaiveSlice* call) { return std::pair(call->pid, call->tid); };
  for (const NaiveSlice& slice : file.slices)
    if (!slice.run() && !is_shadow(slice) && !is_wait(slice) && slice.category != "Trace") calls.push_back(&slice);
  std::stable_sort(calls.begin(), calls.end(), [](const NaiveSlice* a, const NaiveSlice* b) {
    return std::pair(a->begin, -a->duration) < std::pair(b->begin, -b->duration);
  });
  for (const NaiveSlice* call : calls) {
    if (call->name.starts_with("ProfilerStep#")) stepping.insert(thread(call));
    if (call->name.find("autograd::") != std::string::npos) backward.insert(thread(call));
  }
  std::vector<const NaiveSlice*> annotations;
  for (const NaiveSlice* call : calls)
    if (stepping.contains(thread(call)) && is_annotation(*call)) annotations.push_back(call);
  std::map<std::pair<std::int64_t, std::int64_t>, std::vector<const NaiveSlice*>> before;
  for (const NaiveSlice* call : calls) {
    std::vector<const NaiveSlice*>& earlier = before[thread(call)];
    const NaiveSlice* parent = parent_among(earlier, *call);
    earlier.push_back(call);
    if (parent == nullptr && backward.contains(thread(call)) && !stepping.contains(thread(call)))
      for (const NaiveSlice* other : annotations)
        if (other->begin <= call->begin && other->end() >= call->end()) parent = other;
    parents.push_back(parent);
  }
  std::map<const NaiveSlice*, std::size_t> place;
  for (std::size_t i = 0; i < calls.size(); ++i) place[calls[i]] = i;
  std::map<std::int64_t, const NaiveSlice*> launches;
  for (const NaiveSlice* call : calls)
    if (call->call() && call->correlation > 0) launches.emplace(call->correlation, call);
  kernels.resize(calls.size());
  time.resize(calls.size());
  for (const NaiveSlice& run : file.slices) {
    const auto launch = launches.find(run.correlation);
    if (!run.run() || launch == launches.end()) continue;
    for (const NaiveSlice* at = launch->second; at != nullptr; at = parents[place[at]]) {
      ++kernels[place[at]];
      time[place[at]] += run.duration;
    }
  }
}

std::int64_t check_calls(const trace::Profile& profile, const Brute& brute) {
  const Table table = std::move(tables_of(profile, "call_graph", {{"rows", "0"}})[0]);
  const auto integer = [&](std::size_t row, std::string_view column) {
    return table.at(row, find_column(table, column).value()).integer();
  };
  std::map<std::pair<std::int64_t, std::int64_t>, std::size_t> rows;
  for (std::size_t row = 0; row < table.rows(); ++row) rows[{integer(row, "rank"), integer(row, "call")}] = row;
  std::multiset<std::string> ours;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const Cell parent = table.at(row, find_column(table, "parent").value());
    const std::int64_t of = parent.missing() ? -1 : integer(rows.at({integer(row, "rank"), parent.integer()}), "begin");
    ours.insert(told(integer(row, "rank"), integer(row, "begin"),
                     table.at(row, find_column(table, "name").value()).text(), integer(row, "duration"), of,
                     integer(row, "kernels"), integer(row, "kernel time")));
  }
  std::multiset<std::string> expected;
  std::int64_t most = 0;
  for (const NaiveFile* file : brute.files()) {
    const BruteCalls found(*file);
    for (std::size_t i = 0; i < found.calls.size(); ++i) {
      const NaiveSlice& call = *found.calls[i];
      const NaiveSlice* parent = found.parents[i];
      expected.insert(told((profile.ranks.size() == 1 ? profile.ranks.front()->number : file->rank),
                           call.begin - profile.span.begin, call.name, call.duration,
                           parent == nullptr ? -1 : parent->begin - profile.span.begin, found.kernels[i],
                           found.time[i]));
      most = std::max(most, found.kernels[i]);
    }
  }
  CHECK(ours.size() == expected.size());
  std::vector<std::string> wrong;
  std::ranges::set_symmetric_difference(ours, expected, std::back_inserter(wrong));
  wrong.resize(std::min<std::size_t>(wrong.size(), 6));
  INFO(fmt::format("{}", fmt::join(wrong, "\n")));
  CHECK(wrong.empty());
  return most;
}

}  // namespace warpscope::tests
