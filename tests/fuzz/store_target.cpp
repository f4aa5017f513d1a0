// A store with arbitrary bytes, without verifying checksums: a store that opens is safe to read.
#include "core/analysis/information/profile_summary.hpp"
#include "core/store/event_archive.hpp"
#include "tests/core/store/memory_bytes.hpp"
#include "tests/core/store/verified.hpp"
#include "tests/fuzz/rank_properties.hpp"
#include "tests/fuzz/targets.hpp"

namespace warpscope::fuzz {
namespace {

/// Reads a rank as drawing and analyses do.
void look_at(const std::shared_ptr<const trace::Rank>& rank, const std::shared_ptr<trace::Dictionary>& dictionary) {
  (void)describe(*rank, *dictionary);
  for (const trace::Lane& lane : rank->lanes) {
    (void)lane.tree().busy(rank->span.begin, rank->span.end);
    (void)lane.tree().at(rank->span.begin);
  }
  for (const trace::Counter& counter : rank->counters) (void)counter.summary(rank->span.begin, rank->span.end);
  const auto profile = trace::assemble_profile("/folder", dictionary, {rank}, {}, true);
  (void)analysis::summarize(*profile);
  (void)analysis::ranks_table(*profile);
}

}  // namespace

void run_store(std::string_view input) {
  std::vector<std::uint8_t> bytes(input.begin(), input.end());
  const auto file = store::open_store(std::make_shared<tests::MemoryBytes>("test", std::move(bytes)), false);
  if (!file) {
    require(!file.error().message().empty(), "an error has a message");
    return;
  }
  (void)tests::fault_of(*file);
  for (std::size_t i = 0; i < file->sources().size(); ++i) {
    const auto dictionary = std::make_shared<trace::Dictionary>();
    const auto rank = file->rank(i, dictionary);
    if (rank) {
      look_at(*rank, dictionary);
    }
    const auto blocks = file->archive(i);
    const auto events = store::EventArchiveReader::open(*file, i);
    if (blocks.ok() && events.ok())
      for (const store::ArchiveBlock& block : *blocks) static_cast<void>((*events)->read(block.first_offset, {}));
  }
}

}  // namespace warpscope::fuzz
