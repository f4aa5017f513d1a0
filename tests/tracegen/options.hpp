#pragma once
// Options of the generated job. They determine the output completely: equal options give equal bytes (for compressed
// files: with equal compressors).
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "tests/tracegen/defects.hpp"
#include "tests/tracegen/faults.hpp"

namespace warpscope::tracegen {

enum class Format : std::uint8_t { json, gz, zst };

/// White space: as printed by Kineto, none, json.dump's single line, json.dump(indent=2).
enum class Layout : std::uint8_t { kineto, minified, oneline, indented };

/// Dialect: today's (ns as µs with 3 decimals relative to a base time), 2023's (whole µs since the epoch), torch 1.8's
/// (categories Operator/Runtime/Kernel, tids "stream 7").
enum class Generation : std::uint8_t { current, y2023, torch_1_8 };

/// Program that wrote the files: PyTorch's profiler with Kineto or with its second CUDA backend, JAX, or a program that
/// writes its own Chrome traces.
enum class Writer : std::uint8_t { kineto, cuspy, jax, generic };

/// Tool that merged the files of all ranks into one; see merged_file.hpp.
enum class Merge : std::uint8_t { none, sglang, tracelens, veomni, pid, unlabeled };

/// A rank whose kernels take `percent` of the usual time.
struct Straggler {
  int rank = 0;
  int percent = 135;
};

/// A rank that waits for its data loader in one step (0-based).
struct Stall {
  int rank = 0;
  int step = 0;
  std::int64_t ns = 30'000'000;
};

/// Depth of the deepest Python stacks without wrappers.
inline constexpr int kModelDepth = 8;
inline constexpr int kDeepestPython = 9 * kModelDepth;

struct Options {
  int nodes = 1;
  int gpus = 2;  ///< per node; one rank per GPU
  int steps = 3;
  int layers = 2;
  std::int64_t slices = 0;  ///< approximate total; sets the number of steps (and fewer layers if needed); 0: no target
  std::uint64_t seed = 1;
  Format format = Format::json;
  Layout layout = Layout::kineto;
  Generation generation = Generation::current;
  Writer writer = Writer::kineto;
  Merge merge = Merge::none;
  bool host_folders = false;             ///< one folder per node
  bool shapes = false;                   ///< Input Dims, Input type, Input Strides, Concrete Inputs
  bool python = false;                   ///< python_function frames
  int python_depth = kModelDepth;        ///< of the deepest Python stacks, rounded to multiples of kModelDepth
  std::int64_t metrics_interval_ns = 0;  ///< interval of SageMaker Debugger's system metrics; 0: none
  std::vector<Straggler> stragglers;
  std::vector<Stall> stalls;
  std::vector<DefectAt> defects;
  int tensor = 1;        ///< ranks that share each layer
  int pipeline = 1;      ///< stages; the other ranks are replicas
  bool sharded = false;  ///< FSDP: parameters are gathered from all ranks in both passes, gradients are scattered
  int experts = 1;       ///< consecutive ranks that share the experts of each layer
  int microbatches = 4;  ///< with tensor or pipeline parallelism
  std::vector<Fault> faults;
  std::int64_t jitter_ns = 0;  ///< ranks leave a collective up to this late
  std::vector<NodeClock> clocks;
  std::vector<Recorded> late_starts;   ///< ns
  std::vector<Recorded> missing_runs;  ///< percent
  bool sequence_numbers = true;        ///< of collectives

  [[nodiscard]] int world() const { return nodes * gpus; }
  [[nodiscard]] bool parallel() const { return tensor > 1 || pipeline > 1; }
};

/// "demo": 2 nodes with 4 GPUs, about 150 000 slices, a straggler and a stall, compressed; "small": 2 ranks, small
/// enough to read in an editor; "bench": 8 ranks, 5 million slices. nullopt for any other name.
[[nodiscard]] std::optional<Options> preset(std::string_view name);

[[nodiscard]] std::optional<Format> parse_format(std::string_view name);
[[nodiscard]] std::optional<Layout> parse_layout(std::string_view name);
[[nodiscard]] std::optional<Generation> parse_generation(std::string_view name);
[[nodiscard]] std::optional<Writer> parse_writer(std::string_view name);
[[nodiscard]] std::optional<Merge> parse_merge(std::string_view name);

/// Parses the sampling interval of system metrics in milliseconds, as agents allow: 100, 200, 500, 1000, 5000 or 60000.
/// Returns ns.
[[nodiscard]] std::optional<std::int64_t> parse_metrics_interval(std::string_view text);

/// Parses "RANK" or "RANK:FACTOR" with a decimal factor such as 1.35.
[[nodiscard]] std::optional<Straggler> parse_straggler(std::string_view text);

/// Parses "RANK:STEP" or "RANK:STEP:MILLISECONDS".
[[nodiscard]] std::optional<Stall> parse_stall(std::string_view text);

}  // namespace warpscope::tracegen
