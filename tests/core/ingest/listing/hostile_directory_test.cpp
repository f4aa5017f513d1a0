// Hostile directories: loops, special files, files that disappear or are unreadable, very many files. Everything else
// is loaded, and skipped entries are reported.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

#include "core/ingest/listing/discover.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/hostile_support.hpp"
#include "tests/environment.hpp"
#include "tests/load_profile.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

std::string trace_of_one() { return trace_of(kFirstEvent); }

std::string why(const trace::Profile& profile, const fs::path& path) {
  for (const Diagnostic& each : profile.diagnostics.all())
    if (each.file == path.string()) return each.code + ": " + each.example;
  return "";
}

/// Runs this thread as a user without any permissions.
class NobodyScope {
 public:
  NobodyScope() : changed_(::geteuid() == 0 && ::seteuid(65'534) == 0) {}
  ~NobodyScope() {
    if (changed_ && ::seteuid(0) != 0) std::abort();
  }
  NobodyScope(const NobodyScope&) = delete;
  NobodyScope& operator=(const NobodyScope&) = delete;
  [[nodiscard]] static bool possible() { return ::geteuid() != 0; }

 private:
  bool changed_;
};

}  // namespace

TEST_CASE("hostile: link cycles", "[hostile]") {
  const TestFolder folder;
  const fs::path& root = folder.path();
  folder.write("deep/deeper/rank0.json", trace_of_one());
  fs::create_directory_symlink(root, root / "deep" / "up");
  fs::create_directory_symlink(root / "deep", root / "deep" / "deeper" / "again");
  fs::create_directory_symlink(root / "a", root / "b");
  fs::create_directory_symlink(root / "b", root / "a");
  fs::create_symlink(root / "y.json", root / "x.json");
  fs::create_symlink(root / "x.json", root / "y.json");
  fs::create_symlink(root / "nowhere", root / "gone.json");
  fs::create_symlink(root / "deep" / "deeper" / "rank0.json", root / "same.json");
  const auto profile = load(root);
  CHECK(profile->ranks.size() == 1);
  CHECK(contains(why(*profile, root / "x.json"), "loop"));
  CHECK(contains(why(*profile, root / "y.json"), "loop"));
  CHECK(contains(why(*profile, root / "gone.json"), "no such file"));
}

TEST_CASE("hostile: pipes, sockets and devices among the files", "[hostile]") {
  const TestFolder folder;
  const fs::path& root = folder.path();
  folder.write("rank0.json", trace_of_one());
  REQUIRE(::mkfifo((root / "pipe.json").c_str(), 0600) == 0);
  fs::create_symlink("/dev/zero", root / "device.json");
  fs::create_symlink("/dev/zero", root / "device");
  fs::create_directory(root / "folder.json");
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
  REQUIRE(descriptor >= 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = (root / "socket.json").string();
  REQUIRE(path.size() < sizeof(address.sun_path));
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  REQUIRE(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  const auto profile = load(root);
  ::close(descriptor);
  CHECK(profile->ranks.size() == 1);
  CHECK(contains(why(*profile, root / "pipe.json"), "a pipe"));
  CHECK(contains(why(*profile, root / "socket.json"), "a socket"));
  CHECK(contains(why(*profile, root / "device.json"), "a device"));
  CHECK(why(*profile, root / "device").empty());
  CHECK(why(*profile, root / "folder.json").empty());
  for (const char* const name : {"pipe.json", "socket.json", "device.json"}) {
    const auto alone = tests::load_profile((root / name).string());
    REQUIRE_FALSE(alone.ok());
    CHECK_FALSE(alone.error().advice.empty());
  }
}

TEST_CASE("hostile: files that shrink or vanish after discovery", "[hostile]") {
  const TestFolder folder;
  const std::string whole = trace_of(times(std::string(kFirstEvent) + ",", 50'000) + kLastEvent);
  const fs::path kept = folder.write("rank0.json", whole);
  const fs::path vanishes = folder.write("rank1.json", whole);
  const fs::path shrinks = folder.write("rank2.json", whole);
  const fs::path empties = folder.write("rank3.json", whole);
  const fs::path shrinks_gz = folder.write("rank4.json.gz", gzip(whole));
  const fs::path turns = folder.write("rank5.json", whole);
  std::atomic<bool> done{false};
  ingest::LoadOptions options;
  options.on_change = [&] {
    if (done.exchange(true)) return;  // first callback: the files are found but not read yet
    fs::remove(vanishes);
    fs::resize_file(shrinks, whole.size() / 2);
    fs::resize_file(empties, 0);
    fs::resize_file(shrinks_gz, fs::file_size(shrinks_gz) / 2);
    fs::remove(turns);
    fs::create_directory(turns);
  };
  const auto profile = tests::load_profile(folder.path().string(), options);
  REQUIRE(profile.ok());
  std::uint64_t slices = 0;
  for (const auto& rank : (*profile)->ranks) slices = std::max(slices, rank->counts.slices);
  CHECK(slices == 50'001);
  for (const fs::path& path : {vanishes, shrinks, empties, shrinks_gz, turns}) {
    INFO(path);
    CHECK_FALSE(why(**profile, path).empty());
  }
  CHECK(why(**profile, kept).empty());
}

TEST_CASE("hostile: files and directories without permission", "[hostile]") {
  const TestFolder folder;
  folder.write("rank0.json", trace_of_one());
  const fs::path file = folder.write("rank1.json", trace_of_one());
  const fs::path directory = folder.path() / "closed";
  folder.write("closed/rank2.json", trace_of_one());
  fs::permissions(file, fs::perms::none);
  fs::permissions(directory, fs::perms::none);
  {
    const NobodyScope nobody;
    if (!nobody.possible()) {
      WARN("skipped: this user may read everything");
    } else {
      const auto profile = load(folder.path());
      CHECK(profile->ranks.size() == 1);
      CHECK(contains(why(*profile, file), "permission"));
      CHECK(contains(why(*profile, directory), "unreadable-directory"));
      const auto alone = tests::load_profile(file.string());
      REQUIRE_FALSE(alone.ok());
      CHECK(contains(alone.error().message(), "permission"));
      const auto closed = tests::load_profile(directory.string());
      REQUIRE_FALSE(closed.ok());
      CHECK(contains(closed.error().message(), "ermission"));
    }
  }
  fs::permissions(directory, fs::perms::owner_all);
}

TEST_CASE("hostile: thousands of files", "[hostile]") {
  // In memory where possible, because ext4 takes seconds and slows down other tests while it frees the inodes.
  const bool memory = ::access("/dev/shm", W_OK) == 0;
  const Variable parent{"TMPDIR", memory ? "/dev/shm" : fs::temp_directory_path().c_str()};
  const TestFolder folder;
  const auto kFiles = static_cast<std::uint32_t>(sanitized() ? 3'000 : 10'000);
  for (std::uint32_t i = 0; i < kFiles; ++i) {
    const fs::path path = folder.path() / ("part" + std::to_string(i) + ".json");
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(descriptor >= 0);
    const std::string text = i % 1000 == 0 ? trace_of_one() : "no trace";
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    ::close(descriptor);
    REQUIRE(written == static_cast<ssize_t>(text.size()));
  }
  const auto profile = load(folder.path());
  CHECK(profile->ranks.size() == kFiles / 1000);
  CHECK(profile->diagnostics.count("not-a-trace") == kFiles - kFiles / 1000);
}

TEST_CASE("hostile: directories as deep as paths can be", "[hostile]") {
  const TestFolder folder;
  folder.write("rank0.json", trace_of_one());
  fs::path deepest = folder.path();
  const std::string name(200, 'd');
  while (deepest.native().size() + name.size() + 20 < 4096) {
    deepest /= name;
    fs::create_directory(deepest);
  }
  std::ofstream(deepest / "rank1.json") << trace_of_one();
  CHECK(load(folder.path())->ranks.size() == 2);
}
