#pragma once
// Work that nobody waits for must not slow down what someone does.

namespace warpscope {

/// From here on the calling thread gets the processor and the disk when no other thread wants them, as far as the
/// system lets it. Cannot be undone.
void lower_priority_of_this_thread();

}  // namespace warpscope
