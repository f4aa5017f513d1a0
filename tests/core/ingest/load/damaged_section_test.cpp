// A corrupt byte in each kind of store section: either results are correct because the trace is read instead, or an
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
  write_json(text, *tables);
  return text;
}

std::string answer(const analysis::Analysis& each, const ingest::Loader& loader,
                   analysis::SharedResults* shared = nullptr) {
  const auto profile = loader.profile();
  return as_text(analysis::run_analysis(each, *profile, {}, {}, nullptr, each.compares ? profile.get() : nullptr,
                                        loader.events().get(), shared));
}

/// Loads as commands do: corrupt parts are read from the traces if they exist.
std::string sound_answer(const analysis::Analysis& each, ingest::Loader& loader) {
  std::string text = answer(each, loader);
  for (int round = 0; round < 8 && trace::damage_of(*loader.profile()); ++round) {
    loader.mend();
    text = answer(each, loader);
  }
  return text;
}

/// Together, they load every column.
constexpr std::array<std::string_view, 5> kMended{"kernel_time", "critical_path", "memory_bw_time_series",
                                                  "aten_op_kernels_and_delay", "gpu_kernels_with_user_annotations"};

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
    for (const analysis::Analysis& each : analysis::analyses()) truth.emplace(each.name, answer(each, loader, &shared));
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

/// Moves the traces away while this object exists.
struct WithoutTraces {
  const Bench& bench;

  explicit WithoutTraces(const Bench& of) : bench(of) { fs::rename(bench.set.path(), bench.set.beside("away")); }
  ~WithoutTraces() {
    std::error_code failed;
    fs::rename(bench.set.beside("away"), bench.set.path(), failed);
  }
  WithoutTraces(const WithoutTraces&) = delete;
  WithoutTraces& operator=(const WithoutTraces&) = delete;
};

}  // namespace

TEST_CASE("a corrupt section of a converted profile without its traces is an error or a diagnostic") {
  const Bench& bench = the_bench();
  const Places places = sections_of(bench.sound);
  for (const char* kind : {"head", "strings", "trees", "near", "launches", "forward-backward", "transfers",
                           "times of a lane", "labels", "offsets", "archive index", "archive block"}) {
    INFO(kind);
    REQUIRE((kSmall || places.contains(kind)));
  }
  const WithoutTraces moved(bench);
  std::map<std::string, int> refused;
  for (const auto& [kind, at] : places) {
    INFO(kind << " at byte " << at);
    bench.damage(at);
    ingest::Loader loader(bench.damaged.string(), bench.set.options());
    loader.wait();
    if (loader.failure()) {
      CHECK(contains(loader.failure()->message(), bench.damaged.string()));
      continue;
    }
    const auto& noted = loader.profile()->diagnostics.all();
    if (std::ranges::find(noted, "stored-part-missing", &Diagnostic::code) != noted.end()) continue;
    for (const analysis::Analysis& each : analysis::analyses()) {
      INFO(each.name);
      const std::string text = answer(each, loader);
      if (text == bench.truth.at(each.name)) continue;
      if (kind.starts_with("archive")) {  // holds slice arguments, which few analyses use
        static const std::map<std::string_view, std::string> kWhatIsMissing{
            {"kernels", "kernel arguments"},
            {"step_overview", "kernel arguments"},
            {"operators", "event arguments"},
            {"efficiency", "event arguments"},
            {"collectives", "the arguments of collectives"},
            {"late_ranks", "the arguments of collectives"},
            {"what_dominates", "the arguments of collectives"},
            {"what_if", "the arguments of collectives"},
            {"potential_stragglers", "the arguments of collectives"},
            {"job_critical_path", "the arguments of collectives"},
            {"rank_balance", "the arguments of collectives"},
            {"rank_clocks", "the arguments of collectives"},
            {"allocations", "memory event arguments"}};
        if (const auto reads = kWhatIsMissing.find(each.name); reads != kWhatIsMissing.end()) {
          CHECK(contains(text, "Cannot read " + reads->second + ": " + bench.damaged.string()));
          continue;
        }
        FAIL(each.name << " changes silently");
        continue;
      }
      ++refused[kind];
      CHECK(text.starts_with("error: " + bench.damaged.string() + ": the store is corrupt at byte "));
      CHECK(contains(text, "(section: "));
      CHECK(contains(text, "read the traces instead, or copy the file again"));
      // The rank is now known to be corrupt, so every further analysis is refused.
      if (refused[kind] == 5) break;
    }
  }
  for (const char* kind : {"launches", "forward-backward", "transfers", "times of a lane", "labels"})
    CHECK((kSmall || refused[kind] > 0));
}

TEST_CASE("a corrupt section of a converted profile is read from its traces") {
  const Bench& bench = the_bench();
  for (const auto& [kind, at] : sections_of(bench.sound)) {
    INFO(kind << " at byte " << at);
    bench.damage(at);
    ingest::Loader loader(bench.damaged.string(), bench.set.options());
    loader.wait();
    const bool whole = kind == "header" || kind == "trailer" || kind == "directory";
    CHECK(loader.failure().has_value() == whole);
    if (whole) continue;
    for (const std::string_view name : kMended) {
      INFO(name);
      CHECK(sound_answer(*analysis::find_analysis(name), loader) == bench.truth.at(name));
    }
  }
}

TEST_CASE("a corrupt section of a store is read from the traces") {
  const Bench& bench = the_bench();
  bench.set.keep();
  const fs::path store = bench.set.store();
  const fs::path copy = bench.set.beside("copy");
  fs::copy_file(store, copy);
  for (const auto& [kind, at] : sections_of(copy)) {
    INFO(kind << " at byte " << at);
    fs::copy_file(copy, store, fs::copy_options::overwrite_existing);
    change_byte(store, at);
    ingest::Loader loader(bench.set.path().string(), bench.set.options());
    loader.wait();
    REQUIRE_FALSE(loader.failure());
    for (const std::string_view name : kMended) {
      INFO(name);
      CHECK(sound_answer(*analysis::find_analysis(name), loader) == bench.truth.at(name));
    }
  }
}
