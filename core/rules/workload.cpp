#include "core/rules/workload.hpp"

#include <algorithm>
#include <array>

#include "core/trace/annotation_family.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::rules {

namespace {

constexpr std::array<std::string_view, 4> kServers{"vllm", "sglang", "sgl_kernel", "tensorrt_llm"};
constexpr std::array<std::string_view, 4> kTrains{"autograd::engine::evaluate_function", "Optimizer.step", "Backward",
                                                  "backward"};
constexpr std::array<std::string_view, 4> kXla{"XlaModule", "jit_", "PjRt", "ThunkExecutor"};

bool has_any(std::string_view name, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

}  // namespace

bool captures_graphs(std::string_view name) {
  return name.starts_with("capture_") && (name.ends_with("_FULL") || name.ends_with("_PIECEWISE"));
}

Workload workload_of(const trace::Profile& profile) {
  bool server = false;
  bool trains = false;
  bool operators = false;
  bool xla = false;
  for (NameId id = 0; id < profile.names().size(); ++id) {
    const std::string_view name = profile.names().view(id);
    server = server || has_any(name, kServers) || captures_graphs(name) || trace::is_inference_iteration(name);
    trains = trains || has_any(name, kTrains);
    operators = operators || name.starts_with("aten::");
    xla = xla || has_any(name, kXla);
  }
  if (server && !trains) return Workload::server;
  if (trains) return Workload::training;
  if (operators) return Workload::inference;
  return xla ? Workload::compiled : Workload::unknown;
}

}  // namespace warpscope::rules
