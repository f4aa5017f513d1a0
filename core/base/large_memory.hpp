#pragma once
// Memory for large columns: in huge pages where the kernel has them. Touching a fresh page for the first time costs
// ten times what writing to it does; a huge page costs that once in 2 MiB instead of 512 times.
#include <cstddef>
#include <memory>

namespace warpscope {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Returns memory of allocate_large() to the system at once.
struct FreeLarge {
  std::size_t bytes = 0;
  void operator()(void* memory) const;
};
using LargeMemory = std::unique_ptr<void, FreeLarge>;

/// `bytes` (> 0), aligned to a huge page, zero, not touched so far. Throws std::bad_alloc.
[[nodiscard]] LargeMemory allocate_large(std::size_t bytes);

/// Asks for huge pages for those of [memory, memory + bytes) that will be written as a whole: call it before they are.
void prefer_huge_pages(void* memory, std::size_t bytes);

}  // namespace warpscope
