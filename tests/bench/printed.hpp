#pragma once
// The figures that a measuring child prints: the members of one JSON object, as warpscope info prints them too.
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace warpscope::bench {

class Printed {
 public:
  explicit Printed(const std::string& text);
  /// False if the text is no JSON object.
  [[nodiscard]] bool good() const { return good_; }
  /// NaN where there is no number of that name.
  [[nodiscard]] double number(std::string_view key) const;
  /// "" where there is no text of that name.
  [[nodiscard]] std::string text(std::string_view key) const;

 private:
  std::map<std::string, double, std::less<>> numbers_;
  std::map<std::string, std::string, std::less<>> texts_;
  bool good_ = false;
};

/// {"error": "what"}, for a child that cannot measure.
[[nodiscard]] std::string printed_error(std::string_view what);

}  // namespace warpscope::bench
