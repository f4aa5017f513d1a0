#include "tests/tracegen/faults.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace warpscope::tracegen {
namespace {

constexpr std::array<FaultInfo, 7> kFaults{{
    {FaultKind::slow_kernels, "slow-kernels", "kernel", "all kernels take VALUE times as long"},
    {FaultKind::slow_kernel, "slow-kernel", "kernel", "kernels whose name contains N take VALUE times as long"},
    {FaultKind::slow_host, "slow-host", "host", "work of the host takes VALUE times as long"},
    {FaultKind::data_loader, "data-loader", "host", "the data loader takes VALUE ms longer"},
    {FaultKind::gc_pause, "gc", "host", "garbage collection stops the host for VALUE ms"},
    {FaultKind::slow_copies, "slow-copies", "mem", "memcpys and memsets take VALUE times as long"},
    {FaultKind::slow_link, "slow-link", "transfer", "transfers in groups of kind N take VALUE times as long"},
}};

std::optional<double> number(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (copy.empty() || end != copy.c_str() + copy.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<int> index(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

/// Removes `text` up to the first `mark` and returns the part before it.
std::string_view take(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view part = text.substr(0, at);
  text = at == std::string_view::npos ? std::string_view{} : text.substr(at + 1);
  return part;
}

bool applies(const Fault& fault, FaultKind kind, int rank, int step) {
  return fault.kind == kind && fault.rank == rank && (fault.step == Fault::kEveryStep || fault.step == step);
}

}  // namespace

std::span<const FaultInfo> all_faults() { return kFaults; }

std::optional<Fault> parse_fault(std::string_view text) {
  Fault fault;
  const std::string_view kind = take(text, '@');
  const std::optional<int> rank = index(take(text, '='));
  const std::optional<double> value = number(take(text, ','));
  if (!rank || !value || *value < 0) return std::nullopt;
  fault.rank = *rank;
  fault.value = *value;
  while (!text.empty()) {
    std::string_view field = take(text, ',');
    const std::string_view key = take(field, '=');
    if (key == "name" && !field.empty()) {
      fault.name = field;
    } else if (const std::optional<int> step = index(field); key == "step" && step) {
      fault.step = *step;
    } else {
      return std::nullopt;
    }
  }
  for (const FaultInfo& info : kFaults) {
    if (info.name != kind) continue;
    fault.kind = info.kind;
    return fault;
  }
  return std::nullopt;
}

std::int64_t fault_percent(std::span<const Fault> faults, FaultKind kind, int rank, int step, std::string_view name) {
  double factor = 1;
  for (const Fault& fault : faults)
    if (applies(fault, kind, rank, step) && name.find(fault.name) != std::string_view::npos) factor *= fault.value;
  return std::llround(100 * factor);
}

std::int64_t fault_ns(std::span<const Fault> faults, FaultKind kind, int rank, int step) {
  double ms = 0;
  for (const Fault& fault : faults)
    if (applies(fault, kind, rank, step)) ms += fault.value;
  return std::llround(1e6 * ms);
}

std::optional<NodeClock> parse_clock(std::string_view text) {
  const std::optional<int> node = index(take(text, ':'));
  const std::optional<double> ahead = number(take(text, ':'));
  const std::optional<double> gains = text.empty() ? std::optional(0.0) : number(text);
  if (!node || !ahead || !gains) return std::nullopt;
  return NodeClock{*node, std::llround(1e3 * *ahead), std::llround(1e3 * *gains)};
}

std::optional<Recorded> parse_late_start(std::string_view text) {
  const std::optional<int> rank = index(take(text, ':'));
  const std::optional<double> ms = number(text);
  if (!rank || !ms || *ms < 0) return std::nullopt;
  return Recorded{*rank, std::llround(1e6 * *ms)};
}

std::optional<Recorded> parse_missing_runs(std::string_view text) {
  const std::optional<int> rank = index(take(text, ':'));
  const std::optional<int> percent = index(text);
  if (!rank || !percent || *percent > 100) return std::nullopt;
  return Recorded{*rank, *percent};
}

}  // namespace warpscope::tracegen
