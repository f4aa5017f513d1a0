#pragma once
// What a slice is. A trace names categories as it likes ("kernel", "Kernel", "cuda_runtime", "hip …"); what we do with
// a slice depends on its role, and its colour on its family. The trace's own strings are kept for show and for counts.
#include <array>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace warpscope::trace {

/// What a category of slices does in a training job.
enum class Role : std::uint8_t {
  kernel,          ///< runs on a device
  memory_copy,     ///< gpu_memcpy: runs on a device
  memory_set,      ///< gpu_memset: runs on a device
  job,             ///< mtia_ccp_events: kernels and transfers of Meta's accelerator, told apart by name alone
  launch,          ///< runtime or driver call on the host, may launch
  op,              ///< framework operator
  annotation,      ///< the user's range on the host
  gpu_annotation,  ///< its shadow on the device; not busy time
  sync,            ///< cuda_sync rows: waits as seen by the device; not busy time
  python,          ///< python_function
  overhead,        ///< the profiler's own
  span,            ///< "Trace" spans: how long was recorded
  instant,         ///< zero-length marks
  other,
};

/// Colour families; also the partition of busy time that interval trees keep. Idle is the ground.
enum class Family : std::uint8_t { computation, communication, memory, sync, runtime, op, python, annotation };
inline constexpr std::size_t kFamilies = 8;

[[nodiscard]] std::string_view to_string(Family family);

/// True for what is launched as a kernel.
[[nodiscard]] constexpr bool is_kernel(Role role) { return role == Role::kernel || role == Role::job; }
/// True for what keeps a device busy: kernels, memory copies and sets.
[[nodiscard]] constexpr bool is_run(Role role) {
  return is_kernel(role) || role == Role::memory_copy || role == Role::memory_set;
}

/// Role of a category string as Kineto, the old autograd profiler and other exporters write it.
[[nodiscard]] Role role_of_category(std::string_view category);

/// True if a device slice of this name moves data between ranks, by the table in communication_names.hpp.
[[nodiscard]] bool is_communication_name(std::string_view name);

/// True if a job of this name moves memory between host and device, or within one.
[[nodiscard]] bool is_transfer_name(std::string_view name);

/// Family of a slice from its role and name; transfers among jobs aside.
[[nodiscard]] Family family_of(Role role, bool communication);

using CategoryId = std::uint8_t;

/// The category strings of one profile, with stable ids. A trace that has over 254 of them shares the last id among the
/// rest. Append-only, safe from several threads; readers of a published id need no lock.
class Categories {
 public:
  Categories();
  static constexpr CategoryId kOverflow = 255;

  CategoryId intern(std::string_view name);
  [[nodiscard]] std::string_view name(CategoryId id) const { return names_[id]; }
  [[nodiscard]] Role role(CategoryId id) const { return roles_[id]; }
  [[nodiscard]] std::size_t size() const;

 private:
  std::array<std::string, 256> names_;
  std::array<Role, 256> roles_{};
  std::size_t size_ = 0;
  mutable std::mutex mutex_;
};

}  // namespace warpscope::trace
