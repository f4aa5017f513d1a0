#include <algorithm>
#include <set>

#include "core/base/counted.hpp"
#include "core/ingest/listing/profile_listing.hpp"
#include "core/ingest/listing/profile_listing_facts.hpp"
#include "core/ingest/listing/profile_listing_file.hpp"
#include "core/trace/profile.hpp"
#include "core/trace/recordings.hpp"

namespace warpscope::ingest {

namespace {

/// Returns whether the status is only the listing's guess, based on the files.
bool is_guessed(const FoundProfile& listed, const trace::Profile& loaded) {
  if (listed.marks_end) return false;
  if (std::ranges::any_of(*loaded.job, [](const trace::JobDocument& one) { return !one.status.empty(); })) return false;
  return listed.status == ProfileStatus::completed || listed.status == ProfileStatus::incomplete ||
         listed.status == ProfileStatus::partial || listed.status == ProfileStatus::in_progress;
}

std::string faults_of(const trace::Profile& loaded, std::size_t unfinished) {
  std::set<std::int64_t> numbers;
  std::int64_t world = 0;
  for (const auto& rank : loaded.ranks) {
    numbers.insert(rank->number);
    world = std::max(world, rank->number_assigned ? 0 : rank->world_size);
  }
  const bool numbered = std::ranges::none_of(loaded.ranks, [](const auto& rank) { return rank->number_assigned; });
  std::string faults = numbered ? missing_text(numbers, world) : std::string();
  if (unfinished > 0)
    faults += (faults.empty() ? "" : "; ") + counted(unfinished, "file is", "files are") + " truncated";
  return faults;
}

}  // namespace

FoundProfile after_load(FoundProfile listed, const trace::Profile& loaded, std::size_t unfinished) {
  if (!loaded.nodes.empty()) listed.nodes = loaded.nodes.size();
  if (!loaded.ranks.empty()) listed.ranks = trace::count_ranks(loaded.ranks);
  if (loaded.gpus > 0) listed.gpus = loaded.gpus;
  if (listed.created_from != TimeOrigin::description && plausible_time(loaded.span.begin)) {
    listed.created = loaded.span.begin;
    listed.created_from = TimeOrigin::content;
  }
  if (!loaded.ranks.empty() && is_guessed(listed, loaded)) {
    listed.reason = faults_of(loaded, unfinished);
    listed.status = unfinished > 0          ? ProfileStatus::partial
                    : listed.reason.empty() ? ProfileStatus::completed
                                            : ProfileStatus::incomplete;
  }
  return listed;
}

}  // namespace warpscope::ingest
