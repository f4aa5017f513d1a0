#pragma once
// Lowers the priority of background threads so that they do not slow down interactive work.

namespace warpscope {

/// Lowers the CPU priority of the calling thread (to a fifth of a normal thread's share under contention) and its I/O
/// priority. Does not use the lowest priority: on a busy machine such a thread makes no progress for seconds, and
/// neither do threads that wait for it to stop or for a lock it holds. Cannot be undone.
void lower_priority_of_this_thread();

}  // namespace warpscope
