#include "core/analysis/efficiency/device_peaks.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/ascii.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::analysis {

namespace {

// The more specific pattern comes first.
constexpr std::array kPeaks{
    // pattern, memory, vector, fp64, tf32, half, fp8, int8, fp4
    DevicePeaks{"gb200", 8.0, 80, 40, 1250, 2500, 5000, 5000, 10000},
    DevicePeaks{"b200", 8.0, 75, 40, 1125, 2250, 4500, 4500, 9000},
    DevicePeaks{"gh200", 4.9, 67, 67, 494.7, 989.4, 1978.9, 1978.9, 0},
    DevicePeaks{"h200", 4.8, 67, 67, 494.7, 989.4, 1978.9, 1978.9, 0},
    DevicePeaks{"h100 pcie", 2.04, 51.2, 51.2, 378, 756, 1513, 1513, 0},
    DevicePeaks{"h100 nvl", 3.94, 60, 60, 417.5, 835, 1670.5, 1670.5, 0},
    DevicePeaks{"h100", 3.35, 67, 67, 494.7, 989.4, 1978.9, 1978.9, 0},
    DevicePeaks{"h800", 3.35, 67, 1, 494.7, 989.4, 1978.9, 1978.9, 0},
    DevicePeaks{"h20", 4.0, 44, 1, 74, 148, 296, 296, 0},
    DevicePeaks{"a100-sxm4-80gb", 2.04, 19.5, 19.5, 156, 312, 0, 624, 0},
    DevicePeaks{"a100 80gb", 1.94, 19.5, 19.5, 156, 312, 0, 624, 0},
    DevicePeaks{"a100", 1.56, 19.5, 19.5, 156, 312, 0, 624, 0},
    DevicePeaks{"a800", 2.04, 19.5, 9.7, 156, 312, 0, 624, 0},
    DevicePeaks{"a10g", 0.6, 35, 0, 35, 70, 0, 140, 0},
    DevicePeaks{"a10", 0.6, 31.2, 0, 62.5, 125, 0, 250, 0},
    DevicePeaks{"a40", 0.696, 37.4, 0, 74.8, 149.7, 0, 299.3, 0},
    DevicePeaks{"l40s", 0.864, 91.6, 0, 183, 362, 733, 733, 0},
    DevicePeaks{"l40", 0.864, 90.5, 0, 90.5, 181, 362, 362, 0},
    DevicePeaks{"l4", 0.3, 30.3, 0, 60, 121, 242, 242, 0},
    DevicePeaks{"v100-sxm3", 0.98, 16.4, 8.2, 0, 131, 0, 0, 0},
    DevicePeaks{"v100-pcie", 0.9, 14, 7, 0, 112, 0, 0, 0},
    DevicePeaks{"v100", 0.9, 15.7, 7.8, 0, 125, 0, 0, 0},
    DevicePeaks{"t4", 0.32, 8.1, 0, 0, 65, 0, 130, 0},
    DevicePeaks{"rtx 2080 ti", 0.616, 13.4, 0, 0, 107.6, 0, 215.2, 0},
    DevicePeaks{"rtx 3090", 0.936, 35.6, 0, 35.6, 142, 0, 284, 0},
    DevicePeaks{"rtx 4090", 1.01, 82.6, 0, 82.6, 330.3, 660.6, 660.6, 0},
    DevicePeaks{"mi355", 8.0, 157.3, 78.6, 0, 2516.6, 5033.2, 5033.2, 10066},
    DevicePeaks{"mi350", 8.0, 144.2, 72.1, 0, 2306.9, 4613.7, 4613.7, 9227},
    DevicePeaks{"mi325", 6.0, 163.4, 163.4, 653.7, 1307.4, 2614.9, 2614.9, 0},
    DevicePeaks{"mi300a", 5.3, 122.6, 122.6, 490.3, 980.6, 1961.2, 1961.2, 0},
    DevicePeaks{"mi300", 5.3, 163.4, 163.4, 653.7, 1307.4, 2614.9, 2614.9, 0},
    // One of the two dies; the driver lists each die as a device.
    DevicePeaks{"mi250x", 1.64, 47.9, 47.9, 0, 191.5, 0, 191.5, 0},
    DevicePeaks{"mi250", 1.64, 45.3, 45.3, 0, 181, 0, 181, 0},
    DevicePeaks{"mi210", 1.64, 45.3, 45.3, 0, 181, 0, 181, 0},
    DevicePeaks{"mi100", 1.23, 46.1, 11.5, 0, 184.6, 0, 184.6, 0},
};

struct NamedRate {
  std::string_view name;
  double DevicePeaks::*rate;
};
constexpr std::array<NamedRate, 9> kRates{{{"memory", &DevicePeaks::memory},
                                           {"fp32", &DevicePeaks::vector},
                                           {"fp64", &DevicePeaks::fp64},
                                           {"tf32", &DevicePeaks::tf32},
                                           {"bf16", &DevicePeaks::half},
                                           {"fp16", &DevicePeaks::half},
                                           {"fp8", &DevicePeaks::fp8},
                                           {"int8", &DevicePeaks::int8},
                                           {"fp4", &DevicePeaks::fp4}}};

/// True if the name contains the pattern, not followed by a letter or digit: "a100" does not contain "a10".
bool contains_word(std::string_view name, std::string_view pattern) {
  for (std::size_t at = name.find(pattern); at != name.npos; at = name.find(pattern, at + 1)) {
    const auto is_part = [&](std::size_t i) { return i < name.size() && is_digit(name[i]); };
    const bool starts = at == 0 || (lower(name[at - 1]) < 'a' || lower(name[at - 1]) > 'z');
    if (starts && !is_part(at + pattern.size())) return true;
  }
  return false;
}

}  // namespace

double DevicePeaks::of_products(std::string_view type, bool matrix_units) const {
  if (type == "fp32") return matrix_units && tf32 > 0 ? tf32 : vector;
  const auto* const found = std::ranges::find(kRates, type, &NamedRate::name);
  return found == kRates.end() || type == "memory" ? 0 : this->*found->rate;
}

std::optional<DevicePeaks> peaks_of(std::string_view model) {
  const std::string name = lower(model);
  for (const DevicePeaks& peaks : kPeaks)
    if (contains_word(name, peaks.pattern)) return peaks;
  return std::nullopt;
}

Failure set_peaks(DevicePeaks& peaks, std::string_view text) {
  for (const std::string_view word : parts_of(text, " ,")) {
    if (word.empty()) continue;
    const std::size_t equals = word.find('=');
    const auto* const named = std::ranges::find(kRates, word.substr(0, equals), &NamedRate::name);
    const auto value = equals == word.npos ? std::nullopt : parse_number<double>(word.substr(equals + 1));
    if (named == kRates.end() || !value || !std::isfinite(*value) || *value <= 0)
      return Error{"peak " + std::string(word), "is not a rate",
                   "use NAME=NUMBER with memory (TB/s), or fp32, tf32, bf16, fp16, fp8, fp4, int8, fp64 (TFLOP/s)"};
    peaks.*named->rate = *value;
  }
  return std::nullopt;
}

Result<PeaksOfModels> PeaksOfModels::with(std::string_view changes) {
  DevicePeaks checked;
  if (Failure wrong = set_peaks(checked, changes)) return *wrong;
  return PeaksOfModels(changes);
}

const DevicePeaks* PeaksOfModels::of(const std::string& model) {
  const auto [entry, fresh] = by_model_.try_emplace(model);
  if (fresh) {
    std::optional<DevicePeaks> peaks = peaks_of(model);
    if (!peaks && !changes_.empty()) peaks = DevicePeaks{};
    if (peaks) (void)set_peaks(*peaks, changes_);
    entry->second = peaks;
  }
  return entry->second ? &*entry->second : nullptr;
}

std::string PeaksOfModels::unknown() const {
  std::string models;
  for (const auto& [model, peaks] : by_model_)
    if (!peaks) models += (models.empty() ? "" : ", ") + (model.empty() ? std::string("(not recorded)") : model);
  return models.empty() ? ""
                        : "Peak rates of " + models +
                              " are unknown, so no peak share is shown; set the rates with the peak parameter.";
}

}  // namespace warpscope::analysis
