// Repeated loads: from the store if it is valid, otherwise from the sources.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <random>

#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/damage.hpp"
#include "tests/load_profile.hpp"
#include "tests/sanitized.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

/// Loads with the store and checks that it is the same as without.
void check_load(const TraceSet& set, std::size_t expected_from_store) {
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  REQUIRE(loader.profile());
  CHECK(from_store(loader.status()) == expected_from_store);
  CHECK(difference(*load(set.path()), *loader.profile()).empty());
  CHECK(loader.profile()->complete);
}

}  // namespace

TEST_CASE("a loaded profile comes from the store unchanged", "[threads]") {
  const TraceSet set;
  check_load(set, 0);
  CHECK_FALSE(fs::exists(set.store()));  // commands leave no store behind
  set.keep();
  check_load(set, set.files().size());

  ingest::LoadOptions without = set.options();
  without.store.use = false;
  ingest::Loader loader(set.path().string(), without);
  loader.wait();
  CHECK(from_store(loader.status()) == 0);
}

TEST_CASE("only changed sources are read again") {
  const TraceSet set;
  set.keep();
  const fs::path changed = set.files().front();
  const auto time = fs::last_write_time(changed);
  std::ofstream(changed, std::ios::app) << " ";
  check_load(set, set.files().size() - 1);
  fs::last_write_time(changed, time);
  check_load(set, set.files().size() - 1);  // another size

  set.keep();  // data is reused from the old store
  check_load(set, set.files().size());
  fs::remove(changed);
  check_load(set, set.files().size() - 1);
}

TEST_CASE("a file without a rank is reported and not read again") {
  TraceSet set;
  std::ofstream(set.path() / "other.json") << R"({"jobs": [)" + std::string(3000, '1') + "]}";
  set.keep();
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  CHECK(from_store(loader.status()) == set.files().size() + 1);
  CHECK(loader.profile()->diagnostics.count("not-a-trace") == 1);
}

TEST_CASE("a corrupt store is deleted and reported, and the sources are read") {
  std::mt19937_64 random(7);
  const TraceSet set;
  set.keep();
  const fs::path copy = set.beside("good.wscope");
  fs::copy_file(set.store(), copy);
  const std::uint64_t size = fs::file_size(copy);
  const auto good = load(set.path());
  for (int i = 0; i < 9; ++i) {
    fs::copy_file(copy, set.store(), fs::copy_options::overwrite_existing);
    if (i % 3 == 0)
      fs::resize_file(set.store(), random() % size);
    else
      change_byte(set.store(), i % 3 == 1 ? size - 1 - random() % 100 : random() % size);
    ingest::Loader loader(set.path().string(), set.options());
    loader.wait();
    REQUIRE(loader.profile());
    // A corrupt column is detected only when it is used; the source is then reread automatically.
    REQUIRE(comes_true([&] { return difference(*good, *loader.profile()).empty(); }));
    if (i % 3 == 0) {
      CHECK(loader.profile()->diagnostics.count("store-damaged") == 1);
      CHECK_FALSE(fs::exists(set.store()));
    }
  }
}

TEST_CASE("a store is written again after a corrupt one was deleted") {
  const TraceSet set;
  set.keep();
  fs::resize_file(set.store(), 100);
  {
    ingest::Loader loader(set.path().string(), set.keeping());
    loader.wait();
    REQUIRE(comes_true([&] {
      std::error_code missing;
      const auto size = fs::file_size(set.store(), missing);
      return !missing && size > 100 && !loader.status().keeping;
    }));
  }
  check_load(set, set.files().size());
}

TEST_CASE("two loads can write the same store", "[threads]") {
  const TraceSet set(sanitized() ? 10'000 : 40'000);
  {
    ingest::Loader one(set.path().string(), set.keeping());
    ingest::Loader two(set.path().string(), set.keeping());
    one.wait();
    two.wait();
    REQUIRE(comes_true([&] { return fs::exists(set.store()) && !one.status().keeping && !two.status().keeping; }));
  }
  check_load(set, set.files().size());
  CHECK(std::distance(fs::directory_iterator(set.stores()), fs::directory_iterator()) == 1);
}

TEST_CASE("a loader closed while writing its store leaves no files", "[threads]") {
  const TraceSet set(sanitized() ? 15'000 : 60'000);
  for (int i = 0; i < 10; i += 4) {
    {
      ingest::Loader loader(set.path().string(), set.keeping());
      loader.wait();
      std::this_thread::sleep_for(std::chrono::milliseconds(10 * i));
    }
    if (!fs::exists(set.stores())) continue;
    for (const auto& entry : fs::directory_iterator(set.stores()))
      CHECK(entry.path().filename().string().find(".tmp-") == std::string::npos);
  }
}

TEST_CASE("the next start is correct after a program was killed writing a store") {
  const TraceSet set(20'000);
  const int kills = sanitized() ? 6 : 12;
  const auto truth = load(set.path());
  const auto began = std::chrono::steady_clock::now();
  set.keep();
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
  std::mt19937_64 random(11);
  int while_writing = 0;
  int whole = 0;
  for (int i = 0; i < kills; ++i) {
    fs::remove(set.store());
    const std::set<std::string> before = drafts_in(set.stores());
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      const ingest::Loader loader(set.path().string(), set.keeping());
      for (;;) ::pause();
    }
    const auto written = [&] { return fs::exists(set.store()); };
    const auto begun = [&] { return draft_since(before, set.stores()) || written(); };
    if (kill_when(i) == KillWhen::at_random)
      std::this_thread::sleep_for(took * (random() % 1500) / 1000);
    else
      CHECK(comes_true(kill_when(i) == KillWhen::while_it_writes ? std::function<bool()>(begun) : written));
    if (kill_when(i) == KillWhen::while_it_writes) std::this_thread::sleep_for(took * (random() % 100) / 1000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    while_writing += draft_since(before, set.stores()) ? 1 : 0;

    ingest::Loader loader(set.path().string(), set.options());
    loader.wait();
    REQUIRE(loader.profile());
    const std::size_t stored = from_store(loader.status());
    CHECK(stored == (written() ? set.files().size() : 0));
    CHECK(loader.profile()->diagnostics.count("store-damaged") == 0);
    CHECK(difference(*truth, *loader.profile()).empty());
    whole += stored > 0 ? 1 : 0;
  }
  CHECK(while_writing > 0);
  CHECK(whole > 0);
  CHECK(whole < kills);
  fs::remove(set.store());
  set.keep();  // leftovers of the killed processes are removed
  CHECK(std::distance(fs::directory_iterator(set.stores()), fs::directory_iterator()) == 1);
}

TEST_CASE("without a folder for stores, the load succeeds and reports it once") {
  const TraceSet set;
  std::ofstream(set.stores()) << "a file in the way";
  ingest::Loader loader(set.path().string(), set.keeping());
  loader.wait();
  REQUIRE(comes_true([&] { return loader.profile()->diagnostics.count("store-not-kept") == 1; }));
  CHECK(difference(*load(set.path()), *loader.profile()).empty());
}

TEST_CASE("a full disk loses only the store") {
  const TraceSet set(40'000);
  struct rlimit before {};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto ignored = std::signal(SIGXFSZ, SIG_IGN);
  struct rlimit small = before;
  small.rlim_cur = 20'000;
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  bool said = false;
  {
    ingest::Loader loader(set.path().string(), set.keeping());
    loader.wait();
    said = comes_true([&] { return loader.profile()->diagnostics.count("store-not-kept") == 1; });
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, ignored);
  CHECK(said);
  CHECK(fs::is_empty(set.stores()));
}

TEST_CASE("a moved store contains everything, including arguments") {
  for (const tracegen::Format format : {tracegen::Format::json, tracegen::Format::gz}) {
    TraceSet set(8000, format);
    const fs::path carried = set.beside("carried.wscope");
    const auto original = load(set.path());
    std::vector<std::string> arguments;
    {
      ingest::Loader loader(set.path().string(), set.options());
      loader.wait();
      const CancelToken cancel;
      REQUIRE_FALSE(loader.save(carried.string(), cancel));
    }
    const auto text_of = [](const ingest::Loader& loader, std::size_t rank, trace::SliceOrdinal slice) {
      const auto event = loader.events()->read(*loader.profile()->ranks[rank], slice);
      INFO((event ? std::string() : event.error().message()));
      REQUIRE(event);
      std::string text;
      for (const ingest::EventRow& row : event->rows) text += row.path + "=" + row.value + "\n";
      return text;
    };
    const auto each_slice = [&](const ingest::Loader& loader, auto visit) {
      for (std::size_t rank = 0; rank < loader.profile()->ranks.size(); ++rank)
        for (trace::SliceOrdinal slice = 0; slice < loader.profile()->ranks[rank]->lane_start.back(); slice += 97)
          visit(text_of(loader, rank, slice));
    };
    {
      ingest::Loader loader(set.path().string(), set.options());
      loader.wait();
      each_slice(loader, [&](std::string text) { arguments.push_back(std::move(text)); });
    }
    fs::rename(set.path(), set.beside("away"));
    ingest::Loader loader(carried.string(), set.options());
    loader.wait();
    REQUIRE(loader.profile());
    CHECK(difference(*original, *loader.profile()).empty());
    std::size_t next = 0;
    each_slice(loader, [&](const std::string& text) { CHECK(text == arguments[next++]); });
    CHECK(next == arguments.size());

    // Convert the moved store again.
    const fs::path again = set.beside("again.wscope");
    const CancelToken cancel;
    REQUIRE_FALSE(loader.save(again.string(), cancel));
    CHECK(difference(*original, *load(again)).empty());
  }
}

TEST_CASE("truncated stores and other files are errors") {
  const TraceSet set;
  set.keep();
  const fs::path cut = set.beside("cut.wscope");
  fs::copy_file(set.store(), cut);
  fs::resize_file(cut, fs::file_size(cut) / 2);
  const auto profile = tests::load_profile(cut.string());
  REQUIRE_FALSE(profile);
  CHECK(profile.error().what.find("truncated") != std::string::npos);
}

TEST_CASE("arguments come from the store, even without the source", "[threads]") {
  const TraceSet set(8000, tracegen::Format::gz);
  set.keep();
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  const auto rank = loader.profile()->ranks.front();
  for (const fs::path& file : set.files()) fs::remove(file);
  const auto event = loader.events()->read(*rank, rank->lane_start.back() / 2);
  REQUIRE(event);
  CHECK(event->find("name") != nullptr);
}

TEST_CASE("the size limit applies to a store's actual size, not to an estimate") {
  const TraceSet set(sanitized() ? 20'000 : 60'000);
  const CancelToken never;
  const auto keep = [&](std::uint64_t limit) {
    fs::remove_all(set.stores());
    ingest::LoadOptions options = set.options();
    options.store.limit = limit;
    ingest::Loader loader(set.path().string(), options);
    loader.wait();
    std::uint64_t text = 0;
    const auto shown = loader.profile();
    for (const auto& rank : shown->ranks) text += rank->source.text_bytes;
    CHECK(text / 20 > 0);
    return loader.keep(never);
  };
  const auto whole = keep(std::uint64_t{1} << 40);
  REQUIRE(whole);
  const std::uint64_t slack = whole->bytes / 20;  // sizes depend a little on the order in which threads finish
  const auto fits = keep(whole->bytes + slack);
  INFO((fits ? "" : fits.error().message()));
  REQUIRE(fits);
  for (const std::uint64_t limit : {whole->bytes - slack, whole->bytes / 2, std::uint64_t{100}}) {
    const auto large = keep(limit);
    REQUIRE_FALSE(large);
    CHECK(large.error().what.find("exceeds the size limit for all stores") != std::string::npos);
    CHECK(fs::is_empty(set.stores()));
  }
}

TEST_CASE("a converted profile takes less than half of its gzipped trace") {
  const auto shared = shared_dir();
  if (!shared) {
    WARN("no folder of real traces");
    return;
  }
  for (const char* name : {"v100_5steps", "mtia", "ns_resolution", "mi300_qwen", "cupti"})
    for (const auto& entry : fs::directory_iterator(*shared / "traces" / name)) {
      if (entry.path().extension() != ".gz" || (sanitized() && entry.file_size() > largest_trace())) continue;
      INFO(entry.path());
      const TestFolder folder;
      const fs::path file = folder.path() / "x.wscope";
      ingest::Loader loader(entry.path().string(), ingest::LoadOptions{});
      loader.wait();
      REQUIRE_FALSE(loader.save(file.string(), CancelToken{}));
      CHECK(2 * fs::file_size(file) < entry.file_size());
    }
}
