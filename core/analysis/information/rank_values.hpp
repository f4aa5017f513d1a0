#pragma once
// Values that most ranks agree on, told once: rows of (name, value) with the ranks that say so. A job of a thousand
// ranks has one CUDA version, and where it has two, that is what one wants to see.
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/trace/profile.hpp"

namespace warpscope::analysis {

/// Numbers as people write them: "0–7, 9".
[[nodiscard]] std::string number_ranges(const std::set<std::int64_t>& numbers);

/// Ranks as they are told in a table: "all", if every rank of the profile is among them and there is more than one.
[[nodiscard]] std::string ranks_text(const trace::Profile& profile, const std::set<std::int64_t>& ranks);

class RankValues {
 public:
  struct Row {
    std::string name;
    std::string value;
    std::set<std::int64_t> ranks;  ///< numbers
  };

  /// Rows stand in the order in which their names first came, values of one name together.
  void add(std::string_view name, std::string_view value, std::int64_t rank);
  [[nodiscard]] std::vector<Row> rows() const;
  [[nodiscard]] bool empty() const { return values_.empty(); }

 private:
  std::map<std::pair<std::size_t, std::string>, std::set<std::int64_t>> values_;
  std::map<std::string, std::size_t, std::less<>> order_;
  std::vector<std::string> names_;
};

/// The raw JSON of a rank's property as plain text: a text without its quotes, anything else as it is.
[[nodiscard]] std::string plain_text(const std::string& json);

}  // namespace warpscope::analysis
