// From a directory to ranks and nodes.
#include <algorithm>
#include <atomic>
#include <filesystem>
#include <thread>

#include "core/analysis/information/profile_summary.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/load_profile.hpp"

using namespace warpscope;
using namespace warpscope::tests;

namespace {

std::string rank_trace(int device, const std::string& metadata) {
  const std::string d = std::to_string(device);
  return trace_of(R"({"ph":"X","cat":"kernel","name":"k","pid":)" + d +
                      R"(,"tid":7,"ts":10,"dur":5,"args":{"device":)" + d +
                      R"(,"stream":7,"correlation":1}},{"ph":"X","cat":"cpu_op","name":"op","pid":)" +
                      std::to_string(4000 + device) + R"(,"tid":1,"ts":1,"dur":5})",
                  metadata);
}

std::string distributed(int rank, int world) {
  return R"("distributedInfo":{"rank":)" + std::to_string(rank) + R"(,"world_size":)" + std::to_string(world) + "}";
}

std::vector<std::string> labels(const trace::Profile& profile) {
  std::vector<std::string> result;
  for (const trace::Node& node : profile.nodes)
    result.push_back(node.label + " " + node.host + " " + std::to_string(node.gpus));
  return result;
}

}  // namespace

TEST_CASE("ranks come from the file, its name or its location, in this order") {
  const TestFolder folder;
  folder.write("a.json", rank_trace(0, distributed(5, 8)));
  folder.write("rank_3.json", rank_trace(1, ""));
  const auto profile = load(folder.path());
  REQUIRE(profile->ranks.size() == 2);
  CHECK(profile->ranks[0]->number == 3);
  CHECK(profile->ranks[1]->number == 5);
  CHECK(profile->ranks[1]->world_size == 8);
  CHECK_FALSE(profile->ranks[0]->number_assigned);

  const TestFolder nameless;
  nameless.write("x.json", rank_trace(0, ""));
  nameless.write("y.json", rank_trace(1, ""));
  const auto assigned = load(nameless.path());
  CHECK(assigned->ranks[0]->number == 0);
  CHECK(assigned->ranks[1]->number == 1);
  CHECK(assigned->ranks[1]->number_assigned);
}

TEST_CASE("all files of a rank are kept and distinguished") {
  const TestFolder folder;
  const auto file_of = [](int id) {
    return rank_trace(0, distributed(0, 2) + R"(,"trace_id":")" + std::to_string(id) + "\"");
  };
  folder.write("first/rank0.json", file_of(1));
  folder.write("second/rank0.json", file_of(2));
  const auto profile = load(folder.path());
  CHECK(profile->ranks.size() == 2);
  CHECK(profile->diagnostics.count("duplicate-rank") == 1);
  folder.write("third/rank0.json", file_of(3));
  folder.write("fourth/rank0.json", file_of(4));
  const auto crowded = load(folder.path());
  CHECK(crowded->diagnostics.count("duplicate-rank") == 3);
  CHECK(std::ranges::count(crowded->diagnostics.all(), "duplicate-rank", &Diagnostic::code) == 1);
  CHECK(profile->nodes.size() == 1);
  CHECK(profile->gpus == 1);
}

TEST_CASE("nodes are the hosts in the metadata, ordered by name") {
  const TestFolder folder;
  for (int rank = 0; rank < 4; ++rank)
    folder.write(
        "r" + std::to_string(rank) + ".json",
        rank_trace(rank % 2, distributed(rank, 4) + R"(,"host_name":")" + (rank < 2 ? "node-b" : "node-a") + "\""));
  CHECK(labels(*load(folder.path())) == std::vector<std::string>{"algo-1 node-a 2", "algo-2 node-b 2"});
}

TEST_CASE("the host in a file's name counts only if its pid is in the trace") {
  const TestFolder real;
  real.write("ip-10-0-0-1_4000.1694128201545.pt.trace.json", rank_trace(0, distributed(0, 2)));
  real.write("ip-10-0-0-2_4000.1694128201545.pt.trace.json", rank_trace(0, distributed(1, 2)));
  CHECK(labels(*load(real.path())) == std::vector<std::string>{"algo-1 ip-10-0-0-1 1", "algo-2 ip-10-0-0-2 1"});

  const TestFolder none;
  none.write("worker0_step_12.1694128201545.pt.trace.json", rank_trace(0, distributed(0, 2)));
  none.write("worker1_step_12.1694128201545.pt.trace.json", rank_trace(1, distributed(1, 2)));
  CHECK(labels(*load(none.path())) == std::vector<std::string>{"algo-1  2"});
}

TEST_CASE("SageMaker's folders identify nodes") {
  const TestFolder folder;
  folder.write("algo-2/a.json", rank_trace(0, distributed(1, 3)));
  folder.write("algo-10/a.json", rank_trace(0, distributed(2, 3)));
  folder.write("algo-1/a.json", rank_trace(0, distributed(0, 3)));
  CHECK(labels(*load(folder.path())) == std::vector<std::string>{"algo-1  1", "algo-2  1", "algo-10  1"});
}

TEST_CASE("a repeated device number means another node") {
  const TestFolder folder;
  for (int rank = 0; rank < 8; ++rank)
    folder.write("rank" + std::to_string(rank) + ".json", rank_trace(rank % 4, distributed(rank, 8)));
  const auto profile = load(folder.path());
  REQUIRE(profile->nodes.size() == 2);
  CHECK(profile->nodes[0].gpus == 4);
  CHECK(profile->nodes[1].ranks == std::vector<std::uint32_t>{4, 5, 6, 7});
}

TEST_CASE("one folder per host separates devices; one folder per rank does not") {
  const TestFolder hosts;
  for (int rank = 0; rank < 4; ++rank)
    hosts.write((rank % 2 == 0 ? "left/" : "right/") + std::to_string(rank) + ".json",
                rank_trace(rank / 2, distributed(rank, 4)));
  CHECK(labels(*load(hosts.path())) == std::vector<std::string>{"algo-1 left 2", "algo-2 right 2"});

  const TestFolder ranks;
  for (int rank = 0; rank < 4; ++rank)
    ranks.write("rank_" + std::to_string(rank) + "/trace.json", rank_trace(rank, distributed(rank, 4)));
  CHECK(labels(*load(ranks.path())) == std::vector<std::string>{"algo-1  4"});
}

TEST_CASE("a directory with a single trace corrupt at its head advises copying it again") {
  const TestFolder folder;
  folder.write("a.json.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\3", 10) + std::string(200, '\xff'));
  const auto profile = tests::load_profile(folder.path().string());
  REQUIRE_FALSE(profile.ok());
  CHECK(profile.error().what.find("corrupt near byte") != std::string::npos);
  CHECK(profile.error().advice.starts_with("copy it again"));
}

TEST_CASE("the explanation of unreadable files covers links and pipes") {
  const std::string_view why = explain("unreadable-file");
  for (const std::string_view word : {"copy it again", "permissions", "link", "pipe", "device"})
    CHECK(why.find(word) != std::string_view::npos);
}

TEST_CASE("files that are not traces are skipped and reported; the rest loads") {
  const TestFolder folder;
  folder.write("rank0.json", rank_trace(0, distributed(0, 2)));
  folder.write("rank1.json", rank_trace(1, distributed(1, 2)).substr(0, 160));  // truncated within the second event
  folder.write("empty.json", "");
  folder.write("other.json", R"({"jobs": [1, 2, 3]})");
  folder.write("picture.json", std::string("\x89PNG\r\n\x1a\n\0\0\0", 11));
  folder.write("notes.txt", "nothing of interest");
  folder.write(".hidden/rank2.json", rank_trace(2, distributed(2, 4)));
  const auto profile = load(folder.path());
  CHECK(profile->ranks.size() == 2);
  CHECK(profile->diagnostics.count("empty-file") == 1);
  CHECK(profile->diagnostics.count("not-a-trace") == 1);
  CHECK(profile->diagnostics.count("unreadable-file") == 1);
  CHECK(profile->diagnostics.count("truncated") == 1);
}

TEST_CASE("a directory that links to itself is read once") {
  const TestFolder folder;
  folder.write("sub/rank0.json", rank_trace(0, distributed(0, 1)));
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "sub" / "again");
  CHECK(load(folder.path())->ranks.size() == 1);
}

TEST_CASE("a directory without readable files is an error with path, cause and advice") {
  const auto error_of = [](const std::string& path) {
    auto profile = tests::load_profile(path);
    REQUIRE_FALSE(profile.ok());
    CHECK_FALSE(profile.error().what.empty());
    CHECK_FALSE(profile.error().advice.empty());
    return profile.error().message();
  };
  const TestFolder folder;
  CHECK(error_of((folder.path() / "absent").string()).find("absent") != std::string::npos);
  CHECK(error_of(folder.path().string()).find(folder.path().string()) != std::string::npos);
  CHECK(error_of(folder.write("empty.json", "").string()).find("empty") != std::string::npos);
  CHECK(error_of(folder.write("other.json", R"({"a": 1})").string()).find("traceEvents") != std::string::npos);
}

TEST_CASE("a cancelled load keeps the loaded part and ends") {
  const TestFolder folder;
  std::string events;
  for (int i = 0; i < 20'000; ++i)
    events += (i ? "," : "") + std::string(R"({"ph":"X","cat":"cpu_op","name":"op","pid":1,"tid":1,"ts":)") +
              std::to_string(i * 10) + R"(,"dur":5})";
  for (int rank = 0; rank < 8; ++rank)
    folder.write("rank" + std::to_string(rank) + ".json", trace_of(events, distributed(rank, 8)));
  // Cancelled in the callback for the first rank, before the only worker continues with the second.
  std::atomic<ingest::Loader*> started{nullptr};
  ingest::Loader loader(folder.path().string(), {.threads = 1, .on_change = [&] {
                                                   ingest::Loader* self = nullptr;
                                                   while ((self = started.load()) == nullptr) std::this_thread::yield();
                                                   if (self->profile()) self->cancel();
                                                 }});
  started = &loader;
  loader.wait();
  CHECK(loader.finished());
  CHECK(loader.status().cancelled);
  REQUIRE(loader.profile());
  CHECK(loader.profile()->ranks.size() == 1);
  CHECK_FALSE(loader.profile()->complete);
  CHECK_FALSE(loader.failure());
}
