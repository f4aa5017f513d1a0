#pragma once
// Splits a loop among threads that exit when the loop ends. Reading files uses a different mechanism, because files are
// large and several threads work on the same file (core/ingest/read/crew.hpp).
#include <cstddef>
#include <functional>

namespace warpscope {

/// Calls work(i) for each i < `count`, in any order, on up to `threads` threads including this one; returns when all
/// calls have returned. If a call throws, starts no more calls and rethrows the first exception. If the system cannot
/// create more threads, runs on fewer threads.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

/// Same, but starts no more calls once work(i) returns false.
void parallel_for_while(std::size_t count, std::size_t threads, const std::function<bool(std::size_t)>& work);

}  // namespace warpscope
