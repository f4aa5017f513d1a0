#pragma once
// Groups ranks by value. Each row has a name, a value, and the ranks with that value. A job with a thousand ranks
// usually uses a single CUDA version; if it uses two, the table shows which ranks differ.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Formats numbers as ranges: "0–7, 9".
[[nodiscard]] std::string number_ranges(const std::set<std::int64_t>& numbers);

/// Formats ranks as ranges; "all" if the profile has several ranks and `ranks` contains all of them.
[[nodiscard]] std::string ranks_text(const trace::Profile& profile, const std::set<std::int64_t>& ranks);

class RankValues {
 public:
  struct Row {
    std::string name;
    std::string value;
    std::set<std::int64_t> ranks;  ///< rank numbers
  };

  /// Adds a rank's value for a name. Rows are ordered by the first occurrence of their names; the values of a name are
  /// adjacent.
  void add(std::string_view name, std::string_view value, std::int64_t rank);
  [[nodiscard]] std::vector<Row> rows() const;
  [[nodiscard]] bool empty() const { return values_.empty(); }

 private:
  std::map<std::pair<std::size_t, std::string>, std::set<std::int64_t>> values_;
  std::map<std::string, std::size_t, std::less<>> order_;
  std::vector<std::string> names_;
};

/// Converts raw JSON to plain text: unquotes strings and returns anything else unchanged.
[[nodiscard]] std::string plain_text(const std::string& json);

}  // namespace warpscope::analysis
