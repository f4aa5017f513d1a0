// Files with misleading content, files that change, and small files that expand to huge texts.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cstring>

#include "core/ingest/bytes/byte_stream.hpp"
#include "core/ingest/listing/discover.hpp"
#include "tests/core/ingest/compression.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/stream_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

const std::string kTrace = trace_of(R"({"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":1,"dur":5})");

std::string open_message(const fs::path& path) {
  const auto stream = ingest::open_byte_stream(path.string());
  return stream.ok() ? "opened" : stream.error().message();
}

std::string load_message(const fs::path& path) {
  const auto profile = tests::load_profile(path.string());
  return profile.ok() ? "loaded" : profile.error().message();
}

/// A socket at a path; closed on destruction and deleted with its folder.
class Socket {
 public:
  explicit Socket(const fs::path& path) : descriptor_(::socket(AF_UNIX, SOCK_STREAM, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    REQUIRE(path.string().size() < sizeof(address.sun_path));
    std::strcpy(address.sun_path, path.c_str());
    REQUIRE(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0);
  }
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket() { ::close(descriptor_); }

 private:
  int descriptor_;
};

/// A gzip member with `part` repeated `count` times, created without holding the text in memory.
std::string gzip_of(const std::string& head, const std::string& part, std::size_t count, const std::string& tail) {
  z_stream state{};
  deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out;
  std::array<char, 65536> room{};
  const auto add = [&](const std::string& text, int flush) {
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    state.avail_in = static_cast<uInt>(text.size());
    do {
      state.next_out = reinterpret_cast<Bytef*>(room.data());
      state.avail_out = room.size();
      deflate(&state, flush);
      out.append(room.data(), room.size() - state.avail_out);
    } while (state.avail_out == 0);
  };
  add(head, Z_NO_FLUSH);
  for (std::size_t i = 0; i < count; ++i) add(part, Z_NO_FLUSH);
  add(tail, Z_FINISH);
  deflateEnd(&state);
  return out;
}

std::string zstd_of(const std::string& head, const std::string& part, std::size_t count, const std::string& tail) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  std::string out;
  std::array<char, 65536> room{};
  const auto add = [&](const std::string& text, ZSTD_EndDirective directive) {
    ZSTD_inBuffer in{text.data(), text.size(), 0};
    for (bool done = false; !done;) {
      ZSTD_outBuffer to{room.data(), room.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context, &to, &in, directive);
      out.append(room.data(), to.pos);
      done = directive == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
  };
  add(head, ZSTD_e_continue);
  for (std::size_t i = 0; i < count; ++i) add(part, ZSTD_e_continue);
  add(tail, ZSTD_e_end);
  ZSTD_freeCCtx(context);
  return out;
}

/// A frame with the text "hello" that requires a window of 2^`log` bytes.
std::string zstd_with_window(unsigned log) {
  std::string frame("\x28\xb5\x2f\xfd\0", 5);
  frame += static_cast<char>((log - 10) << 3);
  frame += std::string("\x29\0\0", 3);  // the last block, stored, of 5 bytes
  return frame + "hello";
}

}  // namespace

TEST_CASE("hostile files: files other than regular files are reported without blocking", "[hostile_files]") {
  const TestFolder folder;
  const fs::path pipe = folder.path() / "rank0.json";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const fs::path socket = folder.path() / "rank1.json";
  const Socket bound(socket);
  for (const auto message : {open_message, load_message}) {
    CHECK(contains(message(pipe), "is a pipe, not a file; copy its contents into a file"));
    CHECK(contains(message(socket), "is a socket, not a file"));
    CHECK(contains(message("/dev/null"), "is a device, not a file"));
    CHECK(contains(message("/dev/zero"), "is a device, not a file"));
  }
  CHECK(contains(open_message(folder.path()), "is a directory, not a file"));
}

TEST_CASE("hostile files: broken paths are reported", "[hostile_files]") {
  const TestFolder folder;
  const fs::path file = folder.write("file.json", kTrace);
  const fs::path a = folder.path() / "a.json";
  const fs::path b = folder.path() / "b.json";
  fs::create_symlink(a, b);
  fs::create_symlink(b, a);
  const fs::path dangling = folder.path() / "c.json";
  fs::create_symlink(folder.path() / "gone.json", dangling);
  CHECK(contains(open_message(a), "symbolic links form a loop"));
  CHECK(contains(open_message(dangling), "no such file"));
  CHECK(contains(open_message(file / "below"), "part of the path is a file, not a directory"));
  CHECK(contains(open_message(""), "no such file"));
  CHECK(contains(open_message(folder.path() / std::string(5000, 'x')), "the path is too long"));
  for (const fs::path& path : {a, dangling, file / "below", fs::path(), folder.path() / std::string(5000, 'x')}) {
    const std::string message = load_message(path);
    INFO(message);
    CHECK(message != "loaded");
    CHECK(message.size() > path.string().size() + 10);
  }
}

TEST_CASE("hostile files: a directory with such entries is scanned completely", "[hostile_files]") {
  const TestFolder folder;
  folder.write("good/rank0.json", kTrace);
  REQUIRE(::mkfifo((folder.path() / "pipe.json").c_str(), 0600) == 0);
  const Socket bound(folder.path() / "socket.json");
  fs::create_symlink(folder.path() / "y.json", folder.path() / "x.json");
  fs::create_symlink(folder.path() / "x.json", folder.path() / "y.json");
  fs::create_symlink(folder.path() / "gone.json", folder.path() / "dangling.json");
  fs::create_directory_symlink(folder.path(), folder.path() / "good" / "up");
  fs::create_directory_symlink(".", folder.path() / "here");
  fs::create_symlink(folder.path() / "good" / "rank0.json", folder.path() / "again.json");
  fs::create_symlink("/dev/zero", folder.path() / "endless.json");
  const auto found = ingest::discover(folder.path());
  REQUIRE(found.ok());
  CHECK(found->sources.size() == 1);
  const auto profile = load(folder.path());
  CHECK(profile->ranks.size() == 1);
}

TEST_CASE("hostile files: names with any bytes", "[hostile_files]") {
  const TestFolder folder;
  for (const char* name : {"line\nbreak.json", "quote\".json", "\xff\xfe.json", " .json", "%s%n.json", "-rf.json"})
    CHECK(load(folder.write(name, kTrace))->ranks.size() == 1);
  CHECK(load(folder.path())->ranks.size() == 6);
}

TEST_CASE("hostile files: missing permissions are reported", "[hostile_files]") {
  if (::geteuid() == 0) {
    WARN("run as root, who may read everything: not tested");
    return;
  }
  const TestFolder folder;
  const fs::path secret = folder.write("rank0.json", kTrace);
  const fs::path locked = folder.write("locked/rank1.json", kTrace);
  fs::permissions(secret, fs::perms::none);
  fs::permissions(locked.parent_path(), fs::perms::none);
  CHECK(contains(open_message(secret), "no permission to read it"));
  CHECK(contains(open_message(locked), "no permission to read it"));
  CHECK(contains(load_message(secret), "no permission to read it"));
  const auto found = ingest::discover(folder.path());
  REQUIRE(found.ok());
  CHECK(found->sources.empty());
  CHECK(found->diagnostics.all().size() == 2);
  fs::permissions(locked.parent_path(), fs::perms::owner_all);
}

TEST_CASE("hostile files: a file that shrinks while read is an error", "[hostile_files]") {
  const std::string text = trace_like(3'000'000, 1);
  for (const std::string& content : {text, gzip(text), zstd(text)}) {
    const TemporaryFile file(content);
    auto stream = ingest::open_byte_stream(file.path());
    REQUIRE(stream.ok());
    std::vector<char> into(1000);
    REQUIRE((*stream)->read(into).ok());
    REQUIRE(::truncate(file.path().c_str(), 500) == 0);
    const ReadText rest = read_rest(**stream);
    REQUIRE(rest.error);
    CHECK(contains(rest.error->message(), "shrank while being read"));
    CHECK(rest.text.size() < text.size());
  }
}

TEST_CASE("hostile files: a file removed or replaced while read is read to its end", "[hostile_files]") {
  const std::string text = trace_like(3'000'000, 1);
  for (const std::string& content : {text, gzip(text), zstd(text)}) {
    for (const bool replace : {false, true}) {
      const TemporaryFile file(content);
      auto stream = ingest::open_byte_stream(file.path());
      REQUIRE(stream.ok());
      std::vector<char> into(1000);
      const auto first = (*stream)->read(into);
      REQUIRE(first.ok());
      REQUIRE(::unlink(file.path().c_str()) == 0);
      if (replace) file.write("another");
      const ReadText rest = read_rest(**stream);
      CHECK_FALSE(rest.error);
      CHECK((std::string(into.data(), *first) + rest.text == text));
    }
  }
}

TEST_CASE("hostile files: failing disks and invalid offsets", "[hostile_files]") {
  auto file = ingest::FileSource::open("/proc/self/mem");  // nothing is mapped at 0
  if (file.ok()) {
    std::array<char, 16> into{};
    const auto got = file->read_at(0, into);
    REQUIRE_FALSE(got.ok());
    CHECK(contains(got.error().message(), "cannot be read: "));
  }
  const TemporaryFile trace(kTrace);
  for (const std::uint64_t offset : {std::uint64_t{kTrace.size()}, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    const auto stream = ingest::open_byte_stream_at(trace.path(), offset);
    REQUIRE(stream.ok());
    std::array<char, 100> into{};
    const auto got = (*stream)->read(into);
    REQUIRE(got.ok());
    CHECK(*got == 0);
  }
}

TEST_CASE("hostile files: decompressing a gigabyte of blanks can be cancelled at any time", "[hostile_files]") {
  const std::string blanks(std::size_t{1} << 20, ' ');
  for (const std::string& content :
       {gzip_of("{", blanks, 300, "}"), zstd_of("{", blanks, 300, "}"), gzip(std::string(1 << 20, ' '))}) {
    CHECK(content.size() < 1'000'000);
    const TemporaryFile file(content);
    CancelToken cancel;
    ingest::OpenOptions options;
    options.cancel = &cancel;
    auto stream = ingest::open_byte_stream(file.path(), options);
    REQUIRE(stream.ok());
    std::vector<char> into(1000);
    for (int i = 0; i < 10; ++i) REQUIRE((*stream)->read(into).ok());
    cancel.cancel();
    const auto next = (*stream)->read(into);  // the current input block would yield much more
    REQUIRE_FALSE(next.ok());
    CHECK(contains(next.error().message(), "cancelled"));
  }
}

TEST_CASE("hostile files: a zstd window above 128 MiB is rejected with advice", "[hostile_files]") {
  const auto read = [](unsigned log) { return read_all(TemporaryFile(zstd_with_window(log)).path(), {}); };
  CHECK(read(27).text == "hello");
  for (const unsigned log : {28u, 31u, 41u}) {
    const ReadText refused = read(log);
    REQUIRE(refused.error);
    CHECK(refused.text.empty());
    CHECK(contains(refused.error->message(), "requires more than 128 MiB of memory to decompress; compress it again"));
  }
}

TEST_CASE("hostile files: an event longer than 64 MiB is skipped and the rest is read", "[hostile_files]") {
  const std::string long_part(std::size_t{1} << 20, 'x');
  const TestFolder folder;
  const std::string event = R"({"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":1,"dur":5})";
  const auto file = folder.write("rank0.json.gz", gzip_of(R"({"traceEvents": [)" + event + R"(, {"ph":"X","name":")",
                                                          long_part, 80, "\"}, " + event + "]}"));
  const auto profile = load(file);
  REQUIRE(profile->ranks.size() == 1);
  CHECK(profile->ranks[0]->counts.slices == 2);
  bool said = false;
  for (const Diagnostic& each : profile->ranks[0]->diagnostics.all()) said = said || each.code == "event-too-long";
  CHECK(said);
}
