// Files that change while they are loaded are reported and not cached.
#include <atomic>

#include "core/ingest/bytes/source_change.hpp"
#include "core/ingest/listing/discover.hpp"
#include "tests/core/ingest/loader_support.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

using Change = std::function<void(const fs::path&)>;

void append(const fs::path& file) { fs::resize_file(file, fs::file_size(file) + 7); }
void cut(const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }
void touch(const fs::path& file) { fs::last_write_time(file, fs::last_write_time(file) + std::chrono::hours(1)); }

/// Changes the set's first file after the loader has found it and before the loader reads it.
ingest::LoadOptions changing(const TraceSet& set, ingest::LoadOptions options, Change change) {
  const auto done = std::make_shared<std::atomic<bool>>(false);
  options.on_change = [file = set.files().front(), change = std::move(change), done] {
    if (!done->exchange(true)) change(file);
  };
  return options;
}

const Diagnostic* said_of(const trace::Profile& profile, std::string_view code) {
  const auto& all = profile.diagnostics.all();
  const auto said = std::ranges::find(all, code, &Diagnostic::code);
  return said == all.end() ? nullptr : &*said;
}

}  // namespace

TEST_CASE("a file that changes while read is reported and not saved in a store") {
  for (const Change& change : {Change(append), Change(cut), Change(touch)}) {
    const TraceSet set;
    REQUIRE(set.files().size() > 1);
    const std::uint64_t size = fs::file_size(set.files().front());
    {
      ingest::Loader loader(set.path().string(), changing(set, set.keeping(), change));
      loader.wait();
      REQUIRE(loader.profile());
      const Diagnostic* const said = said_of(*loader.profile(), "changed-while-read");
      REQUIRE(said != nullptr);
      CHECK(said->count == 1);
      CHECK(said->severity == Severity::warning);
      CHECK(said->file == set.files().front().string());
      const std::uint64_t now = fs::file_size(set.files().front());
      CHECK(said->example ==
            (now == size ? "its content changed but its size did not"
                         : "its size changed from " + std::to_string(size) + " to " + std::to_string(now) + " bytes"));
      REQUIRE(comes_true([&] { return fs::exists(set.store()) && !loader.status().keeping; }));
    }
    ingest::Loader again(set.path().string(), set.options());
    again.wait();
    CHECK(from_store(again.status()) == set.files().size() - 1);
    CHECK(said_of(*again.profile(), "changed-while-read") == nullptr);
  }
}

TEST_CASE("a set with a changed file is not converted") {
  const TraceSet set;
  ingest::Loader loader(set.path().string(), changing(set, set.options(), append));
  loader.wait();
  const CancelToken cancel;
  const Failure failure = loader.save(set.beside("job.wscope").string(), cancel);
  REQUIRE(failure);
  CHECK(failure->message() ==
        set.files().front().string() + ": changed while it was read or copied; try again when it is complete");
  CHECK_FALSE(fs::exists(set.beside("job.wscope")));
  CHECK(loader.keep(cancel).ok());  // for the next load, which reads that file
}

TEST_CASE("a changed watched file is read again, and its diagnostic is removed", "[threads]") {
  const TraceSet set;
  ingest::LoadOptions options = changing(set, set.options(), touch);
  options.watch = true;
  options.look_every = std::chrono::milliseconds(50);
  ingest::Loader loader(set.path().string(), options);
  loader.wait();
  CHECK(comes_true([&] { return said_of(*loader.profile(), "changed-while-read") == nullptr; }));
}

TEST_CASE("a changed file has a message") {
  const TestFolder folder;
  const fs::path file = folder.write("rank0.json", "{\"traceEvents\": []}");
  const auto found = ingest::discover(folder.path());
  REQUIRE(found.ok());
  REQUIRE(found->sources.size() == 1);
  const trace::SourceFile& source = found->sources.front();
  CHECK(ingest::change_since_found(source).empty());
  fs::rename(file, folder.path() / "aside");
  CHECK(ingest::change_since_found(source).empty());  // the file was open, so it was read to its end
  fs::copy_file(folder.path() / "aside", file);
  fs::last_write_time(file, fs::last_write_time(folder.path() / "aside"));
  CHECK(ingest::change_since_found(source) == "it was replaced by another file");
  touch(file);
  fs::remove(file);
  fs::rename(folder.path() / "aside", file);
  CHECK(ingest::change_since_found(source).empty());
  touch(file);
  CHECK(ingest::change_since_found(source) == "its content changed but its size did not");
  append(file);
  CHECK(ingest::change_since_found(source) == "its size changed from 19 to 26 bytes");
}
