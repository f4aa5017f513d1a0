#include "core/trace/annotation_family.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

#include "core/base/ascii.hpp"

namespace warpscope::trace {

namespace {

constexpr std::string_view kIteration = "iteration";

std::optional<std::uint64_t> leading_number(std::string_view digits) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end != digits.data() ? std::optional(number) : std::nullopt;
}

/// Reads a number after `before`; nullopt if there is none.
std::optional<std::uint64_t> number_after(std::string_view name, std::string_view before) {
  const std::size_t at = name.find(before);
  if (at == std::string_view::npos) return std::nullopt;
  return leading_number(name.substr(at + before.size()));
}

/// Reads the number that ends where `after` starts.
std::optional<std::uint64_t> number_before(std::string_view name, std::string_view after) {
  const std::size_t end = name.find(after);
  if (end == std::string_view::npos) return std::nullopt;
  std::size_t begin = end;
  while (begin > 0 && std::isdigit(static_cast<unsigned char>(name[begin - 1]))) --begin;
  return leading_number(name.substr(begin, end - begin));
}

}  // namespace

IterationPhase iteration_phase(std::string_view name) {
  if (name.starts_with("step[")) {
    if (name.find("bs=") == std::string_view::npos) return IterationPhase::none;
    if (name.find("MIXED") != std::string_view::npos) return IterationPhase::mixed;
    return name.find("DECODE") != std::string_view::npos ? IterationPhase::decode : IterationPhase::prefill;
  }
  auto prefill = number_after(name, "execute_context_");
  auto decode = number_after(name, ")_generation_");
  if (!prefill || !decode) {
    prefill = number_before(name, " ctx reqs");
    decode = number_before(name, " gen reqs");
  }
  if (!prefill || !decode) return IterationPhase::none;
  if (*prefill > 0) return *decode > 0 ? IterationPhase::mixed : IterationPhase::prefill;
  return IterationPhase::decode;
}

std::string_view annotation_family(std::string_view name) {
  if (is_inference_iteration(name)) return kIteration;
  std::size_t end = name.size();
  while (end > 0 && std::isdigit(static_cast<unsigned char>(name[end - 1]))) --end;
  if (end == name.size() || end == 0) return name;
  if (end > 1 && std::string_view("_#-:./ ").find(name[end - 1]) != std::string_view::npos) --end;
  return name.substr(0, end);
}

std::string step_family(const std::map<std::string, std::uint64_t>& families) {
  for (const char* preferred : {"ProfilerStep", "step", "Step:ModeKeys.TRAIN", "iteration"})
    if (families.contains(preferred)) return preferred;
  std::string best;
  std::uint64_t most = 0;
  for (const auto& [family, count] : families) {
    const std::string folded = lower(family);
    // "Optimizer.step#Adam.step" is PyTorch's range around the optimizer, not a training step.
    if (folded.find("step") == std::string::npos || folded.starts_with("optimizer")) continue;
    if (count > most) {
      most = count;
      best = family;
    }
  }
  return best;
}

}  // namespace warpscope::trace
