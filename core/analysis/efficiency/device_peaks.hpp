#pragma once
// Peak throughput by GPU model: matrix products by data type, other arithmetic, and memory. Rates come from vendor data
// sheets, without sparsity, for the model recorded in the trace. If several boards share a name, the highest rates are
// used, so percentages of the peak are never too high.
#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/analysis/request/parameters.hpp"
#include "core/base/result.hpp"

namespace warpscope::analysis {

/// TFLOP/s (TOP/s for int8) and TB/s; 0: the GPU has no such unit, or its rate is unknown.
struct DevicePeaks {
  std::string_view pattern;  ///< part of the model name, in lowercase
  double memory = 0;         ///< TB/s
  double vector = 0;         ///< fp32 without matrix units
  double fp64 = 0;           ///< products, with matrix units if the GPU has them
  double tf32 = 0;
  double half = 0;  ///< fp16 and bf16 products
  double fp8 = 0;
  double int8 = 0;
  double fp4 = 0;

  /// Returns the rate of matrix products for a data type (short name); for fp32 with `matrix_units`, the tf32 rate; 0
  /// if unknown.
  [[nodiscard]] double of_products(std::string_view type, bool matrix_units) const;
};

/// Returns the peak rates of a model such as "NVIDIA H100 80GB HBM3"; nullopt if it is unknown.
[[nodiscard]] std::optional<DevicePeaks> peaks_of(std::string_view model);

/// Overrides rates: "bf16=990 memory=3.35 fp32=67". Fails on unknown names, invalid numbers and rates that are not
/// positive.
[[nodiscard]] Failure set_peaks(DevicePeaks& peaks, std::string_view text);

inline constexpr Parameter kPeakParameter =
    text_parameter("peak",
                   "GPU peak rates, for unknown models or to override known ones: bf16=990 fp32=67 memory=3.35 "
                   "(TFLOP/s, memory in TB/s)");

/// Peak rates by model, including the user's overrides.
class PeaksOfModels {
 public:
  /// Errors: as set_peaks.
  [[nodiscard]] static Result<PeaksOfModels> with(std::string_view changes);

  /// Null for unknown models.
  [[nodiscard]] const DevicePeaks* of(const std::string& model);
  /// Returns a note listing the requested models whose rates are unknown; "" if all are known.
  [[nodiscard]] std::string unknown() const;

 private:
  explicit PeaksOfModels(std::string_view changes) : changes_(changes) {}

  std::string changes_;
  std::map<std::string, std::optional<DevicePeaks>> by_model_;
};

}  // namespace warpscope::analysis
