#pragma once
// The one way to share a loop among threads that end with it. Reading files is shared otherwise, because files are
// large and threads help each other within one (core/ingest/read/crew.hpp).
#include <cstddef>
#include <functional>

namespace warpscope {

/// Calls work(i) for each i < `count`, in no order, on up to `threads` threads, of which this is one; returns when all
/// calls have. If a call throws, the rest is not begun and the first exception is thrown here. If the system has no
/// thread to give, fewer do the work.
void parallel_for(std::size_t count, std::size_t threads, const std::function<void(std::size_t)>& work);

/// The same until work(i) returns false: then the rest is not begun.
void parallel_for_while(std::size_t count, std::size_t threads, const std::function<bool(std::size_t)>& work);

}  // namespace warpscope
