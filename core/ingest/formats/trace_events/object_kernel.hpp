// Skips the arguments of an event. Part of skeleton_kernel.hpp, which documents where this file is included and which
// definitions must precede it.
//
// Uses the same method as scan.hpp, but with a cheaper first check for errors: only blocks with a suspicious byte are
// checked closely, and values with a backslash are left to scan_nested.

/// Masks for a block of 64 bytes.
struct Classes {
  std::uint64_t quotes;
  std::uint64_t opening;      ///< '{' and '['
  std::uint64_t closing;      ///< '}' and ']'
  std::uint64_t odd_inside;   ///< not allowed inside strings: control characters; and backslashes
  std::uint64_t odd_outside;  ///< suspicious outside: letters H … O, h … o; and backslashes
};

WARPSCOPE_KERNEL Classes classify(const char* text);

WARPSCOPE_KERNEL char lower(char c) { return static_cast<char>(c | 0x20); }

/// Checks the bytes marked in `odd` in the block at `at`. Returns true for a control character in a string, a
/// backslash, or a letter that may start Infinity or NaN.
WARPSCOPE_KERNEL bool is_wrong(const char* at, std::uint64_t odd, std::uint64_t inside) {
  if ((odd & inside) != 0) return true;
  for (; odd != 0; odd &= odd - 1) {
    const char* const byte = at + first(odd);
    if (*byte == '\\' || lower(*byte) == 'i' || (lower(*byte) == 'n' && lower(byte[1]) == 'a')) return true;
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
WARPSCOPE_KERNEL const char* skip_object(const char* const begin, const char* end, const bool wanted,
                                         const char*& found) {
  std::uint64_t carry = 0;  // all ones: the block starts inside a string
  std::int64_t depth = 0;
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
    if ((odd & within) != 0 && is_wrong(at, odd & within, inside)) {
      found = nullptr;
      return skip_nested_patiently(begin, end, wanted, found);
    }
    if (wanted) {
      std::uint64_t keys = key_quotes(at) & inside & within;
      for (; keys != 0; keys &= keys - 1) {
        const std::uint64_t below = (keys & (~keys + 1)) - 1;
        const char* colon = at + first(keys) + 1;
        if (depth + ones(opening & below) - ones(closing & below) != 1) continue;
        if (__builtin_memcmp(colon, "correlation\"", 12) != 0) continue;
        for (colon += 12; is_space(*colon);) ++colon;
        if (*colon != ':') continue;
        for (++colon; is_space(*colon);) ++colon;
        found = colon;
      }
    }
    if (next != nullptr) {
      if (next > end || next[-1] != '}') return nullptr;
      const char* before = next - 2;
      if (is_space(*before)) before = before_space(before);
      return *before == ',' ? nullptr : next;
    }
    depth += ones(opening) - ones(closing);
    carry = (inside >> 63) != 0 ? ~std::uint64_t{0} : 0;
  }
}
