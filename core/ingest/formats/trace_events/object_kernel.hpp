// Skips the arguments of an event. Part of skeleton_kernel.hpp, which documents where this file is included and which
// definitions must precede it.
//
// Idea: process 64 bytes at a time. Prefix-xor over the quotes gives the bytes inside strings; popcount counts the
// brackets outside. Brackets are visited one by one only in the block where the depth may reach zero. O(bytes / 64).
// After G. Langdale and D. Lemire, "Parsing Gigabytes of JSON per Second", VLDB Journal 28 (2019).
//
// Numbers with a sign, point or exponent are checked one by one, and no blank may separate a number or string from
// other than punctuation. The remaining order of the tokens is unchecked: text may be missing between two of them. So
// arguments with a suspicious byte, and those with a number of strings and brackets that the skeleton has not seen yet,
// go to scan_nested, which checks everything. Events of one kind have few such numbers. The start of one event and the
// end of another, read as one, are valid JSON or nearly always have different numbers.

/// Masks for a block of 64 bytes.
struct Classes {
  std::uint64_t quotes;
  std::uint64_t opening;     ///< '{' and '['
  std::uint64_t closing;     ///< '}' and ']'
  std::uint64_t odd_inside;  ///< suspicious inside strings: control characters, backslashes, non-ASCII bytes
  /// Suspicious outside: all but brackets, quotes, white space, digits, commas and colons; also blanks after digits and
  /// quotes.
  std::uint64_t odd_outside;
};

WARPSCOPE_KERNEL Classes classify(const char* text);

/// Returns the position after the number that contains the byte at `at`, or null. A point needs only digits around it:
/// a sign, exponent or other point in the same number is checked itself, or stops the digits.
WARPSCOPE_KERNEL const char* number_around(const char* at, const char* end) {
  if (*at == '.' && static_cast<unsigned char>(at[-1] - '0') < 10 && static_cast<unsigned char>(at[1] - '0') < 10) {
    const char* next = at + 2;
    while (static_cast<unsigned char>(*next - '0') < 10) ++next;
    if (*next == ',' || *next == '\n' || *next == '}') return next;
  }
  return skip_number_around(at, end);
}

/// Checks the bytes marked in `odd` in the block at `at`. Returns false if they belong to valid numbers, to words that
/// do not extend past the block, or to white space before punctuation.
WARPSCOPE_KERNEL bool is_wrong(const char* at, const char* end, std::uint64_t odd, std::uint64_t inside) {
  if ((odd & inside) != 0) return true;
  while (odd != 0) {
    const int place = first(odd);
    const char* const byte = at + place;
    const char* next = byte;
    if (*byte == '.' || *byte == '-' || *byte == 'e' || *byte == 'E') {
      next = number_around(byte, end);
      if (next != nullptr && next - at >= 64) return false;
    } else if (*byte == ' ') {
      while (is_space(*next)) ++next;
      if (*next != ',' && *next != ':' && *next != '}' && *next != ']') return true;
    } else if (__builtin_memcmp(byte, "true", 4) == 0 || __builtin_memcmp(byte, "null", 4) == 0) {
      next += 4;
    } else {
      next = __builtin_memcmp(byte, "false", 5) == 0 ? byte + 5 : nullptr;
    }
    if (next == nullptr || next - at >= 64) return true;
    odd &= ~((std::uint64_t{1} << (next - at)) - 1);
  }
  return false;
}

/// Returns the last byte before the white space that ends at `at`. Optimized for a line break followed by four spaces.
WARPSCOPE_KERNEL const char* before_space(const char* at) {
  std::uint32_t spaces = 0;
  __builtin_memcpy(&spaces, at - 3, sizeof spaces);
  if (spaces == 0x20202020U && at[-4] == '\n') at -= 5;
  while (is_space(*at)) --at;
  return at;
}

/// Returns the position after the object at `begin`, or null. If `wanted`, sets `found` as scan_nested does.
WARPSCOPE_KERNEL const char* skip_object(const SkeletonTable& table, Skeleton& skeleton, const char* const begin,
                                         const char* end, const bool wanted, const char*& found) {
  std::uint64_t carry = 0;  // all ones: the block starts inside a string
  std::int64_t depth = 0;
  std::int64_t quotes = 0;
  std::int64_t opened = 0;
  for (const char* at = begin;; at += 64) {
    if (at >= end) return nullptr;
    const Classes block = classify(at);
    const std::uint64_t inside = prefix_parity(block.quotes) ^ carry;
    const std::uint64_t opening = block.opening & ~inside;
    const std::uint64_t closing = block.closing & ~inside;
    const std::uint64_t odd = (block.odd_inside & inside) | (block.odd_outside & ~inside);
    std::uint64_t within = ~std::uint64_t{0};
    const char* next = nullptr;
    if (closes(opening, closing, depth)) {
      std::int64_t level = depth;
      for (std::uint64_t brackets = opening | closing; brackets != 0; brackets &= brackets - 1) {
        const std::uint64_t bit = brackets & (~brackets + 1);
        level += (opening & bit) != 0 ? 1 : -1;
        if (level == 0) {
          within = bit - 1;
          next = at + first(bit) + 1;
          break;
        }
      }
    }
    if ((odd & within) != 0 && is_wrong(at, end, odd & within, inside)) {
      found = nullptr;
      return skip_nested_patiently(begin, end, wanted, found);
    }
    if (wanted) {
      std::uint64_t keys = before_c(at) & block.quotes & inside & within;
      for (; keys != 0; keys &= keys - 1) {
        const std::uint64_t below = (keys & (~keys + 1)) - 1;
        const char* colon = at + first(keys) + 1;
        if (__builtin_memcmp(colon, "correlation\"", 12) != 0) continue;
        if (depth + ones(opening & below) - ones(closing & below) != 1) continue;
        for (colon += 12; is_space(*colon);) ++colon;
        if (*colon != ':') return skip_nested_patiently(begin, end, wanted, found);
        if (found != nullptr) return nullptr;
        for (++colon; is_space(*colon);) ++colon;
        found = colon;
      }
    }
    if (next != nullptr) {
      if (next > end || next[-1] != '}') return nullptr;
      const char* before = next - 2;
      if (is_space(*before)) before = before_space(before);
      if (*before == ',') return nullptr;
      const auto strings = static_cast<std::uint64_t>(quotes + ones(block.quotes & within)) / 2;
      const auto shape = strings % 32 + 32 * static_cast<std::uint64_t>(opened + ones(opening & within));
      std::uint64_t& known = skeleton.valid_arguments[shape / 64 % Skeleton::kArgumentWords];
      if ((known >> shape % 64 & 1) != 0) return next;
      found = nullptr;
      if (skip_nested_patiently(begin, end, wanted, found) != next) return nullptr;
      known |= table.trusted << shape % 64;
      return next;
    }
    quotes += ones(block.quotes);
    const std::int64_t more = ones(opening);
    opened += more;
    depth += more - ones(closing);
    carry = (inside >> 63) != 0 ? ~std::uint64_t{0} : 0;
  }
}
