#include "core/base/heap.hpp"

#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

namespace warpscope {

// Both settings are specific to glibc; other C libraries do not need them.
#if defined(M_ARENA_MAX)
void share_one_heap() {
  constexpr int kOwnMapping = 32 << 20;
  constexpr int kKept = 32 << 20;
  ::mallopt(M_ARENA_MAX, 1);
  ::mallopt(M_MMAP_THRESHOLD, kOwnMapping);
  ::mallopt(M_TOP_PAD, kKept);
}
void give_memory_back() { ::malloc_trim(0); }
#else
void share_one_heap() {}
void give_memory_back() {}
#endif

}  // namespace warpscope
