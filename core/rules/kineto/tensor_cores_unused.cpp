// TensorCoresUnused: matrix products and convolutions that do not use the GPU's Tensor Cores.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "core/analysis/shared/tensor_cores.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/device_properties.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::tensor_cores_unused {

namespace {

constexpr std::array kParameters{share_parameter("0.2")};
constexpr std::int64_t kVolta = 7;  // first generation with Tensor Cores

using analysis::TensorCoreUse;

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  std::map<NameId, TensorCoreUse> uses;
  std::map<NameId, Ns> by_name;
  std::vector<Place> places;
  Ns unused = 0;
  Ns used = 0;
  bool any = false;
  bool bf16 = true;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (facts.cancelled()) break;
    const trace::Rank& rank = *facts.profile().ranks[gpu.rank];
    const auto major = device_property(rank, rank.devices[gpu.device].id, "computeMajor");
    if (!major || *major < kVolta || rank.properties.contains("hip_runtime_version")) continue;
    any = true;
    bf16 = bf16 && has_bf16(rank, rank.devices[gpu.device].id);
    const auto rows = facts.rows(gpu);
    for (const analysis::GpuRow& row : rows) {
      if (row.kind != analysis::KernelClass::computation) continue;
      const std::string_view name = facts.profile().names().view(row.name);
      const auto [use, fresh] = uses.try_emplace(row.name, TensorCoreUse::not_eligible);
      if (fresh) use->second = analysis::tensor_core_use(name);
      if (use->second == TensorCoreUse::not_eligible) continue;
      const Ns time = analysis::common_length(row.time, gpu.parts);
      if (time <= 0) continue;
      (use->second == TensorCoreUse::used ? used : unused) += time;
      if (use->second == TensorCoreUse::used) continue;
      by_name[row.name] += time;
      places.push_back(on_gpu(facts, gpu, row.time, "", row.slice));
    }
    keep_longest(places);
  }
  if (!any)
    return {
        Verdict::not_evaluable, "No GPU in these traces is known to have Tensor Cores (NVIDIA, Volta or later).", {}};
  const auto most = std::ranges::max_element(by_name, {}, [](const auto& each) { return each.second; });
  const bool trains = !is_inference(facts.workload());
  const std::string name = most == by_name.end() ? "" : trace::kernel_label(facts.profile().names().view(most->first));
  return judged(
      facts.matters(unused, input.values.real(kShare)),
      {.headline = fmt::format("Matrix products without Tensor Cores take {} ({}).", facts.of_step(unused),
                               format_share(facts.share(unused))),
       .advice = std::string(trains ? "Train in mixed precision: torch.autocast with " : "Run the model in ") +
                 (bf16 ? "bf16, or torch.set_float32_matmul_precision(\"high\") for TF32." : "fp16.") +
                 " The estimated savings are at most half of this time.",
       .cost = unused,
       .saving = unused / 2,
       .places = std::move(places),
       .evidence = bars_by_name(facts, "Time without Tensor Cores, by kernel", by_name, trace::kernel_label),
       .evidence_lines = {fmt::format("They are matrix products and convolutions, mostly {}.", name)}},
      fmt::format("Matrix products and convolutions take {} without Tensor Cores, {} with them.", facts.a_step(unused),
                  facts.a_step(used)));
}

}  // namespace

extern const Rule kRule{"TensorCoresUnused",
                        "Tensor Cores unused",
                        "Matrix products and convolutions that do not use Tensor Cores, judging by kernel "
                        "names, take at least 20 % of the evaluated time.",
                        kParameters,
                        evaluate,
                        "Train in mixed precision: torch.autocast."};

}  // namespace warpscope::rules::registered::tensor_cores_unused
