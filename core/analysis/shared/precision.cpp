#include "core/analysis/shared/precision.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/base/ascii.hpp"

namespace warpscope::analysis {

namespace {

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

bool parts_words(std::string_view text, std::size_t at) {
  return at == 0 || at == text.size() || !is_letter_or_digit(text[at - 1]) || !is_letter_or_digit(text[at]);
}

/// The part of a pattern between two stars.
struct Piece {
  std::string_view text;
  bool word_begins = false;
  bool word_ends = false;

  explicit Piece(std::string_view pattern) : text(pattern) {
    if ((word_begins = text.starts_with('|'))) text.remove_prefix(1);
    if ((word_ends = text.ends_with('|'))) text.remove_suffix(1);
  }
  /// Returns the first position of the text at or after `from`.
  [[nodiscard]] std::size_t find_in(std::string_view name, std::size_t from) const {
    std::size_t at = name.find(text, from);
    while (at != std::string_view::npos &&
           ((word_begins && !parts_words(name, at)) || (word_ends && !parts_words(name, at + text.size()))))
      at = name.find(text, at + 1);
    return at;
  }
};

bool holds(std::string_view pattern, std::string_view name) {
  std::size_t from = 0;
  while (true) {
    const std::size_t star = std::min(pattern.find('*'), pattern.size());
    const Piece piece(pattern.substr(0, star));
    const std::size_t at = piece.find_in(name, from);
    if (at == std::string_view::npos) return false;
    if (star == pattern.size()) return true;
    from = at + piece.text.size();
    pattern.remove_prefix(star + 1);
  }
}

}  // namespace

std::string_view to_string(Precision precision) {
  constexpr std::array<std::string_view, kPrecisions> kNames{"FP64", "FP32", "TF32",  "FP16",  "BF16",   "FP8",
                                                             "FP4",  "INT8", "INT32", "INT64", "unknown"};
  return kNames[static_cast<std::size_t>(precision)];
}

const PrecisionRule* precision_rule(std::string_view kernel) {
  const std::string name = lower(kernel);
  const std::span<const PrecisionRule> rules = precision_rules();
  const auto rule =
      std::find_if(rules.begin(), rules.end(), [&](const PrecisionRule& each) { return holds(each.pattern, name); });
  return rule == rules.end() ? nullptr : &*rule;
}

}  // namespace warpscope::analysis
