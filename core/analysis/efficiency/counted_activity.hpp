#pragma once
// Attributes GPU activity to operator calls and the problems they solve. Reads inputs once per rank, and only for
// events with GPU time and an operator model. A problem that covers everything inside its operator replaces any
// problems nested in it, so no GPU time is counted twice.
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/analysis/efficiency/problem.hpp"
#include "core/analysis/operators/host_events.hpp"
#include "core/analysis/request/registry.hpp"

namespace warpscope::analysis {

/// The distinct problems in a profile.
class ProblemBook {
 public:
  static constexpr std::uint32_t kNone = HostEvent::kNone;
  enum class Which : std::uint8_t {
    all,
    products,  ///< only matrix products, convolutions and attention; does not read the inputs of other operators
  };
  ProblemBook(const AnalysisInput& input, Which which);

  /// Returns the model of an operator; null if it has none.
  [[nodiscard]] const ProblemModel* model(NameId op) const { return models_[op]; }
  /// True for operators modeled as products.
  [[nodiscard]] bool is_product(NameId op) const { return products_[op]; }
  /// True if an operator's inputs must be read. Even for `products`, this includes operators whose problem covers
  /// everything inside them, because they may contain products.
  [[nodiscard]] bool reads(NameId op) const {
    return models_[op] != nullptr && (which_ == Which::all || models_[op]->whole || products_[op]);
  }
  /// Returns the problem number for an event; kNone if the event's inputs are not recorded.
  [[nodiscard]] std::uint32_t find(NameId op, const ingest::EventText& event);
  [[nodiscard]] const Problem& problem(std::uint32_t number) const { return problems_[number].second; }
  [[nodiscard]] NameId op(std::uint32_t number) const { return problems_[number].first; }
  /// True if a kernel's name indicates that it uses Tensor Cores or matrix cores.
  [[nodiscard]] bool uses_matrix_units(NameId kernel);

 private:
  const StringTable& names_;
  Which which_;
  std::vector<const ProblemModel*> models_;  // by name
  std::vector<bool> products_;               // by name
  std::vector<std::pair<NameId, Problem>> problems_;
  std::unordered_map<std::string, std::uint32_t> by_text_;
  std::map<std::tuple<NameId, std::string, std::string>, std::uint32_t> by_size_;
  std::unordered_map<NameId, bool> matrix_units_;
};

struct CountedActivity {
  enum class For : std::uint8_t {
    call,          ///< `problem` of `call`
    not_recorded,  ///< an operator with a model, but its inputs were not recorded, or not read
    no_model,      ///< an operator without a model
    no_operator,   ///< launched outside operators
    no_launch,     ///< launched before the recording, or by an unrecorded source
  };
  GpuRow row;
  For counts_for = For::no_launch;
  std::uint32_t call = ProblemBook::kNone;  ///< unique within its rank
  std::uint32_t problem = ProblemBook::kNone;
  NameId op = 0;  ///< the innermost operator
};

struct CountedRank {
  std::vector<CountedActivity> activity;  ///< in the order of the rows
  std::uint32_t calls = 0;                ///< exclusive upper bound of `call`
  std::string unread;                     ///< why arguments are missing
};

/// `rows`: GpuRows::of(rank).
[[nodiscard]] CountedRank counted_activity(const AnalysisInput& input, std::uint32_t rank, const GpuRows::Rows& rows,
                                           ProblemBook& book);

}  // namespace warpscope::analysis
