#pragma once
// Allocator settings for a program that loads data on all cores and then keeps it for hours.

namespace warpscope {

/// Makes all threads share one malloc arena. By default, glibc gives each thread its own arena, and all but the first
/// stay at their peak size: about 20 MB per thread after a load. Loading makes only about ten thousand allocations, so
/// there is little contention. Also fixes the mmap threshold at 256 KiB, so larger blocks are returned to the system
/// when freed. Otherwise, glibc would raise the threshold to as much as 32 MiB once the first large column is freed and
/// keep all smaller blocks. Grows the heap by 32 MiB at a time and keeps as much at its end: with the default of
/// 128 KiB, half the system time of an analysis goes into returning and requesting the same pages again and again. Call
/// before starting threads.
void share_one_heap();

/// Returns freed memory to the system. Call after freeing a lot of memory.
void give_memory_back();

}  // namespace warpscope
