#pragma once
// The last bytes of an input decide how the rest of it is used (sizes of blocks, which of several ways). At the end, so
// that what comes before stands as it would in a file.
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpscope::fuzz {

class Controls {
 public:
  /// Takes `count` bytes off the end of `input`; missing ones are 0.
  Controls(std::string_view& input, std::size_t count) {
    const std::size_t taken = count < input.size() ? count : input.size();
    bytes_ = input.substr(input.size() - taken);
    input.remove_suffix(taken);
  }
  [[nodiscard]] std::uint8_t byte() {
    return next_ < bytes_.size() ? static_cast<std::uint8_t>(bytes_[next_++]) : std::uint8_t{0};
  }
  /// From 1 to 256.
  [[nodiscard]] std::size_t size() { return std::size_t{byte()} + 1; }
  /// Less than `bound`, which is at most 2^16.
  [[nodiscard]] std::size_t below(std::size_t bound) {
    const std::size_t low = byte();
    return (low | static_cast<std::size_t>(byte()) << 8) % bound;
  }

 private:
  std::string_view bytes_;
  std::size_t next_ = 0;
};

}  // namespace warpscope::fuzz
