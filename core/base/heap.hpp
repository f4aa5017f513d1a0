#pragma once
// Allocator settings for a program that loads data on all cores and then keeps it for hours.

namespace warpscope {

/// Makes all threads share one malloc arena. By default, glibc gives each thread its own arena, and all but the first
/// stay at their peak size: about 20 MB per thread after a load. Loading makes only about ten thousand allocations, so
/// there is little contention. Blocks below 32 MiB stay in the heap when freed, which grows by as much at a time:
/// otherwise, a fifth of the CPU time of an analysis goes into returning and requesting the same pages again and again.
/// Whoever frees a lot calls give_memory_back(). Call before starting threads.
void share_one_heap();

/// Returns freed memory to the system. Call after freeing a lot of memory.
void give_memory_back();

}  // namespace warpscope
