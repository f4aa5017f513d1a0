#pragma once
// Interned name sequences, such as the kernels that an operator launched. Each is stored once and has a number, so
// sequence statistics are arrays indexed by number.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/analysis/request/parameters.hpp"
#include "core/trace/string_table.hpp"

namespace warpscope::analysis {

class NameSequences {
 public:
  /// Returns the number of a sequence: 0, 1, … in order of first occurrence. O(length).
  std::uint32_t intern(std::span<const NameId> names);
  [[nodiscard]] std::span<const NameId> view(std::uint32_t sequence) const {
    return std::span(names_).subspan(starts_[sequence], starts_[sequence + 1] - starts_[sequence]);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(next_.size()); }

 private:
  static constexpr std::uint32_t kEnd = 0xFFFFFFFFu;

  std::vector<NameId> names_;
  std::vector<std::size_t> starts_{0};
  std::vector<std::uint32_t> next_;  // previous sequence with the same hash
  std::unordered_map<std::uint64_t, std::uint32_t> last_of_hash_;
};

/// Limits the number of names written per sequence, because all of a step's names would take more space than its trace.
inline constexpr Parameter kNamesParameter =
    integer_parameter("names", "number of kernels listed by name for each sequence, 0 for all", "100");

/// Joins the first `most` names (0: all) with `separator` and appends the number of remaining names.
[[nodiscard]] std::string text_of(const StringTable& names, std::span<const NameId> sequence,
                                  std::string_view separator, std::size_t most);

}  // namespace warpscope::analysis
