#pragma once
// Classifies slices by category. Category names vary between traces ("kernel", "Kernel", "cuda_runtime", "hip …"), so
// analyses work with roles, and colors are assigned by family. The original strings are kept for display and counts.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/threads/mutex.hpp"

namespace warpscope::trace {

/// Role of a slice category in a training job.
enum class Role : std::uint8_t {
  kernel,          ///< runs on a device
  memory_copy,     ///< gpu_memcpy: runs on a device
  memory_set,      ///< gpu_memset: runs on a device
  job,             ///< mtia_ccp_events: kernels and transfers of Meta's accelerator, distinguished only by name
  launch,          ///< runtime or driver call on the host that may launch GPU activity
  op,              ///< framework operator
  annotation,      ///< user-defined range on the host
  gpu_annotation,  ///< GPU-side copy of an annotation; not busy time
  sync,            ///< cuda_sync rows: waits as seen by the device; not busy time
  host_node,       ///< host callback in a CUDA graph: occupies its stream, but not the GPU
  event_node,      ///< event record in a CUDA graph: takes no time
  python,          ///< python_function
  overhead,        ///< time spent by the profiler itself
  span,            ///< "Trace" spans: the recorded time
  instant,         ///< zero-length markers
  other,
};

/// Color families. Interval trees also track busy time per family. Idle time has no color.
enum class Family : std::uint8_t { computation, communication, memory, sync, runtime, op, python, annotation };
inline constexpr std::size_t kFamilies = 8;

[[nodiscard]] std::string_view to_string(Family family);

/// True for roles whose slices count as kernels.
[[nodiscard]] constexpr bool is_kernel(Role role) { return role == Role::kernel || role == Role::job; }
/// True for GPU activity: kernels, memcpys and memsets.
[[nodiscard]] constexpr bool is_run(Role role) {
  return is_kernel(role) || role == Role::memory_copy || role == Role::memory_set;
}
/// True for nodes of CUDA graphs that are no GPU activity.
[[nodiscard]] constexpr bool is_graph_node(Role role) { return role == Role::host_node || role == Role::event_node; }
/// True for everything that a launch puts on a stream.
[[nodiscard]] constexpr bool is_launched(Role role) { return is_run(role) || is_graph_node(role); }
/// True for slices whose thread id is a stream.
[[nodiscard]] constexpr bool is_on_stream(Role role) {
  return is_launched(role) || role == Role::gpu_annotation || role == Role::sync;
}

/// Returns the role of a category string as written by Kineto, the old autograd profiler and other exporters.
[[nodiscard]] Role role_of_category(std::string_view category);

/// True if a device slice with this name moves data between ranks; see communication_names.hpp.
[[nodiscard]] bool is_communication_name(std::string_view name);

/// True if a job with this name copies data between host and device or within either one.
[[nodiscard]] bool is_transfer_name(std::string_view name);

/// Returns the color family of a slice. `communication`: the result of is_communication_name() for its name. Transfers
/// with Role::job count as computation.
[[nodiscard]] Family family_of(Role role, bool communication);

using CategoryId = std::uint8_t;

/// The category strings of one profile, with stable ids. If a trace has more than 254 categories, the rest share the
/// last id. Append-only and thread-safe; reading a published id requires no lock.
class Categories {
 public:
  Categories();
  static constexpr CategoryId kOverflow = 255;

  CategoryId intern(std::string_view name) EXCLUDES(mutex_);
  [[nodiscard]] std::string_view name(CategoryId id) const { return names_[id]; }
  [[nodiscard]] Role role(CategoryId id) const { return roles_[id]; }
  [[nodiscard]] std::size_t size() const EXCLUDES(mutex_);

 private:
  // Written under the mutex and read without it; this is safe because an id is published only after its entry is
  // written.
  std::array<std::string, 256> names_;
  std::array<Role, 256> roles_{};
  mutable Mutex mutex_;
  std::size_t size_ GUARDED_BY(mutex_) = 0;
};

}  // namespace warpscope::trace
