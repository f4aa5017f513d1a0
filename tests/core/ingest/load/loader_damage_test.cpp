// Damage in a store. A store in the cache is deleted and its sources are read; for a converted profile, the damage is
// reported.
#include <fstream>

#include "core/ingest/bytes/converted_profile.hpp"
#include "tests/bytes_read.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/store/verified.hpp"
#include "tests/damage.hpp"
#include "tests/sanitized.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// Damages the texts of a source's events: the first block of its archive.
void damage_texts(const fs::path& store, std::size_t source = 0) {
  const auto file = store::open_store(store.string());
  REQUIRE(file.ok());
  const store::SectionRef block = file->archive(source)->front().section;
  change_byte(store, block.offset + block.stored / 2);
}

/// Damages columns of a source that are not read when it is opened, and may never be.
void damage_columns(const fs::path& store, std::size_t source = 0) {
  const auto file = store::open_store(store.string());
  REQUIRE(file.ok());
  change_byte(store, file->sources()[source].rank->base + 9);
}

/// Damages data needed to open a source's rank; returns the offset.
std::uint64_t damage_head(const fs::path& store, std::size_t source) {
  const auto file = store::open_store(store.string());
  REQUIRE(file.ok());
  const store::RankPlace place = *file->sources()[source].rank;
  const std::uint64_t head = place.base + place.head.offset;
  change_byte(store, head + place.head.stored / 2);
  return head;
}

std::string texts_of(const ingest::Loader& loader) {
  std::string text;
  const auto profile = loader.profile();  // held: another thread may publish a newer one
  for (const auto& rank : profile->ranks)
    for (trace::SliceOrdinal slice = 0; slice < rank->lane_start.back(); slice += 97) {
      const auto event = loader.events()->read(*rank, slice);
      if (!event) return event.error().message();
      for (const ingest::EventRow& row : event->rows) text += row.path + "=" + row.value + "\n";
    }
  return text;
}

void save(ingest::Loader& loader, const fs::path& out) {
  const CancelToken cancel;
  const Failure failure = loader.save(out.string(), cancel);
  INFO((failure ? failure->message() : std::string()));
  REQUIRE_FALSE(failure);
}

/// Converts a set; returns the path of the result.
fs::path converted(const TraceSet& set, const std::string& name) {
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  save(loader, set.beside(name));
  return set.beside(name);
}

/// Returns the event texts from the sources, even if there is a store.
std::string true_texts(const TraceSet& set) {
  ingest::LoadOptions plain = set.options();
  plain.store.use = false;
  ingest::Loader loader(set.path().string(), plain);
  loader.wait();
  return texts_of(loader);
}

}  // namespace

TEST_CASE("a store with a corrupt part is deleted, and all sources are read") {
  for (const auto damage : {damage_texts, damage_columns}) {
    const TraceSet set;
    REQUIRE(set.files().size() > 1);
    set.keep();
    const std::string truth = true_texts(set);
    damage(set.store(), 0);
    ingest::Loader loader(set.path().string(), set.keeping());
    loader.wait();
    CHECK(from_store(loader.status()) == set.files().size());
    if (damage == damage_texts) CHECK(texts_of(loader) == truth);
    if (damage == damage_columns) CHECK_FALSE(texts_of(loader).empty());
    REQUIRE(comes_true([&] { return loader.profile()->diagnostics.count("store-damaged") == 1; }));
    REQUIRE(comes_true([&] { return from_store(loader.status()) == 0; }));
    const auto shown = loader.profile();
    const auto& all = shown->diagnostics.all();
    const auto said = std::ranges::find(all, "store-damaged", &Diagnostic::code);
    REQUIRE(said != all.end());
    CHECK(said->severity == Severity::info);
    CHECK(said->file == set.store().string());
    CHECK(contains(said->example, "; deleted it and read the traces again"));
    // The next store is built from the sources.
    REQUIRE(comes_true([&] { return fs::exists(set.store()) && !loader.status().keeping; }));
    const auto fresh = store::open_store(set.store().string());
    REQUIRE(fresh.ok());
    CHECK_FALSE(fault_of(*fresh));
    REQUIRE(comes_true([&] { return loader.profile()->complete; }));
    CHECK(texts_of(loader) == truth);
  }
}

TEST_CASE("a store of another version is outdated, not corrupt, and not deleted") {
  const TraceSet set;
  set.keep();
  change_byte(set.store(), 8);
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  REQUIRE(loader.profile());
  CHECK(from_store(loader.status()) == 0);
  const Diagnostics& said = loader.profile()->diagnostics;
  CHECK(said.count("store-damaged") == 0);
  CHECK(said.count("store-outdated") == 1);
  for (const Diagnostic& one : said.all())
    if (one.code == "store-outdated") CHECK(one.file == set.store().string());
  CHECK(fs::exists(set.store()));
  set.keep();
  ingest::Loader again(set.path().string(), set.options());
  again.wait();
  CHECK(from_store(again.status()) == set.files().size());
  CHECK(again.profile()->diagnostics.count("store-outdated") == 0);
}

TEST_CASE("corrupt arguments of a converted profile are reported for it, not for the traces") {
  const TraceSet set;
  const fs::path carried = converted(set, "carried.wscope");
  const std::string truth = true_texts(set);
  damage_texts(carried);
  {
    // As long as the traces are still in place, they are used instead.
    ingest::Loader loader(carried.string(), set.options());
    loader.wait();
    CHECK(texts_of(loader) == truth);
  }
  fs::rename(set.path(), set.beside("away"));
  ingest::Loader loader(carried.string(), set.options());
  loader.wait();
  const std::string said = texts_of(loader);
  CHECK(said.starts_with(carried.string() + ": "));
  CHECK(contains(said, "corrupt; copy the file again, or convert the traces again"));
  CHECK_FALSE(contains(said, set.path().string()));
  REQUIRE(comes_true([&] { return loader.profile()->diagnostics.count("store-damaged") == 1; }));
}

TEST_CASE("an unreadable rank of a converted profile does not hide the others") {
  const TraceSet set;
  const fs::path carried = converted(set, "carried.wscope");
  fs::rename(set.path(), set.beside("away"));
  const auto file = store::open_store(carried.string());
  REQUIRE(file.ok());
  const std::size_t ranks = file->sources().size();
  REQUIRE(ranks > 1);
  const std::string missing = file->sources()[0].key.path;
  const std::uint64_t at = damage_head(carried, 0);
  ingest::Loader loader(carried.string(), set.options());
  loader.wait();
  REQUIRE_FALSE(loader.failure());
  const auto profile = loader.profile();
  CHECK(profile->ranks.size() == ranks - 1);
  for (const auto& rank : profile->ranks) CHECK(rank->source.path != missing);
  const auto& all = profile->diagnostics.all();
  const auto said = std::ranges::find(all, "store-damaged", &Diagnostic::code);
  REQUIRE(said != all.end());
  CHECK(said->severity == Severity::error);
  CHECK(said->file == missing);
  CHECK(said->example ==
        carried.string() + ": the store is corrupt at byte " + std::to_string(at) + ": a frame is corrupt");
  for (const ingest::FileStatus& one : loader.status().files)
    CHECK((one.state == ingest::FileState::passed_over) == (one.path == missing));

  for (std::size_t source = 1; source < file->sources().size(); ++source) damage_head(carried, source);
  ingest::Loader nothing(carried.string(), set.options());
  nothing.wait();
  REQUIRE(nothing.failure());
  CHECK(nothing.failure()->where == carried.string());
  CHECK(contains(nothing.failure()->message(), "the store is corrupt at byte "));
}

TEST_CASE("a corrupt converted profile is not converted again") {
  const TraceSet set;
  const fs::path sound = converted(set, "sound.wscope");
  for (const auto damage : {damage_texts, damage_columns}) {
    const fs::path carried = set.beside("carried.wscope");
    fs::copy_file(sound, carried, fs::copy_options::overwrite_existing);
    damage(carried, 1);
    ingest::Loader loader(carried.string(), set.options());
    loader.wait();
    const CancelToken cancel;
    const Failure failure = loader.save(set.beside("again.wscope").string(), cancel);
    REQUIRE(failure);
    CHECK(failure->where == carried.string());
    CHECK(contains(failure->message(), "corrupt"));
    CHECK(contains(failure->advice, "copy the file again"));
    CHECK_FALSE(fs::exists(set.beside("again.wscope")));
  }
}

TEST_CASE("a store is checked when saved again, not when opened", "[threads]") {
  for (const auto damage : {damage_texts, damage_columns}) {
    const TraceSet set;
    set.keep();
    damage(set.store(), 1);
    ingest::LoadOptions plain = set.options();
    plain.store.use = false;
    ingest::Loader truth(set.path().string(), plain);
    truth.wait();
    ingest::Loader loader(set.path().string(), set.options());
    loader.wait();
    loader.mend();
    CHECK(from_store(loader.status()) == set.files().size());
    CHECK(loader.profile()->diagnostics.count("store-damaged") == 0);

    const auto kept = loader.keep(CancelToken());
    REQUIRE(kept);
    CHECK(kept->written);
    CHECK(from_store(loader.status()) == 0);
    CHECK(loader.profile()->diagnostics.count("store-damaged") == 1);
    CHECK(difference(*truth.profile(), *loader.profile()).empty());
    CHECK(texts_of(loader) == texts_of(truth));

    ingest::Loader again(set.path().string(), set.options());
    again.wait();
    const auto sound = again.keep(CancelToken());
    REQUIRE(sound);
    CHECK_FALSE(sound->written);
    CHECK(from_store(again.status()) == set.files().size());
    CHECK(again.profile()->diagnostics.count("store-damaged") == 0);
  }
}

TEST_CASE("a reopened store is shown before much of it is read") {
  const TraceSet set(sanitized() ? 40'000 : 200'000);
  set.keep();
  const std::uint64_t before = bytes_read();
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  REQUIRE(loader.profile());
  const std::uint64_t opened = bytes_read() - before;
  const auto kept = loader.keep(CancelToken());
  REQUIRE(kept);
  CHECK_FALSE(kept->written);
  const std::uint64_t checked = bytes_read() - before - opened;
  CHECK(checked >= kept->bytes);
  CHECK(opened < checked / 2);
}

TEST_CASE("the sources of a corrupt store are read when it is converted") {
  for (const auto damage : {damage_texts, damage_columns}) {
    const TraceSet set;
    set.keep();
    damage(set.store(), 1);
    ingest::LoadOptions plain = set.options();
    plain.store.use = false;
    ingest::Loader truth(set.path().string(), plain);
    truth.wait();
    const std::string texts = texts_of(truth);
    {
      ingest::Loader loader(set.path().string(), set.options());
      loader.wait();
      CHECK(from_store(loader.status()) == set.files().size());
      save(loader, set.beside("carried.wscope"));
    }
    fs::rename(set.path(), set.beside("away"));
    ingest::Loader carried(set.beside("carried.wscope").string(), set.options());
    carried.wait();
    REQUIRE(carried.profile());
    CHECK(difference(*truth.profile(), *carried.profile()).empty());
    const auto file = store::open_store(set.beside("carried.wscope").string());
    REQUIRE(file.ok());
    CHECK_FALSE(fault_of(*file));
    CHECK(texts_of(carried) == texts);
  }
}
