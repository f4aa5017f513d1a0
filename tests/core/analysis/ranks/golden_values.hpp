#pragma once
// Golden values of comparisons across ranks: CSV files in the folder `oracle/ranks` of the shared data, and the trace
// sets that they describe. The README there has the definitions and tolerances.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "core/base/parse_number.hpp"
#include "tests/core/analysis/table_cells.hpp"
#include "tests/core/analysis/table_rows.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"

namespace warpscope::tests {

/// Rows by column name.
using GoldenRows = std::vector<std::map<std::string, std::string>>;

inline std::vector<std::string> golden_fields(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return fields;
}

/// Rows of a golden file. Without the shared data, warns and returns no rows.
inline GoldenRows golden_rows(const std::string& file) {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("skipped: there is no folder of shared data");
    return {};
  }
  std::ifstream in(*shared / "oracle" / "ranks" / file);
  REQUIRE(in);
  GoldenRows rows;
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> names = golden_fields(line);
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = golden_fields(line);
    std::map<std::string, std::string>& row = rows.emplace_back();
    for (std::size_t i = 0; i < fields.size() && i < names.size(); ++i) row[names[i]] = fields[i];
  }
  return rows;
}

inline std::int64_t whole(const std::map<std::string, std::string>& row, const std::string& column) {
  const auto found = row.find(column);
  INFO("column " << column);
  REQUIRE(found != row.end());
  return parse_number<std::int64_t>(found->second).value_or(-1);
}

/// The job that most golden values describe, with or without its faults.
inline tracegen::Options golden_job(bool straggler = true, bool stall = true) {
  tracegen::Options options = *tracegen::preset("demo");
  options.format = tracegen::Format::json;
  options.stragglers.clear();
  options.stalls.clear();
  options.layout = tracegen::Layout::minified;
  if (straggler) options.stragglers = {{5, 130}};
  if (stall) options.stalls = {{2, 3, 24'000'000}};
  return options;
}

/// A set whose files are kept, because analyses read arguments from them.
class GeneratedSet {
 public:
  explicit GeneratedSet(const tracegen::Options& options) {
    const auto set = tracegen::generate_in_memory(options);
    write_set(folder_, set);
    profile_ = load(folder_.path());
  }
  [[nodiscard]] const trace::Profile& profile() const { return *profile_; }

 private:
  TestFolder folder_;
  std::shared_ptr<const trace::Profile> profile_;
};

/// Start of the first GPU activity on any rank, since the start of the profile. Golden times are relative to it.
inline Ns golden_zero(const trace::Profile& profile) {
  Ns first = std::numeric_limits<Ns>::max();
  for (const auto& rank : profile.ranks)
    for (const trace::Device& device : rank->devices)
      if (device.busy.get().size() > 0) first = std::min(first, device.busy.get().time().begin(0));
  return first - profile.span.begin;
}

inline std::optional<std::filesystem::path> real_traces(const std::string& name) {
  const auto shared = shared_dir();
  return shared ? std::optional(*shared / "traces" / name) : std::nullopt;
}

}  // namespace warpscope::tests
