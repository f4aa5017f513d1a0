#include "core/base/large_memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace warpscope {

void FreeLarge::operator()(void* memory) const { ::munmap(memory, bytes); }

LargeMemory allocate_large(std::size_t bytes) {
  const std::size_t size = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  if (size < bytes || size + kHugePage < size) throw std::bad_alloc();
  void* const mapped =
      ::mmap(nullptr, size + kHugePage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  // Use only the aligned part, because huge pages must be aligned.
  char* const begin = static_cast<char*>(mapped);
  const std::size_t before = (kHugePage - reinterpret_cast<std::uintptr_t>(begin) % kHugePage) % kHugePage;
  char* const kept = begin + before;
  if (before > 0) ::munmap(begin, before);
  ::munmap(kept + size, kHugePage - before);
  prefer_huge_pages(kept, size);
  return LargeMemory(kept, FreeLarge{size});
}

void prefer_huge_pages(void* memory, std::size_t bytes) {
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + kHugePage - 1) / kHugePage * kHugePage;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / kHugePage * kHugePage;
  // Fails harmlessly if the kernel does not support huge pages.
  if (begin < end) (void)::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace warpscope
