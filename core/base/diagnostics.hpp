#pragma once
// Diagnostics of the input. Readers never drop data silently: they add a diagnostic that the window and the command
// line display. Each (code, file) has one entry with a count, the position of the first occurrence and an example.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpscope {

enum class Severity : std::uint8_t { info, warning, error };

[[nodiscard]] constexpr std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::info:
      return "info";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

/// One kind of diagnostic in one file. `code` is a stable kebab-case identifier ("negative-duration"). `offset` is the
/// byte position of the first occurrence in the decompressed text, or kNoOffset. `example` is a short excerpt.
struct Diagnostic {
  static constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};

  std::string code;
  Severity severity = Severity::warning;
  std::uint64_t count = 0;
  std::string file;
  std::uint64_t offset = kNoOffset;
  std::string example;
};

class Diagnostics {
 public:
  /// Adds `count` occurrences of `code` in `file`; keeps the offset and example of the first call.
  void add(std::string_view code, Severity severity, std::string_view file, std::uint64_t offset,
           std::string_view example, std::uint64_t count = 1);
  /// Adds to an existing entry, so callers need to build an expensive example only once. Returns false and changes
  /// nothing if there is no entry yet.
  bool add_known(std::string_view code, std::string_view file, std::uint64_t count = 1);
  void merge(const Diagnostics& other);
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// Returns the total count of `code` in all files.
  [[nodiscard]] std::uint64_t count(std::string_view code) const;

 private:
  [[nodiscard]] Diagnostic* find(std::string_view code, std::string_view file);

  std::vector<Diagnostic> entries_;
  std::unordered_map<std::string, std::size_t> places_;  // (code, file) → entry, once there are more than kFew
};

/// Returns what a code means and how to fix the problem, for the Diagnostics tab and `info`.
[[nodiscard]] std::string_view explain(std::string_view code);

}  // namespace warpscope
