// Matrix products: 2·M·N·K operations, plus M·N for an added bias or matrix.
#include <fmt/format.h>

#include <array>

#include "core/analysis/efficiency/problem.hpp"

namespace warpscope::analysis {

namespace matrix_products {
namespace {

struct Sizes {
  double batch = 1, m = 0, n = 0, k = 0;
};

/// `output`: short name of the result type. `added`: bias or matrix to add; absent if none.
Problem product(const Sizes& of, const Operand& a, const Operand& b, std::string_view output, const Operand& added) {
  const double results = of.batch * of.m * of.n;
  Problem problem{.kind = ProblemKind::matrix_product, .dtype = std::string(short_type(a.type))};
  problem.flops = 2 * results * of.k + (added.is_tensor() ? results : 0);
  problem.bytes = a.bytes() + b.bytes() + results * size_of_type(output) + (added.is_tensor() ? added.bytes() : 0);
  problem.dims = fmt::format("{}M={:.0f} N={:.0f} K={:.0f}", of.batch == 1 ? "" : fmt::format("B={:.0f} ", of.batch),
                             of.m, of.n, of.k);
  return problem;
}

double at(const Operand& operand, std::size_t dimension) { return static_cast<double>(operand.dims[dimension]); }

/// first, second: the matrices; third: the added operand (the index of `first` if there is none).
std::optional<Problem> plain_product(const Operands& operands, const ModelInputs& inputs) {
  const Operand& a = operands[inputs.first];
  const Operand& b = operands[inputs.second];
  if (!a.is_tensor() || !b.is_tensor() || a.dims.size() != b.dims.size()) return std::nullopt;
  static const Operand kNothing;
  const Operand& added = inputs.third == inputs.first ? kNothing : operands[inputs.third];
  if (a.dims.size() == 2) return product({1, at(a, 0), at(b, 1), at(a, 1)}, a, b, short_type(a.type), added);
  if (a.dims.size() != 3) return std::nullopt;
  return product({at(a, 0), at(a, 1), at(b, 2), at(a, 2)}, a, b, short_type(a.type), added);
}

std::optional<Problem> linear(const Operands& operands, const ModelInputs&) {
  const Operand& a = operands[0];
  const Operand& weight = operands[1];
  if (!a.is_tensor() || !weight.is_tensor() || a.dims.empty() || weight.dims.size() != 2) return std::nullopt;
  const double k = at(a, a.dims.size() - 1);
  const double m = k > 0 ? a.elements() / k : 0;
  return product({1, m, at(weight, 0), k}, a, weight, short_type(a.type), operands[2]);
}

/// Returns the type with this number in PyTorch's arguments.
std::string_view numbered_type(const Operand& operand) {
  if (operand.value == "5") return "fp16";
  if (operand.value == "6") return "fp32";
  return "bf16";
}

/// first: number of the result type.
std::optional<Problem> scaled_product(const Operands& operands, const ModelInputs& inputs) {
  const Operand& a = operands[0];
  const Operand& b = operands[1];
  if (!a.is_tensor() || !b.is_tensor() || a.dims.size() != 2 || b.dims.size() != 2) return std::nullopt;
  static const Operand kNothing;
  // fp4 packs two values into each element of K.
  const double k = at(a, 1) * (short_type(a.type) == "fp4" ? 2 : 1);
  const Operand& bias = operands[inputs.second];
  return product({1, at(a, 0), at(b, 1), k}, a, b, numbered_type(operands[inputs.first]),
                 bias.dims.size() == 1 ? bias : kNothing);
}

/// Groups share the rows or columns of one matrix.
std::optional<Problem> grouped_product(const Operands& operands, const ModelInputs&) {
  const Operand& a = operands[0];
  const Operand& b = operands[1];
  if (!a.is_tensor() || !b.is_tensor()) return std::nullopt;
  static const Operand kNothing;
  const std::string_view type = short_type(a.type) == "fp8" ? "bf16" : short_type(a.type);
  const std::size_t da = a.dims.size();
  const std::size_t db = b.dims.size();
  if (da == 2 && db == 3) return product({1, at(a, 0), at(b, 2), at(a, 1)}, a, b, type, kNothing);
  if (da == 3 && db == 2) return product({1, at(a, 1), at(b, 1), at(a, 2)}, a, b, type, kNothing);
  if (da == 3 && db == 3) return product({at(a, 0), at(a, 1), at(b, 2), at(a, 2)}, a, b, type, kNothing);
  if (da != 2 || db != 2) return std::nullopt;
  // K is split; each group has a separate result.
  const double groups = operands[2].dims.empty() ? 1 : at(operands[2], 0);
  Problem problem = product({1, at(a, 0), at(b, 1), at(a, 1)}, a, b, type, kNothing);
  problem.bytes += (groups - 1) * at(a, 0) * at(b, 1) * size_of_type(type);
  return problem;
}

constexpr std::array kModels{
    ProblemModel{"aten::mm", plain_product, {0, 1, 0, 0}},
    ProblemModel{"aten::addmm", plain_product, {1, 2, 0, 0}},
    ProblemModel{"aten::addmm_", plain_product, {1, 2, 0, 0}},
    ProblemModel{"aten::_addmm_activation", plain_product, {1, 2, 0, 0}},
    ProblemModel{"aten::bmm", plain_product, {0, 1, 0, 0}},
    ProblemModel{"aten::baddbmm", plain_product, {1, 2, 0, 0}},
    ProblemModel{"aten::baddbmm_", plain_product, {1, 2, 0, 0}},
    ProblemModel{"aten::linear", linear},
    ProblemModel{"aten::_scaled_mm", scaled_product, {6, 4, 0, 0}},
    ProblemModel{"aten::_grouped_mm", grouped_product},
    ProblemModel{"aten::_scaled_grouped_mm", grouped_product},
};

}  // namespace
}  // namespace matrix_products

std::span<const ProblemModel> matrix_models() { return matrix_products::kModels; }

}  // namespace warpscope::analysis
