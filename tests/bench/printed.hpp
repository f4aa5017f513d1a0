#pragma once
// Measurements printed by a child process: the members of one JSON object, as printed by warpscope info.
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace warpscope::bench {

class Printed {
 public:
  explicit Printed(const std::string& text);
  /// False if the text is not a JSON object.
  [[nodiscard]] bool good() const { return good_; }
  /// NaN if there is no such number.
  [[nodiscard]] double number(std::string_view key) const;
  /// "" if there is no such string.
  [[nodiscard]] std::string text(std::string_view key) const;

 private:
  std::map<std::string, double, std::less<>> numbers_;
  std::map<std::string, std::string, std::less<>> texts_;
  bool good_ = false;
};

/// {"error": "what"}, for a child that fails to measure.
[[nodiscard]] std::string printed_error(std::string_view what);

}  // namespace warpscope::bench
