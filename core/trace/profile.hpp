#pragma once
// All data loaded for one job. Immutable once published: the window and the analyses hold a shared_ptr<const Profile>
// and call pure functions on it, while the loader publishes newer profiles that share the unchanged parts.
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/trace/job_document.hpp"
#include "core/trace/memory_timeline.hpp"
#include "core/trace/profile_host.hpp"
#include "core/trace/python_stats.hpp"
#include "core/trace/rank.hpp"
#include "core/trace/rank_curves.hpp"
#include "core/trace/track_tree.hpp"

namespace warpscope::trace {

class NodeMetrics;  // core/trace/system_metrics.hpp

/// Names and category strings, append-only, shared by all profiles of one load.
struct Dictionary {
  StringTable names;
  Categories categories;
};

/// A slice of a profile: rank index (not number) and ordinal. Valid only for that profile; see SliceIdentity.
struct SliceRef {
  std::uint32_t rank = 0;
  SliceOrdinal slice = 0;

  friend auto operator<=>(const SliceRef&, const SliceRef&) = default;
};

/// Identifies a slice across profiles of the same directory; stored in selections, marks and links.
struct SliceIdentity {
  std::string source;       ///< path of its file
  std::uint64_t event = 0;  ///< id of its event; only its format interprets it

  friend bool operator==(const SliceIdentity&, const SliceIdentity&) = default;
};

/// One host.
struct Node {
  static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

  std::string label;                 ///< "algo-1"
  std::string host;                  ///< real host name, "" if unknown
  std::string key;                   ///< grouping key of its ranks; stable while a directory loads
  std::vector<std::uint32_t> ranks;  ///< indices into Profile::ranks
  std::uint32_t gpus = 0;            ///< with activity (gpus_of)
  std::uint32_t metrics = kNone;     ///< index into Profile::metrics
  bool metrics_by_order = false;     ///< metrics matched by node order; they may belong to another host
};

/// A step across all ranks: from the first rank's start to the last rank's end.
struct StepGroup {
  NameId name = 0;
  Interval time;
};

class Profile {
 public:
  std::string path;  ///< opened path
  std::shared_ptr<const Dictionary> dictionary;
  std::vector<std::shared_ptr<const Rank>> ranks;           ///< by (number, path)
  std::vector<Node> nodes;                                  ///< some may have only metrics
  std::vector<std::shared_ptr<const NodeMetrics>> metrics;  ///< system metrics by node
  std::vector<std::uint32_t> node_of_rank;
  TrackTree tree;
  std::vector<StepGroup> steps;  ///< by start
  Interval span{};               ///< over all ranks, else over all metrics; {0, 0} if empty. Time zero is its start
  Interval extent{};             ///< over ranks and metrics
  Diagnostics diagnostics;       ///< of the whole directory, including those of ranks
  std::size_t gpus = 0;
  std::vector<std::shared_ptr<const RankCurves>> curves;  ///< by rank, some null; empty until requested
  bool complete = false;                                  ///< true once loading is done
  std::shared_ptr<const JobDocuments> job = std::make_shared<const JobDocuments>();  ///< documents about the job
  MemoryTimelines memory;             ///< of devices, from files next to the traces
  PythonProfiles python;              ///< statistics of Python functions, from files next to the traces
  std::shared_ptr<ProfileHost> host;  ///< of a profile on another machine; else null

  [[nodiscard]] const StringTable& names() const { return dictionary->names; }
  [[nodiscard]] const Categories& categories() const { return dictionary->categories; }
  [[nodiscard]] std::string_view name(SliceRef slice) const;
  [[nodiscard]] Role role(SliceRef slice) const;
  [[nodiscard]] Ns begin(SliceRef slice) const { return ranks[slice.rank]->begin(slice.slice); }
  [[nodiscard]] Ns duration(SliceRef slice) const { return ranks[slice.rank]->duration(slice.slice); }
  [[nodiscard]] SliceIdentity identity(SliceRef slice) const;
  [[nodiscard]] std::optional<SliceRef> find(const SliceIdentity& identity) const;
  [[nodiscard]] std::size_t resident_bytes() const;  ///< columns, trees, connections, metrics; without names
};

/// Returns the first corruption found while loading columns of these ranks (indices; empty: all) from a store. Any
/// results computed from these ranks afterward are wrong.
[[nodiscard]] Failure damage_of(const Profile& profile, std::span<const std::uint32_t> ranks = {});

/// Returns a copy of the profile with `shifts[rank index]` ns added to each rank's times. Ranks share their columns
/// with those of `profile`; system metrics, memory timelines and curves keep their times. O(ranks · lanes + slices /
/// 16).
[[nodiscard]] std::shared_ptr<const Profile> with_clock_shifts(const Profile& profile, std::span<const Ns> shifts);

/// Combines ranks and metrics into a profile: sorts the ranks and determines nodes, steps, span, diagnostics and the
/// track tree. Pure; O(ranks · log ranks + tracks).
[[nodiscard]] std::shared_ptr<const Profile> assemble_profile(
    std::string path, std::shared_ptr<const Dictionary> dictionary, std::vector<std::shared_ptr<const Rank>> ranks,
    const Diagnostics& directory_diagnostics, bool complete,
    std::vector<std::shared_ptr<const NodeMetrics>> metrics = {}, std::shared_ptr<const JobDocuments> job = {},
    MemoryTimelines memory = {}, PythonProfiles python = {}, std::shared_ptr<ProfileHost> host = {});

}  // namespace warpscope::trace
