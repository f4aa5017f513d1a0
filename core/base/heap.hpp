#pragma once
// How the allocator behaves in a program that loads by all processors and then keeps what it built for hours.

namespace warpscope {

/// One pool of memory for all threads. The C library gives each thread its own, and a pool other than the first keeps
/// the largest that it ever was: about 20 MB a thread after a load. A load allocates some ten thousand times in all, so
/// nobody waits at the one. What is larger than 256 KiB goes back to the system as soon as it is freed: the C library
/// would raise that limit to 32 MiB with the first large column that is freed, and keep all that is smaller. To be
/// called before there are threads.
void share_one_heap();

/// Gives the system what was freed; worth it when much was.
void give_memory_back();

}  // namespace warpscope
