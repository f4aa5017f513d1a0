#include "core/base/utf8.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace warpscope {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Combining marks and invisible format characters.
constexpr std::array kNoWidth{
    Range{0x0300, 0x036F}, Range{0x0483, 0x0489}, Range{0x0591, 0x05BD},  Range{0x0610, 0x061A}, Range{0x064B, 0x065F},
    Range{0x200B, 0x200F}, Range{0x202A, 0x202E}, Range{0x2060, 0x2064},  Range{0x20D0, 0x20F0}, Range{0xFE00, 0xFE0F},
    Range{0xFE20, 0xFE2F}, Range{0xFEFF, 0xFEFF}, Range{0xE0100, 0xE01EF}};

constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},
    Range{0x3400, 0x4DBF},   Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE4F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
    Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1F9FF}, Range{0x20000, 0x3FFFD}};

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t c) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), c,
                                      [](char32_t value, const Range& range) { return value < range.first; });
  return after != ranges.begin() && c <= std::prev(after)->last;
}

bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c < 0xA0); }

// These characters reorder the text after them and, like escape sequences, can make one name look like another.
bool is_bidi_control(char32_t c) { return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069); }

bool is_blank_control(char32_t c) { return c == U'\n' || c == U'\r' || c == U'\t'; }

char32_t shown_as(char32_t c) {
  if (is_blank_control(c)) return U' ';
  return is_unsafe(c) ? kReplacement : c;
}

}  // namespace

bool is_unsafe(char32_t c) { return is_control(c) || is_bidi_control(c); }

char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) {
    ++at;
    return lead;
  }
  const std::size_t length = lead >= 0xC2 && lead <= 0xDF   ? 2u
                             : (lead & 0xF0) == 0xE0        ? 3u
                             : lead >= 0xF0 && lead <= 0xF4 ? 4u
                                                            : 0u;
  const auto invalid = [&] {
    ++at;
    return kReplacement;
  };
  if (length == 0 || text.size() - at < length) return invalid();
  char32_t value = lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const unsigned char next = byte(at + i);
    if ((next & 0xC0) != 0x80) return invalid();
    value = value << 6 | (next & 0x3Fu);
  }
  const bool overlong = (length == 3 && value < 0x800) || (length == 4 && value < 0x10000);
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (overlong || surrogate || value > 0x10FFFF) return invalid();
  at += length;
  return value;
}

void append_code_point(std::string& out, char32_t c) {
  if (c < 0x80) return out.push_back(static_cast<char>(c));
  constexpr std::array<char32_t, 4> kLeads{0, 0xC0, 0xE0, 0xF0};
  const std::size_t more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;  // continuation bytes, six bits each
  std::array<char, 4> bytes{static_cast<char>(kLeads[more] | c >> 6 * more)};
  for (std::size_t i = 1; i <= more; ++i) bytes[i] = static_cast<char>(0x80 | (c >> 6 * (more - i) & 0x3F));
  out.append(bytes.data(), more + 1);
}

int display_width(char32_t c) {
  if (c < 0x300) return 1;
  if (within(kNoWidth, c)) return 0;
  return within(kWide, c) ? 2 : 1;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();)
    width += static_cast<std::size_t>(display_width(shown_as(next_code_point(text, at))));
  return width;
}

std::string without_controls(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t copied = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] >= ' ' && text[at] <= '~') {  // nearly all text
      ++at;
      continue;
    }
    const std::size_t from = at;
    const char32_t c = next_code_point(text, at);
    if (is_blank_control(c) || (!is_unsafe(c) && c != kReplacement)) continue;
    out += text.substr(copied, from - copied);
    append_code_point(out, kReplacement);
    copied = at;
  }
  out += text.substr(copied);
  return out;
}

std::string shortened(std::string_view text, std::size_t longest) {
  if (text.size() <= longest) return std::string(text);
  while (longest > 0 && (static_cast<unsigned char>(text[longest]) & 0xC0) == 0x80) --longest;
  return std::string(text.substr(0, longest)) + "…";
}

std::string printable(std::string_view text, std::size_t max_width) {
  std::vector<char32_t> shown;
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    shown.push_back(shown_as(next_code_point(text, at)));
    width += static_cast<std::size_t>(display_width(shown.back()));
  }
  std::size_t head = shown.size();
  std::size_t tail = shown.size();
  if (max_width > 0 && width > max_width) {
    const std::size_t kept = max_width - 1;
    const auto columns = [&](std::size_t i) { return static_cast<std::size_t>(display_width(shown[i])); };
    std::size_t used = 0;
    for (head = 0; used + columns(head) <= (kept + 1) / 2; ++head) used += columns(head);
    while (used + columns(tail - 1) <= kept) used += columns(--tail);
  }
  std::string out;
  for (std::size_t i = 0; i < head; ++i) append_code_point(out, shown[i]);
  if (head < tail) out += "…";
  for (std::size_t i = tail; i < shown.size(); ++i) append_code_point(out, shown[i]);
  return out;
}

}  // namespace warpscope
