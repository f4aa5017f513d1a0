// DataParallel: one process uses several GPUs through torch.nn.DataParallel.
#include <fmt/format.h>

#include <algorithm>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/rules/kineto/named_calls.hpp"
#include "core/rules/kineto/profile_rule.hpp"

namespace warpscope::rules::registered::data_parallel {

namespace {

/// True for PyTorch's annotation of the forward pass or, in traces with Python stacks, for the module.
bool is_data_parallel(std::string_view name) {
  return name == "DataParallel.forward" || name.starts_with("nn.Module: DataParallel_");
}

Outcome evaluate(const RuleInput& input) {
  Facts& facts = input.facts;
  if (auto outcome = too_little(facts)) return *outcome;
  std::map<std::uint32_t, std::size_t> gpus_of_rank;
  for (const GpuWindow& gpu : facts.gpus()) ++gpus_of_rank[gpu.rank];
  std::erase_if(gpus_of_rank, [](const auto& each) { return each.second < 2; });
  if (gpus_of_rank.empty()) return {Verdict::not_evaluable, "No process uses multiple GPUs.", {}};
  std::vector<Place> places;
  std::size_t most = 0;
  Ns time = 0;
  for (const GpuWindow& gpu : facts.gpus()) {
    const auto found = gpus_of_rank.find(gpu.rank);
    if (found == gpus_of_rank.end() || facts.cancelled()) continue;
    for (const NamedCall& call : named_calls(facts, gpu.rank, is_data_parallel)) {
      if (!touches({gpu.host}, call.time)) continue;
      most = std::max(most, found->second);
      time = saturating_add(time, call.time.length());
      places.push_back(at_slice(facts, gpu.rank, call.slice));
    }
    keep_longest(places);
    gpus_of_rank.erase(found);
  }
  // Its cost consists of idle time, copies between GPUs and late launches, which other rules measure.
  return judged(most > 0,
                {fmt::format("One process uses {} through DataParallel, which copies the model to all of them in each "
                             "step and gathers the outputs on the first.",
                             counted(most, "GPU", "GPUs")),
                 "", 0, 0, false, std::move(places)},
                most > 0 ? fmt::format("DataParallel calls take {}.", facts.a_step(time))
                         : "No process with multiple GPUs calls DataParallel.");
}

}  // namespace

extern const Rule kRule{"DataParallel",
                        "DataParallel used",
                        "A process with several active GPUs calls torch.nn.DataParallel.",
                        {},
                        evaluate,
                        "Use DistributedDataParallel with one process per GPU (torchrun): it keeps a copy of the model "
                        "on each GPU and communicates during the backward pass, and its processes do not share a GIL."};

}  // namespace warpscope::rules::registered::data_parallel
