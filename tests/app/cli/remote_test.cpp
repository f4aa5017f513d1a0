// Profiles on another machine, over a stand-in for ssh and over a real sshd where one is installed.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "core/analysis/ranks/clock_alignment.hpp"
#include "core/base/table_writers.hpp"
#include "core/ingest/load/loader.hpp"
#include "core/ingest/remote/remote_host.hpp"
#include "core/rules/registry.hpp"
#include "tests/app/cli/run_program.hpp"
#include "tests/catch.hpp"
#include "tests/environment.hpp"
#include "tests/shared_dir.hpp"
#include "tests/small_job.hpp"
#include "tests/text.hpp"

using namespace warpscope;
using namespace warpscope::tests;
namespace fs = std::filesystem;

namespace {

constexpr const char* kProgram = WARPSCOPE_PROGRAM;

void write_script(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "#!/bin/bash\n" << text;
  fs::permissions(file, fs::perms::owner_all);
}

/// A job on a "host", which differs from this machine in its caches.
class Host {
 public:
  Host() {
    write_set(folder_, tracegen::generate_in_memory(small_job(2, 2)), "job");
    fs::create_directories(folder_.path() / "there/programs");
    fs::create_symlink(kProgram, folder_.path() / "there/programs/warpscope");
    stand_in("");
  }

  /// ssh runs the command here. `before`: lines of the script.
  void stand_in(const std::string& before) const {
    const std::string there = (folder_.path() / "there").string();
    write_script(folder_.path() / "bin/ssh", "cd " + there + "; export XDG_CACHE_HOME=" + there +
                                                 "/cache PATH=" + there + "/programs:/usr/bin:/bin HOME=" + there +
                                                 "\nset -o pipefail\n" + before + "\nsh -c \"${!#}\" | tee -a wire\n");
  }

  [[nodiscard]] const TestFolder& folder() const { return folder_; }
  [[nodiscard]] fs::path path() const { return folder_.path(); }
  [[nodiscard]] std::string job() const { return path() / "job"; }
  [[nodiscard]] std::string remote(const std::string& what = "job") const {
    return "ssh://node7" + (path() / what).string();
  }
  /// Returns how many bytes came from the host since the last call.
  [[nodiscard]] std::uintmax_t wire() const {
    const fs::path file = path() / "there/wire";
    const std::uintmax_t size = fs::exists(file) ? fs::file_size(file) : 0;
    fs::remove(file);
    return size;
  }

 private:
  TestFolder folder_;
  Variable path_{"PATH", ((folder_.path() / "bin").string() + ":/usr/bin:/bin").c_str()};
  Variable cache_{"XDG_CACHE_HOME", (folder_.path() / "here").c_str()};
};

/// Everything that a load of the path gives, as a converted file.
std::string all_of(const Host& host, const std::string& path) {
  const std::string file = host.path() / "copy.wscope";
  const Outcome converted = run({"convert", path, "--out", file});
  INFO(converted.err);
  REQUIRE(converted.status == cli::kDone);
  return run({"rules", file, "--json"}).out + run({"analyze", "kernel_time", file, "--json"}).out +
         run({"sql", file, "SELECT name, args FROM slice LIMIT 500"}).out;
}

void check_same(const Outcome& one, const Outcome& other) {
  CHECK(one.status == other.status);
  CHECK(one.out == other.out);
  CHECK(one.err == other.err);
}

Failure failure_of(const std::string& path) {
  ingest::Loader loader(path);
  loader.wait();
  return loader.failure();
}

}  // namespace

TEST_CASE("commands run where the traces are", "[cli][remote]") {
  const Host host;
  const std::vector<std::vector<std::string>> commands{{"rules", "", "--json"},
                                                       {"analyze", "kernel_time", "", "--csv"},
                                                       {"sql", "", "SELECT count(*), 'it''s' FROM rank"},
                                                       {"sql", "", "SELECT nothing"}};
  for (std::vector<std::string> command : commands) {
    const auto path = std::ranges::find(command, "");
    *path = host.job();
    const Outcome here = run(command);
    *path = host.remote();
    check_same(run(command), here);
  }
  CHECK(host.wire() < 100'000);
  CHECK_FALSE(fs::exists(host.path() / "here"));
}

TEST_CASE("a remote profile is the local one, and what was read comes once", "[cli][remote]") {
  const Host host;
  const std::string expected = all_of(host, host.job());
  CHECK(expected.size() > 10'000);
  CHECK(all_of(host, host.remote()) == expected);
  CHECK(host.wire() > 20'000);
  CHECK(all_of(host, host.remote()) == expected);
  CHECK(host.wire() < 2'000);

  // A corrupt block of the copy is fetched again.
  for (const auto& entry : fs::directory_iterator(host.path() / "here/warpscope/stores"))
    std::fstream(entry.path(), std::ios::in | std::ios::out | std::ios::binary).seekp(100).write("damage", 6);
  CHECK(all_of(host, host.remote()) == expected);
  CHECK(host.wire() > 10'000);

  // Shards are a profile there, too; a missing one is reported.
  for (const char* share : {"1/2", "2/2"})
    REQUIRE(run({"convert", host.job(), "--share", share, "--out", host.path() / "shards"}).status == cli::kDone);
  CHECK(all_of(host, host.remote("shards")) == expected);
  fs::remove(fs::directory_iterator(host.path() / "shards")->path());
  const Outcome part = run({"convert", host.remote("shards"), "--out", host.path() / "part.wscope"});
  CHECK(part.status == cli::kDone);
  CHECK(contains(run({"info", host.path() / "part.wscope", "--json"}).out, "shard-missing"));
  // A trace that is gone does not live on in the host's store.
  fs::remove(fs::recursive_directory_iterator(host.path() / "job")->path());
  const std::string fewer = all_of(host, host.job());
  CHECK(fewer != expected);
  CHECK(all_of(host, host.remote()) == fewer);
  // Without a cache, the copy is in memory.
  fs::remove_all(host.path() / "here");
  CHECK(run({"convert", host.remote(), "--out", host.path() / "part.wscope", "--no-store"}).status == cli::kDone);
  CHECK_FALSE(fs::exists(host.path() / "here"));
}

TEST_CASE("a lost connection is made again", "[cli][remote]") {
  const Host host;
  const std::string expected = all_of(host, host.job());
  const std::string job = host.remote("job.wscope");
  fs::copy_file(host.path() / "copy.wscope", host.path() / "job.wscope");
  host.stand_in(
      "echo $RANDOM of the login script\n[ -e lost ] || { touch lost; dd bs=65536 count=3 < <(exec sh -c \"${!#}\"); "
      "kill $!; exit; }");
  CHECK(all_of(host, job) == expected);
  CHECK(fs::exists(host.path() / "there/lost"));

  // If it cannot be made again, the data is not called corrupt.
  fs::remove_all(host.path() / "here");
  fs::remove(host.path() / "there/lost");
  host.stand_in(
      "[ ! -e lost ] || { echo refused >&2; exit 255; }\ntouch lost; dd bs=65536 count=3 < <(exec sh -c \"${!#}\"); "
      "kill $!; exit");
  const Outcome lost = run({"convert", job, "--out", host.path() / "lost.wscope"});
  INFO(lost.err);
  CHECK(lost.status == cli::kNothingRead);
  CHECK(contains(lost.err, "the connection to node7 was lost"));
  CHECK(contains(lost.err, "refused"));
  CHECK_FALSE(contains(lost.err, "corrupt"));
}

namespace {

std::shared_ptr<const trace::Profile> loaded(const std::unique_ptr<ingest::Loader>& loader) {
  loader->wait();
  REQUIRE(loader->profile());
  return loader->profile();
}

std::string text_of(const Result<std::vector<Table>>& tables) {
  if (!tables) return tables.error().message();
  std::vector<NamedTable> named;
  for (const Table& table : *tables) named.push_back({table.id, &table});
  std::string text;
  write_json(text, named);
  for (const Table& table : *tables)
    for (std::size_t row = 0; row < table.rows(); ++row)
      for (std::size_t column = 0; column < table.columns().size(); ++column)
        if (const auto reference = table.at(row, column).reference()) text += std::to_string(*reference) + ' ';
  return text;
}

std::string text_of(const Result<rules::Evaluation>& evaluation, const trace::Profile& profile) {
  if (!evaluation) return evaluation.error().message();
  std::string text = rules::summary(*evaluation);
  rules::write_findings_json(text, *evaluation, profile);
  for (const rules::Evaluated& each : evaluation->rules)
    for (const rules::Detail& detail : each.outcome.details)
      for (const analysis::ChartSeries& series : detail.chart.series) text += series.label;
  return text + text_of(rules::tables(*evaluation, profile));
}

}  // namespace

TEST_CASE("a host computes what is asked about its profile", "[cli][remote]") {
  const Host host;
  const auto here = std::make_unique<ingest::Loader>(host.job());
  auto there = std::make_unique<ingest::Loader>(host.remote());
  const auto own = loaded(here);
  const auto remote = loaded(there);
  CHECK(own->host == nullptr);
  REQUIRE(remote->host != nullptr);
  const std::vector<Ns> shifts(own->ranks.size(), 5'000);
  for (const bool shifted : {false, true}) {
    const auto one = shifted ? trace::with_clock_shifts(*own, shifts) : own;
    const auto other = shifted ? trace::with_clock_shifts(*remote, shifts) : remote;
    static_cast<void>(host.wire());
    for (const analysis::Analysis& each : analysis::analyses()) {
      CAPTURE(each.name, shifted);
      const analysis::Scope scope{.ranks = {1}, .range = shifted ? std::optional(one->steps[0].time) : std::nullopt};
      analysis::SharedResults own_results(*one);
      analysis::SharedResults results(*other);
      CHECK(text_of(run_with_scope_note(each, *other, scope, {}, nullptr, nullptr, results)) ==
            text_of(run_with_scope_note(each, *one, scope, {}, nullptr, here->events().get(), own_results)));
    }
    rules::CustomRule custom;
    custom.name = "Idle";
    custom.metric = "temporal_breakdown.idle_time_pctg";
    custom.threshold = 0.001;
    const rules::EvaluateOptions options{.custom = {&custom, 1}, .kernel_rules = "computation=GEMM"};
    const auto findings = [&](const auto& profile) {
      return text_of(rules::evaluate({.profile = *profile, .scope = {}, .values = {}}, options), *profile);
    };
    CHECK(contains(findings(other), "Idle"));
    CHECK(findings(other) == findings(one));
    CHECK(host.wire() < 150'000);
  }
  const CancelToken never;
  CHECK(analysis::align_clocks(*remote, nullptr, never).shifts ==
        analysis::align_clocks(*own, here->events().get(), never).shifts);

  // Errors, unknown questions, questions about another profile, cancelled ones, and those asked again.
  const analysis::Analysis& one = *analysis::find_analysis("critical_path");
  const std::vector<analysis::Setting> wrong{{"step", "no such step"}};
  CHECK(text_of(run_analysis(one, *remote, {}, wrong)) == text_of(run_analysis(one, *own, {}, wrong)));
  const auto unknown = remote->host->ask("weather", {}, nullptr);
  CHECK((unknown && !*unknown));
  trace::Profile part = *remote;
  part.ranks.pop_back();
  CHECK(text_of(run_analysis(*analysis::find_analysis("kernels"), part, {}, {})).size() > 1000);
  CancelToken cancelled;
  cancelled.cancel();
  CHECK_FALSE(remote->host->ask("clocks", {}, &cancelled));
  output_of("pkill -KILL -f 'serve -- " + host.job() + "'");
  CHECK(text_of(run_analysis(one, *remote, {}, {})) == text_of(run_analysis(one, *own, {}, {})));
  host.stand_in("exit 255");
  output_of("pkill -KILL -f 'serve -- " + host.job() + "'");
  CHECK(contains(text_of(run_analysis(one, *remote, {}, {})), "connection to node7 was lost"));
  CHECK(contains(analysis::align_clocks(*remote, nullptr, never).refused, "connection to node7 was lost"));
  there.reset();
  CHECK(contains(text_of(run_analysis(one, *remote, {}, {})), "the profile was closed"));
}

TEST_CASE("the first page of a remote job reads a tenth of it", "[cli][remote]") {
  const Host host;
  tracegen::Options options = small_job(2, 2);
  options.slices = 400'000;
  write_set(host.folder(), tracegen::generate_in_memory(tracegen::resolved(options)), "large");
  REQUIRE(run({"convert", host.path() / "large", "--out", host.path() / "large.wscope"}).status == cli::kDone);
  const auto there = std::make_unique<ingest::Loader>(host.remote("large.wscope"));
  const auto remote = loaded(there);
  const CancelToken never;
  CHECK(rules::evaluate({.profile = *remote, .scope = {}, .values = {}}).ok());
  static_cast<void>(analysis::align_clocks(*remote, there->events().get(), never));
  for (const auto& rank : remote->ranks) CHECK(rank->rows.ready() == nullptr);
  CHECK(host.wire() * 10 < fs::file_size(host.path() / "large.wscope"));
  // A rank on demand.
  CHECK(remote->ranks[1]->duration(0) > 0);
  CHECK(remote->ranks[1]->rows.ready() != nullptr);
  CHECK(remote->ranks[0]->rows.ready() == nullptr);
}

TEST_CASE("connection errors state the cause and the fix", "[cli][remote]") {
  const Host host;
  const auto check = [&](const char* script, const char* what, const char* advice) {
    host.stand_in(script);
    const Failure failure = failure_of(host.remote());
    REQUIRE(failure);
    INFO(failure->message());
    CHECK(contains(failure->where + failure->what, what));
    CHECK(contains(failure->advice, advice));
  };
  check("echo 'Host key verification failed.' >&2; exit 255", "Host key verification failed.", "ssh node7");
  check("PATH=/usr/bin:/bin", "not installed there", "cat > .local/bin/warpscope");
  check("printf 'hello\\n\\nwarpscope serves\\n\\006\\000\\000\\000\\001\\0030.1\\001\\002'; sleep 1; exit",
        "Warpscope 0.1 there", "same version");
  check("exit 137", "ended by signal 9", "memory");
  check("echo 'warpscope: error while loading shared libraries: libx.so' >&2; exit 127", "libx.so", "build it there");
  check("exit 0", "connection was closed", "warpscope --version");
  check("mv ../job ../moved 2>/dev/null", "no such file", "check the path");
  for (const char* path :
       {"ssh://", "ssh://node7", "ssh:///data", "ssh://-x/data", "ssh://node7:http/data", "ssh://me@/d"})
    CHECK(run({"rules", path}).status == cli::kUsage);
  CHECK(run({"ssh://node7/job", "--watch"}).status == cli::kUsage);
  CHECK(run({"convert", "ssh://node7/job", "--share", "1/2", "--out", "x"}).status == cli::kUsage);
}

TEST_CASE("a command on a host ends with its connection", "[cli][remote]") {
  const Host host;
  const std::string status = host.path() / "status";
  output_of("(WARPSCOPE_ON_HOST=1 timeout 30 " + std::string(kProgram) + " sql " + host.job() +
            " 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'; echo $? > " +
            status + ") | true");
  CHECK(read_whole(status) == std::to_string(128 + SIGTERM) + "\n");
}

TEST_CASE("paths on hosts", "[cli][remote]") {
  const auto parsed = [](const char* text) {
    const auto path = ingest::parse_remote_path(text);
    return path ? path->host + "|" + path->port + "|" + path->path : "wrong";
  };
  CHECK(parsed("ssh://node7/data/job") == "node7||/data/job");
  CHECK(parsed("ssh://me@node7:2222/data/it's") == "me@node7|2222|/data/it's");
  CHECK(parsed("ssh://node7/~/job") == "node7||job");
  CHECK(parsed("ssh://node7/~") == "node7||.");
  CHECK(parsed("ssh://node7/~/-job") == "node7||./-job");
  CHECK(parsed("ssh://me@[fe80::1]:22/job") == "me@fe80::1|22|/job");
  CHECK(parsed("ssh://[fe80::1]/job") == "fe80::1||/job");
  CHECK(output_of("printf %s " + ingest::shell_quoted("it's \"$HOME\"\n")) == "it's \"$HOME\"\n");
}

namespace {

/// A server of its own on a free port of this machine, for this user.
class Server {
 public:
  explicit Server(const Host& host) : folder_(host.path() / "sshd") {
    fs::create_directories(folder_);
    for (const char* key : {"host", "user", "other"})
      output_of("ssh-keygen -q -t ed25519 -N '' -f " + (folder_ / key).string());
    fs::copy_file(folder_ / "user.pub", folder_ / "authorized_keys");
    if (::geteuid() == 0) fs::create_directories("/run/sshd");  // as its service does
    port_ = free_port();
    std::ofstream(folder_ / "config") << "ListenAddress 127.0.0.1\nPort " << port_ << "\nHostKey "
                                      << (folder_ / "host").string() << "\nAuthorizedKeysFile "
                                      << (folder_ / "authorized_keys").string()
                                      << "\nStrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\nSetEnv PATH="
                                      << (host.path() / "there/programs").string()
                                      << ":/usr/bin:/bin HOME=" << (host.path() / "there").string()
                                      << " XDG_CACHE_HOME=" << (host.path() / "there/cache").string() << "\n";
    know("host");
    write_script(host.path() / "bin/ssh",
                 "exec /usr/bin/ssh -o BatchMode=yes -o UserKnownHostsFile=" + (folder_ / "known").string() + " -i " +
                     (folder_ / "user").string() + " \"$@\"\n");
    process_ = ::fork();
    if (process_ == 0) {
      const std::string config = (folder_ / "config").string();
      const std::string log = (folder_ / "log").string();
      ::execl("/usr/sbin/sshd", "/usr/sbin/sshd", "-D", "-f", config.c_str(), "-E", log.c_str(), nullptr);
      ::_exit(1);
    }
    for (int i = 0; i < 100 && !contains(read_whole(folder_ / "log"), "listening"); ++i) ::usleep(50'000);
  }
  ~Server() {
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Makes a key the one that the user expects of the host.
  void know(const char* key) const {
    const std::string line = read_whole((folder_ / key).string() + ".pub");
    std::ofstream(folder_ / "known") << "[127.0.0.1]:" << port_ << " " << line;
  }
  [[nodiscard]] std::string at(const std::string& path) const {
    return "ssh://127.0.0.1:" + std::to_string(port_) + path;
  }
  [[nodiscard]] std::string log() const { return read_whole(folder_ / "log"); }

 private:
  static int free_port() {
    const Descriptor probe(::socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    REQUIRE(::bind(probe.get(), reinterpret_cast<sockaddr*>(&address), size) == 0);
    REQUIRE(::getsockname(probe.get(), reinterpret_cast<sockaddr*>(&address), &size) == 0);
    return ntohs(address.sin_port);
  }

  fs::path folder_;
  int port_ = 0;
  pid_t process_ = -1;
};

}  // namespace

TEST_CASE("a profile over a real sshd", "[cli][remote]") {
  if (!fs::exists("/usr/sbin/sshd") || !fs::exists("/usr/bin/ssh")) {
    WARN("skipped: no sshd (openssh-server)");
    return;
  }
  const Host host;
  const Server server(host);
  const std::string expected = all_of(host, host.job());
  const std::string remote = server.at(host.job());
  const Outcome rules = run({"rules", remote, "--json"});
  INFO(server.log());
  INFO(rules.err);
  REQUIRE(rules.status == cli::kDone);
  CHECK(rules.out == run({"rules", host.job(), "--json"}).out);
  CHECK(all_of(host, remote) == expected);

  // Parts on demand, with the connection killed in between.
  fs::remove_all(host.path() / "here");
  const auto path = ingest::parse_remote_path(remote);
  REQUIRE(path);
  const auto connected = ingest::RemoteHost::connect(
      *path, [](const auto&) {}, [] { return false; });
  REQUIRE(connected);
  const auto bytes = ingest::remote_bytes(*connected, 0, store::Cache(host.path() / "here"));
  REQUIRE(bytes);
  std::array<std::uint8_t, 4000> content{};
  for (const std::uint64_t offset : {std::uint64_t{0}, (*bytes)->size() / 2}) {
    CHECK((*bytes)->read(offset, content));
    const std::string stored = read_whole((*connected)->files()[0].path);
    CHECK(std::equal(content.begin(), content.end(), stored.begin() + static_cast<std::ptrdiff_t>(offset),
                     [](std::uint8_t one, char other) { return one == static_cast<std::uint8_t>(other); }));
    output_of("pkill -KILL -f " + (host.path() / "there/programs/warpscope").string() + "; pkill -KILL -f 'serve -- " +
              host.job() + "'");
  }
  CHECK_FALSE((*bytes)->read((*bytes)->size(), content));

  server.know("other");
  const Failure refused = failure_of(remote);
  REQUIRE(refused);
  CHECK(contains(refused->what, "Host key verification failed"));
  server.know("host");
  fs::remove(host.path() / "there/programs/warpscope");
  const Failure absent = failure_of(remote);
  REQUIRE(absent);
  CHECK(contains(absent->what, "not installed there"));
}
