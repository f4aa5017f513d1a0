#pragma once
// Recognizes accelerator waits by name. Meta's MTIA records kernels, transfers and waits in one category, distinguished
// only by name. A device waiting for an event is not busy, and the wait does not count as a kernel.
#include <string_view>

namespace warpscope::trace {

/// True for names of waits: event_wait, wait_for_event, stream_wait-dtype_Int, event_synchronize, barrier. False for
/// kernel names that merely contain one of these words (aten::wait_tensor, sync_batch_norm).
[[nodiscard]] bool is_waiting_name(std::string_view name);

}  // namespace warpscope::trace
