#include "core/base/natural_order.hpp"

#include <cstddef>

#include "core/base/ascii.hpp"

namespace warpscope {

namespace {

std::string_view take_number(std::string_view text, std::size_t& at) {
  const std::size_t from = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  std::string_view digits = text.substr(from, at - from);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < a.size() && k < b.size()) {
    if (is_digit(a[i]) && is_digit(b[k])) {
      const std::string_view left = take_number(a, i);
      const std::string_view right = take_number(b, k);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
      continue;
    }
    if (lower(a[i]) != lower(b[k]))
      return static_cast<unsigned char>(lower(a[i])) < static_cast<unsigned char>(lower(b[k]));
    ++i;
    ++k;
  }
  if (a.size() - i != b.size() - k) return a.size() - i < b.size() - k;
  return a < b;  // "rank01" and "rank1" are equal as numbers, but different names
}

}  // namespace warpscope
