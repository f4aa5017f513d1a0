#pragma once
// Work that nobody waits for must not slow down what someone does.

namespace warpscope {

/// From here on the calling thread gives way to others at the processor (a fifth of a share where they want it) and at
/// the disk. Not the least there is: on a busy machine a thread of the least priority stands still for seconds, and
/// with it whoever waits for it to stop, or for a lock that it holds. Cannot be undone.
void lower_priority_of_this_thread();

}  // namespace warpscope
