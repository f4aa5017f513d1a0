#include "render/charts/kernel_label.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/ascii.hpp"
#include "render/scene/display_name.hpp"

namespace warpscope::charts {

namespace {

// Functions that only carry another one.
constexpr std::array<std::string_view, 12> kWrappers{"gpu_kernel_impl", "gpu_kernel_impl_nocast", "func_wrapper_t",
                                                     "binaryfunctor",   "aunaryfunctor",          "bunaryfunctor",
                                                     "unaryfunctor",    "binaryopscalarfunctor",  "functor",
                                                     "opmathfunctor",   "gpu_reduce_kernel",      "kernel"};
constexpr std::array<std::string_view, 3> kPrefixes{"CUDAFunctorOnSelf_", "CUDAFunctorOnOther_", "CUDAFunctor_"};
constexpr std::array<std::string_view, 9> kSuffixes{
    "_kernel_cuda", "_cuda_kernel", "_kernel_impl", "_kernel", "_functor", "Functor_", "Functor", "_cuda", "_out"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool names_function(std::string_view word) {
  const std::string folded = lower(word);
  if (std::ranges::find(kWrappers, folded) != kWrappers.end()) return false;
  if (folded.find("traits") != std::string::npos || folded.find("param") != std::string::npos) return false;
  return folded.find("functor") != std::string::npos || folded.find("_kernel") != std::string::npos ||
         folded.ends_with("_cuda");
}

std::string_view bare(std::string_view word) {
  for (const std::string_view prefix : kPrefixes)
    if (word.starts_with(prefix)) return word.substr(prefix.size());
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view suffix : kSuffixes) {
      if (!word.ends_with(suffix) || word.size() == suffix.size()) continue;
      word.remove_suffix(suffix.size());
      cut = true;
    }
  }
  return word;
}

/// The first function that template arguments name; "" if they name none.
std::string_view function_in(std::string_view arguments, std::string_view base) {
  for (std::size_t i = 0; i < arguments.size();) {
    if (!is_word(arguments[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < arguments.size() && is_word(arguments[end])) ++end;
    const std::string_view word = arguments.substr(i, end - i);
    if (word != base && names_function(word)) return bare(word);
    i = end;
  }
  return {};
}

}  // namespace

std::string kernel_label(std::string_view name) {
  const std::string_view shown = scene::display_name(name);
  const std::size_t colons = shown.rfind("::");
  const std::string_view base =
      colons == std::string_view::npos || colons + 2 == shown.size() ? shown : shown.substr(colons + 2);
  const std::size_t at = name.find(base);
  if (at == std::string_view::npos || base.empty()) return std::string(shown);
  const std::string_view rest = name.substr(at + base.size());
  if (!rest.starts_with('<')) return std::string(base);
  const std::string_view function = function_in(rest, base);
  return function.empty() ? std::string(base) : std::string(function) + " · " + std::string(base);
}

}  // namespace warpscope::charts
