// UnfusedAttention: softmax kernels that read and write whole matrices of attention scores.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>

#include "core/analysis/shared/tensor_cores.hpp"
#include "core/base/ascii.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/profile_rule.hpp"
#include "core/trace/kernel_label.hpp"

namespace warpscope::rules::registered::unfused_attention {

namespace {

constexpr std::array kParameters{share_parameter("0.05")};

/// True for plain softmax kernels; false for those that compilers fused with other work and for the log-softmax of
/// losses.
bool is_softmax(std::string_view kernel) {
  const std::string name = lower(kernel);
  const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
  return has("softmax") && !has("logsoftmax") && !has("log_softmax") && !has("triton") && !has("flash") && !has("fmha");
}

constexpr std::size_t kBetween = 4;  // scaling, masking and dropout may run between softmax and the next product

/// True if a matrix product follows on the stream, as in attention (scores · values). This is not the case for the
/// softmax of a loss, of sampling or of a router.
bool precedes_product(const trace::Profile& profile, std::span<const analysis::GpuRow> rows, std::size_t softmax) {
  std::size_t seen = 0;
  for (std::size_t i = softmax + 1; i < rows.size() && seen < kBetween; ++i) {
    if (rows[i].track != rows[softmax].track) continue;
    ++seen;
    if (analysis::tensor_core_use(profile.names().view(rows[i].name)) != analysis::TensorCoreUse::not_eligible)
      return true;
  }
  return false;
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  std::map<NameId, bool> known;
  std::map<NameId, Ns> by_name;
  std::vector<Place> places;
  Ns softmax = 0;
  for (const GpuWindow& gpu : facts.gpus()) {
    if (facts.cancelled()) break;
    const auto rows = facts.rows(gpu);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const analysis::GpuRow& row = rows[i];
      if (row.kind != analysis::KernelClass::computation) continue;
      const std::string_view name = facts.profile().names().view(row.name);
      const auto [entry, fresh] = known.try_emplace(row.name, false);
      if (fresh) entry->second = is_softmax(name);
      if (!entry->second || !precedes_product(facts.profile(), rows, i)) continue;
      const Ns time = analysis::common_length(row.time, gpu.parts);
      if (time <= 0) continue;
      softmax += time;
      by_name[row.name] += time;
      places.push_back(on_gpu(facts, gpu, row.time, "", row.slice));
    }
    keep_longest(places);
  }
  return judged(facts.matters(softmax, input.values.real(kShare)),
                {.headline = fmt::format("Softmax kernels take {} ({}).", facts.of_step(softmax),
                                         format_share(facts.share(softmax))),
                 .advice = "Use scaled_dot_product_attention, which keeps the scores on chip (Transformers: "
                           "attn_implementation=\"sdpa\"). "
                           "This also speeds up the matrix products around softmax.",
                 .cost = softmax,
                 .saving = softmax,
                 .places = std::move(places),
                 .evidence = bars_by_name(facts, "Softmax time by kernel", by_name, trace::kernel_label),
                 .evidence_lines = {"They read and write whole score matrices: attention is not fused."}},
                fmt::format("Softmax kernels take {}.", facts.a_step(softmax)));
}

}  // namespace

extern const Rule kRule{"UnfusedAttention",
                        "Attention not fused",
                        "Softmax kernels followed by a matrix product, as in unfused attention, take at least 5 "
                        "% of the evaluated time.",
                        kParameters,
                        evaluate,
                        "Use scaled_dot_product_attention."};

}  // namespace warpscope::rules::registered::unfused_attention
