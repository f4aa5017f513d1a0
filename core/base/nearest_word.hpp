#pragma once
// Finds the word that someone who mistyped may have meant.
#include <cstddef>
#include <string_view>

namespace warpscope {

/// Remembers the candidate with the least Levenshtein distance to a word, ignoring case. At most 2 letters may differ,
/// and one of the word's must stay.
class NearestWord {
 public:
  explicit NearestWord(std::string_view mistyped) : mistyped_(mistyped) {}
  /// Candidates must outlive this object. The first of several equally near ones wins.
  void consider(std::string_view candidate);
  /// Returns the nearest candidate; "" if none is near.
  [[nodiscard]] std::string_view word() const { return nearest_; }

 private:
  std::string_view mistyped_;
  std::string_view nearest_;
  std::size_t least_ = 3;
};

}  // namespace warpscope
