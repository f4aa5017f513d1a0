#pragma once
// Collects the functions of one PythonStats; stores each string and function only once.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include "core/trace/python_stats.hpp"

namespace warpscope::ingest {

class CodeTable {
 public:
  /// Fills the strings and codes of `stats`, which must outlive the table.
  explicit CodeTable(trace::PythonStats& stats) : stats_(stats) {}

  /// Returns the index of a function. Invalid UTF-8 and control characters become U+FFFD; long strings are truncated.
  [[nodiscard]] std::uint32_t code(std::string_view file, std::int64_t line, std::string_view name);

 private:
  [[nodiscard]] std::uint32_t text(std::string_view raw);

  trace::PythonStats& stats_;
  std::unordered_map<std::string, std::uint32_t> texts_;
  std::map<std::tuple<std::uint32_t, std::int64_t, std::uint32_t>, std::uint32_t> codes_;
};

/// Converts seconds to ns; nullopt if not finite or beyond 292 years.
[[nodiscard]] std::optional<Ns> ns_of_seconds(double seconds);

}  // namespace warpscope::ingest
