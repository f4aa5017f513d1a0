#pragma once
// What the tables of a database share: the profile, and values computed on first use. Not thread-safe: a database and
// its tables belong to one thread.
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/ranks/collective_arrivals.hpp"
#include "core/analysis/request/kernel_class.hpp"
#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/runs.hpp"
#include "core/analysis/shared/precision.hpp"
#include "core/rules/registry.hpp"
#include "core/sql/read_ahead.hpp"

namespace warpscope::sql {

struct ContextOptions {
  const ingest::EventLookup* events = nullptr;  ///< for arguments; null: read from the sources
  std::string kernel_rules{};                   ///< as in the kernel_class parameter of analyses
  std::span<const analysis::Setting> rules{};   ///< settings of the rules behind `finding`
  std::span<const rules::CustomRule> custom{};  ///< the user's rules
};

class Context {
 public:
  Context(std::shared_ptr<const trace::Profile> profile, ContextOptions options);

  [[nodiscard]] const trace::Profile& profile() const { return *profile_; }
  [[nodiscard]] const ContextOptions& options() const { return options_; }
  [[nodiscard]] const analysis::RoleOfCategory& roles() const { return roles_; }
  [[nodiscard]] analysis::SharedResults& shared() { return shared_; }
  /// Returns the input of an analysis of the whole profile, without parameters.
  [[nodiscard]] analysis::AnalysisInput input();

  [[nodiscard]] const analysis::KernelClasses& classes();
  [[nodiscard]] ReadAhead& read_ahead() { return read_ahead_; }
  /// Precision of a kernel; each name is looked up once.
  [[nodiscard]] analysis::Precision precision_of(NameId kernel);

  /// Collectives matched across ranks, with all arrivals, on aligned clocks.
  struct Collectives {
    std::shared_ptr<const analysis::RankComparison> comparison;
    std::vector<analysis::CollectiveTiming> timings;    ///< by collective
    std::vector<analysis::CollectiveArrival> arrivals;  ///< by collective, then by start
    std::vector<std::uint32_t> first{0};                ///< by collective: its first arrival; one more at the end
  };
  /// Compute the values below on first use. Fail if cancelled, or if the rules cannot be evaluated.
  [[nodiscard]] Failure prepare_collectives();
  [[nodiscard]] Failure prepare_findings();
  [[nodiscard]] const Collectives& collectives() const { return *collectives_; }
  [[nodiscard]] const rules::Evaluation& evaluation() const { return *evaluation_; }

  /// Returns an error if the query was cancelled, so that nothing half-computed is kept.
  [[nodiscard]] Failure interrupted() const;

  const CancelToken* cancel = nullptr;  ///< of the current query; may be null
  std::uint64_t visited = 0;            ///< rows that tables looked at, for tests

 private:
  std::shared_ptr<const trace::Profile> profile_;
  ReadAhead read_ahead_;
  ContextOptions options_;
  analysis::RoleOfCategory roles_;
  analysis::SharedResults shared_;
  std::shared_ptr<const analysis::KernelClasses> classes_;
  std::vector<std::optional<analysis::Precision>> precisions_;  // by name
  std::optional<Collectives> collectives_;
  std::optional<rules::Evaluation> evaluation_;
};

/// A slice as one number: the rank's index and the slice's ordinal. Stable for a profile.
[[nodiscard]] constexpr std::int64_t slice_id(trace::SliceRef slice) {
  return static_cast<std::int64_t>(slice.rank) << 32 | slice.slice;
}
/// Returns the number of slices of a rank.
[[nodiscard]] trace::SliceOrdinal slices_of(const trace::Rank& rank);
/// Returns the slice with this number; nullopt if the profile has none.
[[nodiscard]] std::optional<trace::SliceRef> slice_of(const trace::Profile& profile, std::int64_t id);

/// Returns the indices of the ranks with these numbers. O(log ranks).
[[nodiscard]] trace::IndexRange ranks_numbered(const trace::Profile& profile, std::int64_t least, std::int64_t most);

}  // namespace warpscope::sql
