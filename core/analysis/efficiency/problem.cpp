#include "core/analysis/efficiency/problem.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "core/base/word_at.hpp"

namespace warpscope::analysis {

std::string_view to_string(ProblemKind kind) {
  static constexpr std::array<std::string_view, 10> kWords{
      "matrix product", "convolution", "attention",   "normalization", "softmax",
      "embedding",      "optimizer",   "elementwise", "reduction",     "copy"};
  return word_at(kWords, kind);
}

bool is_product(ProblemKind kind) {
  return kind == ProblemKind::matrix_product || kind == ProblemKind::convolution || kind == ProblemKind::attention;
}

bool is_product_model(const ProblemModel& model) {
  for (const auto& list : {matrix_models(), convolution_models(), attention_models()})
    if (std::ranges::find(list, model.op, &ProblemModel::op) != list.end()) return true;
  return false;
}

const ProblemModel* find_model(std::string_view op) {
  static const std::vector<ProblemModel> kModels = [] {
    std::vector<ProblemModel> all;
    for (const auto& list :
         {matrix_models(), convolution_models(), attention_models(), layer_models(), elementwise_models()})
      all.insert(all.end(), list.begin(), list.end());
    std::ranges::sort(all, {}, &ProblemModel::op);
    return all;
  }();
  const auto found = std::ranges::lower_bound(kModels, op, {}, &ProblemModel::op);
  return found == kModels.end() || found->op != op ? nullptr : &*found;
}

}  // namespace warpscope::analysis
