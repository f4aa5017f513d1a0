// Files written by convert: one in a directory, several, truncated ones, and other files with that extension.
#include "core/ingest/bytes/converted_profile.hpp"

#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/loader_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

void convert(const TraceSet& set, const fs::path& out) {
  ingest::Loader loader(set.path().string(), set.options());
  loader.wait();
  const CancelToken cancel;
  REQUIRE_FALSE(loader.save(out.string(), cancel));
}

std::string message_of(const fs::path& path) {
  const auto profile = tests::load_profile(path.string());
  return profile ? "loaded" : profile.error().message();
}

}  // namespace

TEST_CASE("a directory with one converted profile opens it; several are listed in the error") {
  const TraceSet set;
  const fs::path folder = set.beside("carried");
  fs::create_directories(folder / "deep");
  CHECK(contains(message_of(folder), "no traces found"));
  convert(set, folder / "deep" / "job.wscope");
  {
    ingest::LoadOptions options = set.options();
    options.store.keep = true;
    ingest::Loader loader(folder.string(), options);
    loader.wait();
    REQUIRE(loader.profile());
    CHECK(loader.status().converted);
    CHECK(loader.profile()->path == (folder / "deep" / "job.wscope").string());
    CHECK(difference(*tests::load_profile(set.path().string()).value(), *loader.profile()).empty());
    loader.watch(true);
    CHECK_FALSE(loader.status().watching);
  }
  CHECK_FALSE(fs::exists(set.stores()));  // no separate store is needed

  fs::copy_file(folder / "deep" / "job.wscope", folder / "again.wscope");
  const std::string several = message_of(folder);
  CHECK(contains(several, "but 2 converted profiles: again.wscope, deep/job.wscope; open one of them: warpscope "));
  CHECK(contains(several, (folder / "again.wscope").string()));
}

TEST_CASE("a converted profile next to traces is skipped, with a diagnostic for the directory") {
  const TraceSet set;
  convert(set, set.beside("before.wscope"));
  fs::copy_file(set.beside("before.wscope"), set.path() / "job.wscope");
  std::ofstream(set.path() / "notes.wscope") << "notes";
  const auto loaded = load(set.path());
  CHECK(loaded->ranks.size() == set.files().size());
  std::vector<std::string> said;
  for (const Diagnostic& one : loaded->diagnostics.all()) {
    CHECK(one.code == "converted-beside-traces");
    CHECK(one.severity == Severity::info);
    said.push_back(fs::path(one.file).filename().string() + ": " + one.example);
  }
  CHECK(said == std::vector<std::string>{"job.wscope: skipped because the directory also contains traces",
                                         "notes.wscope: not a converted profile"});
  convert(set, set.beside("after.wscope"));
  CHECK(load(set.beside("after.wscope"))->diagnostics.empty());
}

TEST_CASE("content, not the name, decides between trace and converted profile") {
  const TraceSet set;
  convert(set, set.beside("job.wscope"));
  const auto whole = load(set.path());
  const std::string trace = trace_of(kernel_event("k"));
  const TestFolder folder;
  for (const std::string& bytes : {trace, gzip(trace), zstd(trace), "\xEF\xBB\xBF \n" + trace}) {
    const fs::path file = folder.write("alone/x.wscope", bytes);
    CHECK(load(file)->ranks[0]->counts.slices == 1);
    CHECK(load(file.parent_path())->ranks[0]->counts.slices == 1);
  }
  fs::create_directories(folder.path() / "stores");
  fs::copy_file(set.beside("job.wscope"), folder.path() / "stores" / "job.bin");
  CHECK(difference(*whole, *load(folder.path() / "stores" / "job.bin")).empty());
  const auto found = load(folder.path() / "stores");
  CHECK(difference(*whole, *found).empty());
  CHECK(found->path.ends_with("job.bin"));
  // Next to traces, it is skipped like one with the usual extension.
  folder.write("stores/rank0.wscope", trace);
  const auto both = load(folder.path() / "stores");
  CHECK(both->ranks.size() == 1);
  CHECK(both->ranks[0]->counts.slices == 1);
  CHECK(both->diagnostics.count("converted-beside-traces") == 1);
}

TEST_CASE("the error for a truncated converted profile reports how much of it exists") {
  const TraceSet set;
  const fs::path file = set.beside("job.wscope");
  convert(set, file);
  const auto whole = fs::file_size(file);
  for (const auto size : {whole - 1, whole / 2, std::uintmax_t{40}}) {
    fs::resize_file(file, size);
    CHECK(contains(message_of(file), "the store is truncated: " + std::to_string(size) + " of its " +
                                         std::to_string(whole) +
                                         " bytes are present; copy the file again, or convert the traces again"));
  }
}

TEST_CASE("a watched directory waits for traces, regardless of other files in it") {
  const TraceSet set;
  const fs::path folder = set.beside("carried");
  fs::create_directories(folder);
  convert(set, folder / "job.wscope");
  ingest::LoadOptions options = set.options();
  options.watch = true;
  ingest::Loader loader(folder.string(), options);
  loader.wait();
  CHECK(loader.failure());
  CHECK(loader.status().watching);
}

TEST_CASE("a watched converted profile is opened but not watched") {
  const TraceSet set;
  convert(set, set.beside("job.wscope"));
  ingest::LoadOptions options = set.options();
  options.watch = true;
  ingest::Loader loader(set.beside("job.wscope").string(), options);
  loader.wait();
  CHECK(loader.profile());
  CHECK_FALSE(loader.status().watching);
}

TEST_CASE("errors for other files named .wscope show their content and advice") {
  const TestFolder folder;
  const auto message = [&](const std::string& content, const std::string& name = "job.wscope") {
    return message_of(folder.write(name, content));
  };
  CHECK(contains(message(""),
                 "is not a converted profile: it is empty; copy the file again, or convert the traces again"));
  CHECK(contains(message("notes of a meeting"), "is not a converted profile: it contains text; copy"));
  CHECK(contains(message("PK\x03\x04zip"), "is not a converted profile: it contains a zip archive; copy"));
  const std::string begin(store::kMagic.begin(), store::kMagic.end());
  for (const std::size_t size : {std::size_t{1}, std::size_t{7}, std::size_t{8}})
    CHECK(contains(message(begin.substr(0, size)),
                   "the store is truncated; copy the file again, or convert the traces again"));
  CHECK(contains(message_of(folder.path() / "absent.wscope"), "no such file"));
  // Under another name, it is handled like any other file that is not a trace.
  CHECK_FALSE(contains(message("notes of a meeting", "notes.txt"), "converted"));
  // A directory may have any name.
  fs::create_directories(folder.path() / "runs.wscope");
  CHECK(contains(message_of(folder.path() / "runs.wscope"), "no traces found"));
}
