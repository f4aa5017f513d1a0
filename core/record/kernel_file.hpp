#pragma once
// Reads the kernel's text files (/proc, /sys) repeatedly: the file stays open, and each read returns the whole text.
#include <cstdint>
#include <string>
#include <string_view>

namespace warpscope::record {

class KernelFile {
 public:
  /// Opens the file; if that fails, read() returns "".
  explicit KernelFile(const std::string& path);
  ~KernelFile();
  KernelFile(KernelFile&& other) noexcept;
  KernelFile& operator=(KernelFile&&) = delete;

  /// Returns the current text, valid until the next call; "" on errors.
  [[nodiscard]] std::string_view read();

 private:
  int file_ = -1;
  std::string text_;
};

/// Removes and returns the first line of `text`, without its end.
[[nodiscard]] std::string_view take_line(std::string_view& text);
/// Removes and returns the first word of `line`; "" if there is none.
[[nodiscard]] std::string_view take_word(std::string_view& line);
/// Removes the first word and returns it as a number; 0 if it is not a number.
[[nodiscard]] std::uint64_t take_count(std::string_view& line);

/// Returns how much a counter grew; 0 if it was reset.
[[nodiscard]] constexpr std::uint64_t growth(std::uint64_t before, std::uint64_t now) {
  return now > before ? now - before : 0;
}

}  // namespace warpscope::record
