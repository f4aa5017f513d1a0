// Writing: ranks are readable before the store is finished, an unfinished store leaves no files, two writers do not
// interfere, and a full disk is an Error.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>

#include "tests/core/store/store_files.hpp"
#include "tests/core/store/verified.hpp"
#include "tests/small_job.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::shared_ptr<const trace::Profile> small_profile(const TestFolder& folder, int gpus = 2) {
  tracegen::Options options = *tracegen::preset("small");
  options.gpus = gpus;
  write_set(folder, tracegen::generate_in_memory(options), "traces");
  return load(folder.path() / "traces");
}

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("an added rank is backed by the store, before and after finishing it") {
  const TestFolder folder;
  const auto profile = small_profile(folder);
  const fs::path stores = folder.path() / "stores";
  fs::create_directories(stores);
  auto writer = store::StoreWriter::create((stores / "x.wscope").string());
  REQUIRE(writer.ok());
  const trace::Rank& first = *profile->ranks[0];
  const auto added = (*writer)->add_rank(first, *store::source_key(first.source.path), dictionary_of(*profile));
  REQUIRE(added.ok());
  CHECK(added->source == 0);
  CHECK(added->rank->storage != nullptr);
  const auto late = added->rank->storage->reopen();
  REQUIRE(late.ok());
  CHECK(difference(first, *profile->dictionary, *added->rank, *profile->dictionary) == "");
  REQUIRE((*writer)->add_source(store::SourceKey{"/a.json", 3, 4, 5, 6, 7}).ok());
  CHECK_FALSE((*writer)->finish("root", {}).has_value());
  writer->reset();
  CHECK(difference(first, *profile->dictionary, **late, *profile->dictionary) == "");
  CHECK(files_in(stores) == 1);

  const auto file = store::open_store((stores / "x.wscope").string());
  REQUIRE(file.ok());
  REQUIRE(file->sources().size() == 2);  // sorted by path
  CHECK_FALSE(file->sources()[0].rank.has_value());
  CHECK(file->sources()[0].key == store::SourceKey{"/a.json", 3, 4, 5, 6, 7});
  CHECK_FALSE(file->rank(0, std::make_shared<trace::Dictionary>()).ok());
  CHECK(store::same_source(file->sources()[1].key, *store::source_key(first.source.path)));
}

TEST_CASE("an unfinished store leaves no file") {
  const TestFolder folder;
  const auto profile = small_profile(folder);
  const fs::path stores = folder.path() / "stores";
  fs::create_directories(stores);
  {
    auto writer = store::StoreWriter::create((stores / "x.wscope").string());
    REQUIRE(writer.ok());
    REQUIRE((*writer)->add_rank(*profile->ranks[0], {}, dictionary_of(*profile)).ok());
    CHECK(files_in(stores) == 1);
  }
  CHECK(files_in(stores) == 0);
  CHECK_FALSE(store::StoreWriter::create((folder.path() / "no" / "such" / "folder.wscope").string()).ok());
}

TEST_CASE("temporary files of killed writers are removed, those of running ones are not") {
  const TestFolder folder;
  const std::string path = (folder.path() / "x.wscope").string();
  const ::pid_t child = ::fork();
  if (child == 0) {
    auto writer = store::StoreWriter::create(path);
    ::raise(SIGKILL);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  REQUIRE(files_in(folder.path()) == 1);
  auto living = store::StoreWriter::create(path);
  REQUIRE(living.ok());
  CHECK(files_in(folder.path()) == 1);
  auto other = store::StoreWriter::create(path);
  REQUIRE(other.ok());
  CHECK(files_in(folder.path()) == 2);
  CHECK_FALSE((*living)->finish("first", {}).has_value());
  CHECK_FALSE((*other)->finish("second", {}).has_value());
  CHECK(files_in(folder.path()) == 1);
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  CHECK(file->directory().root == "second");
}

TEST_CASE("files of other stores are not removed") {
  const TestFolder folder;
  const fs::path other = folder.write("y.wscope.tmp-a1B2c3", "");
  REQUIRE(store::StoreWriter::create((folder.path() / "x.wscope").string()).ok());
  CHECK(fs::exists(other));
}

TEST_CASE("a full disk is an Error and leaves no file") {
  const TestFolder folder;
  const auto profile = small_profile(folder);
  const fs::path stores = folder.path() / "stores";
  fs::create_directories(stores);
  // A limit on file size simulates a full disk.
  ::rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const auto with_limit = [&](::rlim_t limit, const auto& act) {
    const ::rlimit small{limit, before.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    act();
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
  };
  std::string in_rank;
  std::string of_source;
  std::string at_end;
  with_limit(2000, [&] {
    auto writer = store::StoreWriter::create((stores / "x.wscope").string());
    if (!writer) return;
    const auto added = (*writer)->add_rank(*profile->ranks[0], {}, dictionary_of(*profile));
    if (!added) in_rank = added.error().message();
    if (const auto source = (*writer)->add_source({}); !source) of_source = source.error().message();
    if (const Failure failure = (*writer)->finish("", {})) at_end = failure->message();
  });
  std::signal(SIGXFSZ, handler);
  CHECK(in_rank.find("the store cannot be written: File too large; raise the file size limit") != std::string::npos);
  CHECK(of_source == in_rank);
  CHECK(at_end == in_rank);
  CHECK(files_in(stores) == 0);
}

TEST_CASE("several threads add ranks to one store") {
  const TestFolder folder;
  const auto profile = small_profile(folder, 6);
  const std::string path = (folder.path() / "x.wscope").string();
  auto writer = store::StoreWriter::create(path);
  REQUIRE(writer.ok());
  std::vector<std::thread> threads;
  for (const auto& rank : profile->ranks)
    threads.emplace_back([&] {
      const auto added = (*writer)->add_rank(*rank, *store::source_key(rank->source.path), dictionary_of(*profile));
      if (!added) std::abort();
    });
  for (std::thread& thread : threads) thread.join();
  REQUIRE_FALSE((*writer)->finish("", {}).has_value());
  const auto file = store::open_store(path);
  REQUIRE(file.ok());
  const auto dictionary = std::make_shared<trace::Dictionary>();
  const auto ranks = ranks_of(*file, dictionary, 3);
  REQUIRE(ranks.ok());
  REQUIRE(ranks->size() == 6);
  for (const auto& rank : profile->ranks) {
    const auto same = std::find_if(ranks->begin(), ranks->end(),
                                   [&](const auto& other) { return other->source.path == rank->source.path; });
    REQUIRE(same != ranks->end());
    CHECK(difference(*rank, *profile->dictionary, **same, *dictionary) == "");
  }
}

TEST_CASE("a source is copied between stores unchanged, including its archive") {
  const TestFolder folder;
  const auto profile = small_profile(folder);
  const std::string first = (folder.path() / "first.wscope").string();
  const std::string second = (folder.path() / "second.wscope").string();
  const std::vector<std::uint8_t> one(1000, 1);
  const std::vector<std::uint8_t> two(77, 2);
  {
    auto writer = store::StoreWriter::create(first);
    REQUIRE(writer.ok());
    REQUIRE((*writer)->add_rank(*profile->ranks[0], {}, dictionary_of(*profile)).ok());
    const auto a = (*writer)->append_block(one);
    REQUIRE((*writer)->add_rank(*profile->ranks[1], {}, dictionary_of(*profile)).ok());
    const auto b = (*writer)->append_block(two);
    REQUIRE((a.ok() && b.ok()));
    REQUIRE_FALSE((*writer)->set_archive(1, {{*b, 5}, {*a, 900}}).has_value());
    REQUIRE_FALSE((*writer)->finish("", {}).has_value());
  }
  const auto from = store::open_store(first);
  REQUIRE(from.ok());
  {
    auto writer = store::StoreWriter::create(second);
    REQUIRE(writer.ok());
    REQUIRE((*writer)->copy_source(*from, 1).ok());
    CHECK_FALSE((*writer)->copy_source(*from, 2).ok());
    REQUIRE_FALSE((*writer)->finish("", {}).has_value());
  }
  const auto file = store::open_store(second);
  REQUIRE(file.ok());
  CHECK_FALSE(fault_of(*file).has_value());
  const auto dictionary = std::make_shared<trace::Dictionary>();
  const auto rank = file->rank(0, dictionary);
  REQUIRE(rank.ok());
  CHECK(difference(*profile->ranks[1], *profile->dictionary, **rank, *dictionary) == "");
  const auto archive = file->archive(0);
  REQUIRE(archive.ok());
  REQUIRE(archive->size() == 2);
  CHECK((*archive)[0].first_offset == 5);
  CHECK((*archive)[1].first_offset == 900);
  CHECK(*file->read_block((*archive)[0].section) == two);
  CHECK(*file->read_block((*archive)[1].section) == one);
}

TEST_CASE("writing stops on cancel") {
  const TestFolder folder;
  const auto profile = small_profile(folder);
  CancelToken cancel;
  cancel.cancel();
  auto writer = store::StoreWriter::create((folder.path() / "x.wscope").string(), {{}, &cancel});
  REQUIRE(writer.ok());
  const auto added = (*writer)->add_rank(*profile->ranks[0], {}, dictionary_of(*profile));
  REQUIRE_FALSE(added.ok());
  CHECK(added.error().what.find("cancelled") != std::string::npos);
}
