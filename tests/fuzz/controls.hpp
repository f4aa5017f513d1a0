#pragma once
// The last bytes of an input control how the rest is used (block sizes, choice of path). They are at the end so that
// everything before them looks like a file.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpscope::fuzz {

class Controls {
 public:
  /// Removes `count` bytes from the end of `input`; missing ones are 0.
  Controls(std::string_view& input, std::size_t count) {
    const std::size_t taken = count < input.size() ? count : input.size();
    bytes_ = input.substr(input.size() - taken);
    input.remove_suffix(taken);
  }
  [[nodiscard]] std::uint8_t byte() {
    return next_ < bytes_.size() ? static_cast<std::uint8_t>(bytes_[next_++]) : std::uint8_t{0};
  }
  /// Returns 1 to 256.
  [[nodiscard]] std::size_t size() { return std::size_t{byte()} + 1; }
  /// Returns a value less than `bound`, which is at most 2^16.
  [[nodiscard]] std::size_t below(std::size_t bound) {
    const std::size_t low = byte();
    return (low | static_cast<std::size_t>(byte()) << 8) % bound;
  }

 private:
  std::string_view bytes_;
  std::size_t next_ = 0;
};

}  // namespace warpscope::fuzz
