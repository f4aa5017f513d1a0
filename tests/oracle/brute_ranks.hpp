#pragma once
// Shared by the oracle's brute-force tests: the rank of a file as in our tables, and table rows by key.
#include <map>
#include <string>
#include <vector>

#include "tests/oracle/oracle.hpp"

namespace warpscope::tests {

/// Returns the rank of a file. A single file may not record its rank; it then has the profile's only rank.
inline std::int64_t rank_of(const NaiveFile& file, const trace::Profile& profile) {
  return profile.ranks.size() == 1 ? profile.ranks.front()->number : file.rank;
}

/// Row index by key; keys must be unique.
inline std::map<std::string, std::size_t> rows_by(const CsvFrame& frame, const std::vector<std::string>& keys) {
  std::map<std::string, std::size_t> rows;
  for (std::size_t row = 0; row < frame.rows(); ++row) {
    INFO("twice: " << frame.key(row, keys));
    CHECK(rows.emplace(frame.key(row, keys), row).second);
  }
  return rows;
}

/// Returns the rows of a frame for which `keep` is true.
template <class Keep>
CsvFrame select(const CsvFrame& frame, Keep keep) {
  const auto quoted = [](const std::string& cell) {
    std::string text = "\"";
    for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
    return text + "\",";
  };
  std::string csv;
  for (const auto& [column, place] : frame.columns()) csv += quoted(column);
  csv += "\n";
  for (std::size_t row = 0; row < frame.rows(); ++row) {
    if (!keep(row)) continue;
    for (const auto& [column, place] : frame.columns()) csv += quoted(frame.text(row, column));
    csv += "\n";
  }
  return CsvFrame(csv);
}

inline double in_us(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

/// HTA's type of a GPU activity, as in our default output.
inline std::string brute_type(const NaiveSlice& slice) {
  if (!is_kernel(slice) || (slice.job() && slice.name.starts_with("dma"))) return "MEMORY";
  return trace::is_communication_name(slice.name) ? "COMMUNICATION" : "COMPUTATION";
}

inline std::vector<Span> joined(std::vector<Span> a, const std::vector<Span>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Returns GPU activities by launching call, sorted by start. If calls share an id, the launch is the last one that
/// started before the activity; a single call may have started later.
inline std::map<const NaiveSlice*, std::vector<const NaiveSlice*>> brute_launches(const NaiveFile& file) {
  std::map<std::int64_t, std::vector<const NaiveSlice*>> calls;
  for (const NaiveSlice& slice : file.slices)
    if (slice.call() && slice.correlation >= 0) calls[slice.correlation].push_back(&slice);
  const auto by_begin = [](const NaiveSlice* a, const NaiveSlice* b) { return a->begin < b->begin; };
  for (auto& [id, same] : calls) std::stable_sort(same.begin(), same.end(), by_begin);
  std::map<const NaiveSlice*, std::vector<const NaiveSlice*>> launches;
  for (const NaiveSlice& run : file.slices) {
    const auto found = calls.find(run.correlation);
    if (!run.run() || found == calls.end()) continue;
    const NaiveSlice* call = found->second.front();
    for (const NaiveSlice* later : found->second)
      if (later->begin <= run.begin) call = later;
    launches[call].push_back(&run);
  }
  for (auto& [call, runs] : launches) std::stable_sort(runs.begin(), runs.end(), by_begin);
  return launches;
}

}  // namespace warpscope::tests
