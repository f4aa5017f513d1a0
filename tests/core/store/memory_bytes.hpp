#pragma once
// The bytes of a store in memory.
#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/store/store_bytes.hpp"

namespace warpscope::tests {

class MemoryBytes final : public store::StoreBytes {
 public:
  MemoryBytes(std::string name, std::vector<std::uint8_t> bytes)
      : StoreBytes(std::move(name)), bytes_(std::move(bytes)) {}
  [[nodiscard]] bool read(std::uint64_t offset, std::span<std::uint8_t> into) const override {
    if (offset > bytes_.size() || bytes_.size() - offset < into.size()) return false;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset), into.size(), into.begin());
    return true;
  }
  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 private:
  std::vector<std::uint8_t> bytes_;
};

}  // namespace warpscope::tests
