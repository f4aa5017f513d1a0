#include "tests/core/store/store_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/base/natural_order.hpp"
#include "tests/catch.hpp"

namespace warpscope::tests {

std::shared_ptr<trace::Dictionary> dictionary_of(const trace::Profile& profile) {
  return std::const_pointer_cast<trace::Dictionary>(profile.dictionary);
}

void write_store(const trace::Profile& profile, const std::string& path, store::Packing packing) {
  auto writer = store::StoreWriter::create(path, {packing, nullptr});
  REQUIRE(writer.ok());
  for (const auto& rank : profile.ranks) {
    const auto key = store::source_key(rank->source.path);
    const auto added = (*writer)->add_rank(*rank, key.ok() ? *key : store::SourceKey{}, dictionary_of(profile));
    INFO((added.ok() ? std::string() : added.error().message()));
    REQUIRE(added.ok());
  }
  for (const auto& metrics : profile.metrics) REQUIRE_FALSE((*writer)->add_metrics(*metrics).has_value());
  const Failure failure = (*writer)->finish(profile.path, profile.diagnostics);
  INFO((failure ? failure->message() : std::string()));
  REQUIRE_FALSE(failure.has_value());
}

std::vector<std::uint8_t> bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

Result<store::StoreFile> open_bytes(std::vector<std::uint8_t> bytes, bool checked) {
  return store::open_store(std::make_shared<MemoryBytes>("memory", std::move(bytes)), checked);
}

Result<std::vector<std::shared_ptr<const trace::Rank>>> ranks_of(const store::StoreFile& file,
                                                                 const std::shared_ptr<trace::Dictionary>& dictionary,
                                                                 unsigned threads) {
  std::vector<std::shared_ptr<const trace::Rank>> ranks;
  for (auto& opened : file.each_rank(dictionary, threads)) {
    if (!opened.rank) return opened.rank.error();
    ranks.push_back(std::move(*opened.rank));
  }
  return ranks;
}

std::string difference_to_store(const trace::Profile& profile, const store::StoreFile& file) {
  const auto dictionary = std::make_shared<trace::Dictionary>();
  dictionary->names.intern("so that ids differ");
  dictionary->categories.intern("so that ids differ");
  auto ranks = ranks_of(file, dictionary, 2);
  if (!ranks) return ranks.error().message();
  if (ranks->size() != profile.ranks.size()) return "number of ranks";
  auto written = profile.ranks;
  std::ranges::stable_sort(written, natural_less, [](const auto& rank) { return rank->source.path; });
  for (std::size_t i = 0; i < ranks->size(); ++i) {
    if ((*ranks)[i]->whole_bytes() != written[i]->whole_bytes())
      return written[i]->source.path + ": bytes of the whole";
    std::string found = difference(*written[i], *profile.dictionary, *(*ranks)[i], *dictionary);
    if (!found.empty()) return written[i]->source.path + ": " + found;
  }
  if (const Failure damage = file.damage()) return damage->message();
  return "";
}

std::shared_ptr<trace::Rank> rank_of_row(const trace::testing::Row& row, trace::Dictionary& dictionary,
                                         trace::LaneKind kind, std::mt19937_64& random) {
  auto rank = std::make_shared<trace::Rank>();
  trace::Lane::Columns columns;
  std::uint64_t offset = random() % 1000;
  for (std::size_t i = 0; i < row.slices.size(); ++i) {
    columns.time.push_back(row.slices[i].begin, row.slices[i].length());
    columns.names.push_back(dictionary.names.intern("name " + std::to_string(random() % 300)));
    columns.categories.push_back(dictionary.categories.intern(random() % 2 == 0 ? "kernel" : "cpu_op"));
    columns.offsets.push_back(offset += random() % 100'000);
    columns.families.push_back(row.families[i]);
    rank->span = cover(rank->span, row.slices[i]);
  }
  rank->lanes.emplace_back(kind, std::uint16_t{3}, std::move(columns));
  rank->lane_start = {0, rank->lanes[0].size()};
  trace::Track track;
  track.lane_count = 1;
  rank->tracks.push_back(track);
  std::vector<trace::Connection> pairs;
  for (trace::SliceOrdinal run = 1; run < row.slices.size(); run += 1 + static_cast<trace::SliceOrdinal>(random() % 9))
    pairs.push_back({static_cast<trace::SliceOrdinal>(random() % row.slices.size()), run});
  rank->launches = trace::Connections(std::move(pairs));
  std::vector<trace::Transfers::Transfer> transfers;
  for (trace::SliceOrdinal slice = static_cast<trace::SliceOrdinal>(random() % 3); slice < row.slices.size();
       slice += 1 + static_cast<trace::SliceOrdinal>(random() % 2))
    transfers.push_back({slice, random() >> random() % 64});
  rank->transfers = trace::Transfers(std::move(transfers));
  return rank;
}

}  // namespace warpscope::tests
