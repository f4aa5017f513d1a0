#pragma once
// Rows of waiting among the jobs of an accelerator. Meta's (MTIA) are kernels, transfers and waits in one category,
// told apart by name: a device that waits for an event is not busy, and what it waits with is no kernel.
#include <string_view>

namespace warpscope::trace {

/// True for names of jobs that wait: event_wait, wait_for_event, stream_wait-dtype_Int, event_synchronize, barrier.
/// Names that only contain such a word (aten::wait_tensor, sync_batch_norm) are of kernels.
[[nodiscard]] bool is_waiting_name(std::string_view name);

}  // namespace warpscope::trace
