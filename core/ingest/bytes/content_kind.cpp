#include "core/ingest/bytes/content_kind.hpp"

#include <algorithm>
#include <array>

namespace warpscope::ingest {
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::size_t at;
  std::string_view bytes;
  std::string_view name;
};

constexpr std::array kSignatures{
    Signature{0, "PK\x03\x04"sv, "a zip archive"},
    Signature{0, "PK\x05\x06"sv, "an empty zip archive"},
    Signature{0, "BZh"sv, "bzip2 data"},
    Signature{0,
              "\xfd"
              "7zXZ\0"sv,
              "xz data"},
    Signature{0, "\x04\x22\x4d\x18"sv, "lz4 data"},
    Signature{0, "7z\xbc\xaf\x27\x1c"sv, "a 7-Zip archive"},
    Signature{0,
              "\x7f"
              "ELF"sv,
              "a program"},
    Signature{0, "\x89PNG"sv, "a PNG image"},
    Signature{0, "%PDF"sv, "a PDF document"},
    Signature{0, "SQLite format 3\0"sv, "an SQLite database"},
    Signature{0, "\xff\xfe\0\0"sv, "UTF-32 text"},
    Signature{0, "\0\0\xfe\xff"sv, "UTF-32 text"},
    Signature{0, "\xff\xfe"sv, "UTF-16 text"},
    Signature{0, "\xfe\xff"sv, "UTF-16 text"},
    Signature{257, "ustar"sv, "a tar archive"},
};

bool has_signature(std::string_view head, const Signature& signature) {
  return head.size() >= signature.at + signature.bytes.size() &&
         head.substr(signature.at, signature.bytes.size()) == signature.bytes;
}

/// A skippable frame may precede the first zstd frame: magic 0x184D2A50 … 0x184D2A5F, little-endian.
bool is_zstd(std::string_view head) {
  if (head.starts_with("\x28\xb5\x2f\xfd"sv)) return true;
  return head.size() >= 4 && (static_cast<unsigned char>(head[0]) & 0xf0U) == 0x50U &&
         head.substr(1, 3) == "\x2a\x4d\x18"sv;
}

/// Recognizes the rest of a trace whose beginning was overwritten with zeros, as after a system crash.
bool is_text_of_object(std::string_view rest) {
  const auto prints = [](char c) {
    return static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\r' || c == '\t';
  };
  return rest.find("\":"sv) != std::string_view::npos && std::all_of(rest.begin(), rest.end(), prints);
}

/// Recognizes at least three units of ASCII text. Each unit has `size` bytes, all 0 except the byte at index `at`.
bool is_wide_text(std::string_view head, std::size_t size, std::size_t at) {
  constexpr std::size_t kUnits = 8;
  const std::size_t units = std::min(kUnits, head.size() / size);
  for (std::size_t i = 0; i < units * size; ++i) {
    const auto byte = static_cast<unsigned char>(head[i]);
    const bool text = (byte >= 0x20 && byte < 0x7F) || byte == '\t' || byte == '\n' || byte == '\r';
    if (i % size == at ? !text : byte != 0) return false;
  }
  return units >= 3;
}

/// JSON starts with ASCII, which reveals the encoding without a byte order mark (RFC 4627, section 3).
std::string_view wide_encoding(std::string_view head) {
  if (is_wide_text(head, 4, 0) || is_wide_text(head, 4, 3)) return "UTF-32 text"sv;
  if (is_wide_text(head, 2, 0) || is_wide_text(head, 2, 1)) return "UTF-16 text"sv;
  return ""sv;
}

}  // namespace

bool is_marshal_dictionary(std::string_view head) {
  // The high bit of the type byte marks objects that can be referenced.
  constexpr auto type_at = [](std::string_view text, std::size_t at) { return static_cast<char>(text[at] & 0x7F); };
  if (head.size() < 2 || type_at(head, 0) != '{') return false;
  if (head.size() == 2 && head[1] == '0') return true;
  const char key = type_at(head, 1);
  return (key == ')' && head.substr(2).starts_with('\3')) || (key == '(' && head.substr(2).starts_with("\3\0\0\0"sv));
}

bool begins_like_json(std::string_view head) {
  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  const std::size_t first = head.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (head[first] == '{' || head[first] == '[');
}

ContentKind content_kind(std::string_view head) {
  if (head.starts_with("\x1f\x8b"sv)) return ContentKind::gzip;
  if (is_zstd(head)) return ContentKind::zstd;
  if (is_marshal_dictionary(head)) return ContentKind::text;
  return describe_foreign(head).empty() ? ContentKind::text : ContentKind::foreign;
}

std::string_view describe_foreign(std::string_view head) {
  for (const Signature& signature : kSignatures)
    if (has_signature(head, signature)) return signature.name;
  if (const std::string_view encoding = wide_encoding(head); !encoding.empty()) return encoding;
  // Text starts with white space, a byte order mark or a bracket; a NUL before the first bracket means binary data.
  if (const std::size_t text = head.find_first_not_of('\0');
      text != 0 && is_text_of_object(head.substr(std::min(text, head.size()))))
    return ""sv;
  const std::size_t bracket = head.find_first_of("{[");
  const std::size_t nul = head.find('\0');
  return nul != std::string_view::npos && nul < bracket ? "binary data"sv : ""sv;
}

}  // namespace warpscope::ingest
