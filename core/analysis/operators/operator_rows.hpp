#pragma once
// Implements PyTorch's key_averages(): groups the events of all ranks of a scope by name and, optionally, by input
// shapes, Python stack or nn.Module. Used by the operator tables, their text layout and the charts.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/operators/event_keys.hpp"

namespace warpscope::analysis {

struct Grouping {
  enum class By : std::uint8_t { name, shape, stack, module };
  By by = By::name;
  std::size_t depth = 5;  ///< of stacks

  /// Parses "name", "shape", "stack", "stack:3" or "module"; nullopt for other strings.
  [[nodiscard]] static std::optional<Grouping> parse(std::string_view text);
};

/// One row: host events, or GPU activity with the same name.
struct OperatorRow {
  std::string_view name;  ///< as listed_name()
  std::string_view key;   ///< shapes, stack or module; of GPU activity, only the module of a kernel in a CUDA graph
  bool on_device = false;
  bool annotation = false;  ///< a user annotation, whose time includes that of other rows
  std::uint64_t calls = 0;
  Ns self_cpu = 0;
  Ns self_cpu_after_steps = 0;  ///< part of self_cpu in events that start after their rank's last step
  Ns cpu_total = 0;
  Ns self_device = 0;
  Ns device_total = 0;
  std::int64_t cpu_memory = 0;
  std::int64_t self_cpu_memory = 0;
  std::int64_t device_memory = 0;
  std::int64_t self_device_memory = 0;
  Ns tensor_cores = 0;  ///< part of self_device in kernels that use Tensor Cores
};

struct OperatorRows {
  std::vector<OperatorRow> rows;  ///< by first start
  TextIds texts;                  ///< owns the keys
  Ns self_cpu = 0;                ///< sum over rows on the host
  Ns self_device = 0;             ///< sum over rows on devices, without annotations
  bool with_memory = false;       ///< the traces record allocations
  bool recorded = false;          ///< the traces record the grouping key; true for By::name
  std::string unread;             ///< why arguments (and therefore memory or groups) are missing for some ranks
};

[[nodiscard]] OperatorRows operator_rows(const AnalysisInput& input, const Grouping& grouping);

}  // namespace warpscope::analysis
