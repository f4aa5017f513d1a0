#pragma once
// Memory for large columns, in huge pages where the kernel supports them. The first access to a page costs ten times as
// much as writing to it; with huge pages, this cost is paid once per 2 MiB instead of 512 times.
#include <cstddef>
#include <memory>

namespace warpscope {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// Deleter for memory from allocate_large(); returns it to the system immediately.
struct FreeLarge {
  std::size_t bytes = 0;
  void operator()(void* memory) const;
};
using LargeMemory = std::unique_ptr<void, FreeLarge>;

/// Allocates `bytes` (> 0) of zeroed, untouched memory, aligned to a huge page. Throws std::bad_alloc.
[[nodiscard]] LargeMemory allocate_large(std::size_t bytes);

/// Requests huge pages for the parts of [memory, memory + bytes) that will be fully written. Call before writing.
void prefer_huge_pages(void* memory, std::size_t bytes);

}  // namespace warpscope
