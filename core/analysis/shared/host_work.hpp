#pragma once
// What the host does, inferred from the names and roles of its calls. All analyses of idle time and host delays use
// these kinds. Names are classified once per profile.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/analysis/shared/time_label.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::analysis {

enum class HostWork : std::uint8_t {
  data_loader,  ///< waiting for the next batch
  compilation,  ///< TorchDynamo, Inductor, Triton, XLA
  allocation,   ///< device memory allocated or freed through the driver
  collection,   ///< Python's garbage collection
  checkpoint,   ///< saving a checkpoint
  wait,         ///< waiting for the GPU: synchronization, blocking memcpys
  stall,        ///< self time of a call that takes much longer than others with the same name
  runtime,      ///< runtime and driver calls
  framework,    ///< operators
  python,       ///< Python functions
  annotation,   ///< inside an annotation but no other call
  unrecorded,   ///< no call is recorded
  profiler,     ///< the profiler's own work, on threads of its own
};
inline constexpr std::size_t kHostWorks = 13;

/// Kinds of calls, classified by name once.
class HostWorkNames {
 public:
  explicit HostWorkNames(const trace::Profile& profile);  ///< O(names)

  /// Returns the kind of a call that is not inside a special one.
  [[nodiscard]] HostWork of(NameId name, trace::Role role) const;

 private:
  std::vector<std::uint8_t> by_name_;
};

/// Returns the label of time in which the GPU waits for this work; `length` is that of the whole wait.
[[nodiscard]] TimeLabel label_of(HostWork work, Ns length);

/// True for kinds that include everything inside their calls.
[[nodiscard]] constexpr bool includes_calls(HostWork work) { return work <= HostWork::checkpoint; }

/// True for runtime and driver calls that block until the GPU is done. Whether an asynchronous memcpy blocks depends on
/// the type of memory, so only calls whose names imply blocking are included.
[[nodiscard]] bool is_wait(std::string_view name);

}  // namespace warpscope::analysis
