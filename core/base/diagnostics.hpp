#pragma once
// Oddities of the input, as data. Nothing is dropped in silence: whoever meets something odd adds to one of these, and
// the window and the command line show them. One entry per (code, file): how often, where first, and an example.
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

/// One kind of oddity in one file. `code` is a stable kebab-case word ("negative-duration"); `offset` is a byte
/// position in the decompressed text of the first case, or kNoOffset; `example` is a short piece of text that shows it.
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
  /// Counts one more (or `count` more) of `code` in `file`; the first call's offset and example are kept.
  void add(std::string_view code, Severity severity, std::string_view file, std::uint64_t offset,
           std::string_view example, std::uint64_t count = 1);
  /// The same where an example takes time: counts what is known already; false, and no change, if this is the first.
  bool add_known(std::string_view code, std::string_view file, std::uint64_t count = 1);
  void merge(const Diagnostics& other);
  [[nodiscard]] const std::vector<Diagnostic>& all() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// Total count of `code` over all files.
  [[nodiscard]] std::uint64_t count(std::string_view code) const;

 private:
  [[nodiscard]] Diagnostic* find(std::string_view code, std::string_view file);

  std::vector<Diagnostic> entries_;
  std::unordered_map<std::string, std::size_t> places_;  // (code, file) → entry, once there are more than a few
};

/// What a code means and what to do about it, in a sentence each; for the Diagnostics tab and `info`.
[[nodiscard]] std::string_view explain(std::string_view code);

}  // namespace warpscope
