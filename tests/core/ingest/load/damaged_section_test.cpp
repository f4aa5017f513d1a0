// A corrupt byte in each kind of store section: either results are correct because the traces are read instead, or an
// error or diagnostic reports the damage. Wrong tables never go unreported.
#include <map>

#include "core/analysis/request/registry.hpp"
#include "core/analysis/request/shared_results.hpp"
#include "core/base/table_writers.hpp"
#include "core/store/rank_head.hpp"
#include "core/store/section_reader.hpp"
#include "core/store/store_bytes.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/damage.hpp"
#include "tests/sanitized.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// Maps each kind of section to the offset of a byte in the middle of one.
using Places = std::map<std::string, std::uint64_t>;

void add_sections_of_rank(Places& places, const store::StoreBytes& bytes, const store::RankPlace& place) {
  const auto add = [&](const std::string& kind, const store::SectionRef& ref) {
    if (ref.stored > 0) places.emplace(kind, place.base + ref.offset + ref.stored / 2);
  };
  store::SectionReader reader(bytes, place.base, place.base + place.length, true);
  store::RankHead head;
  trace::Rank rank;
  REQUIRE(store::read_head(reader.whole(place.head), place.length, head, rank));
  add("head", place.head);
  add("strings", head.strings);
  add("trees", head.trees);
  add("near", head.near);
  add("counters", head.counters);
  add("launches", head.launches);
  add("forward-backward", head.forward_backward);
  add("transfers", head.transfers);
  for (const store::RowHead& row : head.rows) {
    add(row.of_lane ? "times of a lane" : "times of a union", row.times);
    add("labels", row.labels);
    add("offsets", row.offsets);
  }
}

Places sections_of(const fs::path& path) {
  Places places;
  const auto file = store::open_store(path.string());
  const auto bytes = store::open_file_bytes(path.string());
  REQUIRE(file.ok());
  REQUIRE(bytes.ok());
  for (std::size_t source = 0; source < file->sources().size(); ++source) {
    const store::SourceEntry& entry = file->sources()[source];
    add_sections_of_rank(places, **bytes, *entry.rank);
    if (!entry.archive) continue;
    places.emplace("archive index", entry.archive->offset + entry.archive->stored / 2);
    const store::SectionRef block = file->archive(source)->front().section;
    places.emplace("archive block", block.offset + block.stored / 2);
  }
  places.emplace("header", 20);
  places.emplace("trailer", fs::file_size(path) - 30);
  places.emplace("directory", fs::file_size(path) - store::kTrailerBytes - 20);
  return places;
}

using Answers = std::map<std::string_view, std::string>;

std::string as_text(const Result<std::vector<Table>>& tables) {
  if (!tables) return "error: " + tables.error().message();
  std::string text;
  write_json(text, named_tables("t", *tables));
  return text;
}

std::string answer(const analysis::Analysis& each, const ingest::Loader& loader,
                   analysis::SharedResults* shared = nullptr) {
  const auto profile = loader.profile();
  return as_text(analysis::run_analysis(each, *profile, {}, {}, nullptr, each.compares ? profile.get() : nullptr,
                                        loader.events().get(), shared));
}

/// Together, they load every column.
constexpr std::array<std::string_view, 7> kAnalyses{"kernel_time",
                                                    "critical_path",
                                                    "memory_bw_time_series",
                                                    "aten_op_kernels_and_delay",
                                                    "gpu_kernels_with_user_annotations",
                                                    "call_graph",
                                                    "collectives"};

/// Under sanitizers, traces large enough to have every kind of section take a minute.
const bool kSmall = sanitized();

struct Bench {
  TraceSet set{kSmall ? 20'000u : 160'000u};
  fs::path sound = set.beside("sound.wscope");
  fs::path damaged = set.beside("damaged.wscope");
  Answers truth;

  Bench() {
    ingest::Loader loader(set.path().string(), set.options());
    loader.wait();
    analysis::SharedResults shared(*loader.profile());
    for (const std::string_view name : kAnalyses)
      truth.emplace(name, answer(*analysis::find_analysis(name), loader, &shared));
    const CancelToken cancel;
    REQUIRE_FALSE(loader.save(sound.string(), cancel));
  }
  void damage(std::uint64_t at) const {
    fs::copy_file(sound, damaged, fs::copy_options::overwrite_existing);
    change_byte(damaged, at);
  }
};

/// All cases use the same traces and the same truth.
const Bench& the_bench() {
  static const Bench bench;
  return bench;
}

}  // namespace

TEST_CASE("a corrupt section of a converted profile is an error or a diagnostic") {
  const Bench& bench = the_bench();
  const Places places = sections_of(bench.sound);
  std::map<std::string, int> refused;
  for (const char* const kind : {"directory", "head", "strings", "near", "launches", "forward-backward", "transfers",
                                 "times of a lane", "labels", "archive block"}) {
    REQUIRE((kSmall || places.contains(kind)));
    if (!places.contains(kind)) continue;
    INFO(kind << " at byte " << places.at(kind));
    bench.damage(places.at(kind));
    ingest::Loader loader(bench.damaged.string(), bench.set.options());
    loader.wait();
    if (loader.failure()) {
      CHECK(contains(loader.failure()->message(), bench.damaged.string()));
      continue;
    }
    if (loader.profile()->diagnostics.count("store-damaged") > 0) continue;
    for (const std::string_view name : kAnalyses) {
      INFO(name);
      const std::string text = answer(*analysis::find_analysis(name), loader);
      if (text == bench.truth.at(name)) continue;
      ++refused[kind];
      CHECK(text.starts_with("error: " + bench.damaged.string() + ": the store is corrupt at byte "));
      CHECK(contains(text, "(section: "));
      CHECK(contains(text, "read the traces instead, or copy the file again"));
    }
  }
  for (const char* const kind : {"launches", "forward-backward", "transfers", "times of a lane", "labels"})
    CHECK((kSmall || refused[kind] > 0));
}

TEST_CASE("if a section of a store is corrupt, the traces are read") {
  const Bench& bench = the_bench();
  bench.set.keep();
  const fs::path store = bench.set.store();
  const fs::path copy = bench.set.beside("copy");
  fs::copy_file(store, copy);
  const Places places = sections_of(copy);
  for (const char* const kind : {"trailer", "head", "launches", "times of a lane", "archive index"}) {
    if (!places.contains(kind)) continue;
    INFO(kind << " at byte " << places.at(kind));
    fs::copy_file(copy, store, fs::copy_options::overwrite_existing);
    change_byte(store, places.at(kind));
    ingest::Loader loader(bench.set.path().string(), bench.set.options());
    loader.wait();
    REQUIRE_FALSE(loader.failure());
    for (const std::string_view name : {"critical_path", "aten_op_kernels_and_delay"}) {
      INFO(name);
      const analysis::Analysis& each = *analysis::find_analysis(name);
      std::string text = answer(each, loader);
      if (trace::damage_of(*loader.profile())) {
        loader.mend();
        text = answer(each, loader);
      }
      CHECK(text == bench.truth.at(name));
    }
  }
}
