#pragma once
// Splits a loop among threads that end with the loop. Files are read by a different mechanism, because they are large
// and several threads work on the same file (core/ingest/read/crew.hpp).
#include <cstddef>
#include <functional>

namespace warpscope {

/// Calls work(i) for each i < `count`, in any order, on up to `threads` threads including this one; returns when all
/// calls have returned. If a call throws, no more calls are started and the first exception is rethrown. If the system
/// cannot create a thread, fewer threads do the work.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

/// Same, but starts no more calls once work(i) returns false.
void parallel_for_while(std::size_t count, std::size_t threads, const std::function<bool(std::size_t)>& work);

}  // namespace warpscope
