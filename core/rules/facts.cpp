#include "core/rules/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/intervals.hpp"
#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/threads/parallel_for.hpp"

namespace warpscope::rules {

namespace {

constexpr Ns kLeastTime = 100'000;  // per step

}  // namespace

Facts::Facts(const analysis::AnalysisInput& input, const std::string& kernel_rules, const analysis::LeastShares& least)
    : input_(input),
      kernel_rules_(kernel_rules),
      least_(least),
      rows_(input.profile, {input.scope.ranks, {}}, {.rules = kernel_rules}, input.cancel, input.shared),
      host_(input.profile.ranks.size()),
      stalls_(input.profile.ranks.size()) {}

const Facts::Window& Facts::window() {
  if (window_) return *window_;
  window_ = find_window();
  accounts_.resize(window_->gpus.size());
  return *window_;
}

std::shared_ptr<const RankRows> Facts::rank_rows(std::uint32_t rank) {
  if (!rank_rows_ || rank_rows_->rank != rank) {
    rank_rows_.reset();  // before the next rank's rows are built, to save memory
    rank_rows_ = std::make_shared<const RankRows>(rank, rows_.of(rank));
  }
  return rank_rows_;
}

Facts::Window Facts::window_of(std::uint32_t r, const analysis::EvaluatedRank& time) {
  Window found;
  if (time.gpu.empty()) return found;
  const RankRows rows(r, rows_.of(r));
  for (const analysis::GpuRow& row : *rows.rows) found.kernels += trace::is_kernel(row.role) ? 1 : 0;
  found.gpus = analysis::gpu_windows(input_.profile, r, rows.by_device, time,
                                     times_of(host(r).of(analysis::HostWork::profiler)));
  for (const GpuWindow& gpu : found.gpus) {
    found.total = saturating_add(found.total, gpu.length());
    found.steps += gpu.steps;
  }
  return found;
}

Facts::Window Facts::find_window() {
  Window found;
  const auto evaluated = analysis::evaluated_time(input_.profile, input_.cancel, input_.shared);
  (void)work_names();
  const std::vector<std::uint32_t>& ranks = rows_.ranks();
  std::vector<Window> of_rank(ranks.size());
  parallel_for(ranks.size(), analysis::analysis_threads(), [&](std::size_t i) {
    if (!cancelled()) of_rank[i] = window_of(ranks[i], evaluated->ranks[ranks[i]]);
  });
  for (Window& rank : of_rank) {
    found.total = saturating_add(found.total, rank.total);
    found.steps += rank.steps;
    found.kernels += rank.kernels;
    std::ranges::move(rank.gpus, std::back_inserter(found.gpus));
  }
  if (found.gpus.empty()) return found;
  found.no_steps_reason = evaluated->no_steps;
  found.by_steps = found.no_steps_reason.empty();
  std::set<std::tuple<std::string_view, std::int64_t, std::uint32_t>>
      devices;  // several recordings of a rank count once
  for (const GpuWindow& gpu : found.gpus)
    devices.emplace(input_.profile.ranks[gpu.rank]->host, input_.profile.ranks[gpu.rank]->number, gpu.device);
  const std::string gpus = counted(devices.size(), "GPU", "GPUs");
  const auto with_steps = std::ranges::count_if(found.gpus, [](const GpuWindow& gpu) { return gpu.steps > 0; });
  if (found.by_steps) {
    found.note = fmt::format(
        "Evaluated: {} on {}{}.", counted(found.steps / found.gpus.size(), "step", "steps"), gpus,
        evaluated->trimmed ? ", excluding the first and last, which include profiler startup and shutdown" : "");
  } else if (with_steps > 0) {
    found.steps = 0;  // no mean per step
    found.note =
        fmt::format("Evaluated: {} ({} during their steps, the others from first to last activity).", gpus, with_steps);
  } else {
    found.note = fmt::format("Evaluated: {} from first to last activity, because {}.", gpus, found.no_steps_reason);
  }
  return found;
}

bool Facts::of_pytorch() const { return analysis::of_pytorch(profile(), input_.scope); }

Workload Facts::workload() {
  if (!workload_) workload_ = workload_of(input_.profile);
  return *workload_;
}

Ns Facts::mean(Ns time) {
  const std::size_t parts = steps() > 0 ? steps() : gpus().size();
  return parts > 0 ? time / static_cast<Ns>(parts) : 0;
}

std::string Facts::of_step(Ns time) {
  return steps() > 0 ? fmt::format("{} of each {} step", format_duration(mean(time)), format_duration(mean(total())))
                     : fmt::format("{} of {}", format_duration(mean(time)), format_duration(mean(total())));
}

std::string Facts::a_step(Ns time) { return format_duration(mean(time)) + (steps() > 0 ? " per step" : ""); }

bool Facts::matters(Ns time, double least_share) {
  return time > 0 && share(time) >= least_share && mean(time) >= kLeastTime;
}

const analysis::SpecialCalls& Facts::host(std::uint32_t rank) {
  std::optional<analysis::SpecialCalls>& calls = host_[rank];
  if (!calls) calls.emplace(input_.profile, rank, work_names(), input_.cancel);
  return *calls;
}

void Facts::note(std::uint32_t rank, const analysis::HostChain& chain) {
  stalls_[rank] = chain.stalls();
  const RankRows rows(rank, rows_.of(rank));
  const std::vector<GpuWindow>& gpus = window_->gpus;
  const auto of_rank = std::ranges::equal_range(gpus, rank, {}, &GpuWindow::rank);
  for (auto own = of_rank.begin(); own != of_rank.end(); ++own)
    accounts_[static_cast<std::size_t>(own - gpus.begin())] =
        analysis::time_account(input_.profile, *own, rows_, rows.by_device.of(own->device), chain, *waits_);
}

const analysis::TimeAccount& Facts::account(std::size_t gpu) {
  (void)faults();
  if (accounts_[gpu]) return *accounts_[gpu];
  const std::uint32_t rank = gpus()[gpu].rank;
  note(rank, analysis::HostChain(input_.profile, rank, *rows(rank), work_names(), input_.cancel));
  return *accounts_[gpu];
}

analysis::HostChain Facts::chain(std::uint32_t rank, Interval time) {
  return {input_.profile, rank, {}, work_names(), input_.cancel, time};
}

const analysis::HostWorkNames& Facts::work_names() {
  if (!work_names_) work_names_.emplace(input_.profile);
  return *work_names_;
}

const std::vector<analysis::HostStall>& Facts::stalls(std::uint32_t rank) {
  const auto first = std::ranges::lower_bound(gpus(), rank, {}, &GpuWindow::rank);
  if (first != gpus().end() && first->rank == rank) (void)account(static_cast<std::size_t>(first - gpus().begin()));
  return stalls_[rank];
}

std::shared_ptr<const analysis::CallTree> Facts::tree(std::uint32_t rank) {
  return analysis::shared_call_tree(input_.profile, rank, {}, input_.cancel, input_.shared);
}

namespace {

/// Returns the input with the parameters of analyses that compare ranks.
analysis::AnalysisInput comparing(analysis::AnalysisInput input, const std::string& kernel_rules) {
  const std::array settings{analysis::Setting{std::string(analysis::kKernelClassParameter.name), kernel_rules}};
  if (auto values = analysis::ParameterValues::parse(analysis::find_analysis("what_if")->parameters, settings))
    input.values = std::move(*values);
  return input;
}

}  // namespace

const analysis::RankComparison& Facts::comparison() {
  if (!comparison_) comparison_ = analysis::compare_ranks(comparing(input_, kernel_rules_));
  return *comparison_;
}

const analysis::JobFaults& Facts::faults() {
  if (faults_) return *faults_;
  (void)gpus();
  (void)waits();
  faults_ = analysis::shared_faults(
      comparing(input_, kernel_rules_),
      [&](std::uint32_t rank, const analysis::HostChain& chain) { note(rank, chain); }, least_);
  return *faults_;
}

Message Facts::message_of(std::uint32_t rank, const analysis::GpuRow& kernel) {
  const analysis::JobEvents& job = comparison().matches().job;
  if (!events_) events_.emplace(job);
  Message message{.kind = analysis::collective_kind_of(input_.profile.names().view(kernel.name))};
  if (const auto event = events_->find(job, rank, kernel.slice)) {
    const analysis::CommunicationEvent& of = job.events[*event];
    if (of.signature != analysis::kNoIndex) message.kind = job.signatures[of.signature].kind;
    message.bytes = static_cast<double>(std::max<std::int64_t>(0, of.in_elements)) * of.element_bytes;
  }
  if (analysis::is_point_to_point(message.kind)) message.kind = analysis::CollectiveKind::send_receive;
  return message;
}

const analysis::CollectiveWaits& Facts::waits() {
  if (!waits_) waits_ = analysis::CollectiveWaits(comparison());
  return *waits_;
}

std::vector<Interval> Facts::either(std::size_t gpu, analysis::TimeLabel one, analysis::TimeLabel other) {
  std::vector<Interval> time = account(gpu).of(one);
  const std::vector<Interval>& more = account(gpu).of(other);
  time.insert(time.end(), more.begin(), more.end());
  return joined(std::move(time));
}

std::string_view Facts::operator_of(std::uint32_t rank_index, trace::SliceOrdinal call) {
  const trace::Rank& rank = *input_.profile.ranks[rank_index];
  const auto calls = tree(rank_index);
  for (trace::SliceOrdinal at = call; at != analysis::CallTree::kNone && calls->is_call(at); at = calls->parent(at))
    if (input_.profile.categories().role(rank.category(at)) == trace::Role::op)
      return input_.profile.names().view(rank.name(at));
  return {};
}

std::string Facts::code_of(std::uint32_t rank_index, trace::SliceOrdinal call) {
  const trace::Rank& rank = *input_.profile.ranks[rank_index];
  const auto calls = tree(rank_index);
  std::string_view function;
  std::string_view module;
  std::string_view annotation;
  for (trace::SliceOrdinal at = call; at != analysis::CallTree::kNone && calls->is_call(at); at = calls->parent(at)) {
    const std::string_view name = input_.profile.names().view(rank.name(at));
    const trace::Role role = input_.profile.categories().role(rank.category(at));
    if (role == trace::Role::annotation && annotation.empty() &&
        std::ranges::none_of(rank.steps, [&](const trace::Step& step) { return step.name == rank.name(at); }))
      annotation = name;
    if (role != trace::Role::python) continue;
    if (name.starts_with("nn.Module: ")) {
      if (module.empty()) module = name;
    } else if (function.empty() && !name.starts_with('<') && !name.starts_with("torch/") &&
               name.find("site-packages") == std::string_view::npos && name.find("/torch/") == std::string_view::npos) {
      function = name;
    }
  }
  if (function.empty() && module.empty()) return std::string(annotation);
  if (function.empty() || module.empty()) return std::string(function.empty() ? module : function);
  return fmt::format("{} ({})", function, module);
}

}  // namespace warpscope::rules
