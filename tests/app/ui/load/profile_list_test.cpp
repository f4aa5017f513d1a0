// The list of the Load page, without drawing.
#include "app/ui/load/profile_list.hpp"

#include <unistd.h>

#include <ctime>
#include <utility>

#include "tests/catch.hpp"
#include "tests/environment.hpp"
#include "tests/test_folder.hpp"

using namespace warpscope;
using namespace warpscope::ui;

namespace {

ListedProfile at(const std::string& root, const std::string& name, std::time_t seconds) {
  return {{.path = "/runs/" + name, .name = name, .modified = Ns{seconds} * 1'000'000'000, .files = 2, .bytes = 30},
          root};
}

}  // namespace

TEST_CASE("profiles are listed once, most recent first") {
  std::vector<ListedProfile> listed;
  for (const char* root : {"/runs", "/runs/again"})
    for (const auto& [name, time] : {std::pair("bert9", 5), {"llama", 7}, {"bert10", 5}})
      listed.push_back(at(root, name, time));
  sort_profiles(listed);
  std::vector<std::string> names;
  for (const ListedProfile& one : listed) names.push_back(one.profile.name);
  CHECK(names == std::vector<std::string>{"llama", "bert9", "bert10"});
  CHECK(listed[0].root == "/runs");
}

TEST_CASE("the table shows local times, sizes and folders") {
  const tests::Variable zone("TZ", "CET-1");
  ::tzset();
  const std::vector<ListedProfile> listed{at("/runs", "may/x", 1'777'638'600), at("/runs/y", "y", 0)};
  const Table table = profiles_table(listed);
  REQUIRE(table.rows() == 2);
  CHECK(table.at(0, 1).text() == "2026-05-01 13:30");
  CHECK(table.at(0, 2).integer() == 2);
  CHECK(table.at(0, 4).text() == "runs/may");
  CHECK(table.at(1, 4).text() == "y");
}

TEST_CASE("folders are scanned on another thread, and known profiles stay listed during a second scan") {
  const tests::TestFolder folder;
  const char* const text = R"({"schemaVersion": 1, "traceEvents": [{"ph": "X", "name": "k", "ts": 12, "dur": 5}]})";
  folder.write("a/rank0.json", text);
  ProfileList list({});
  const auto wait = [&list] {
    bool changed = false;
    for (int i = 0; i < 5000 && list.looking(); ++i) {
      changed = list.update() || changed;
      ::usleep(1000);
    }
    REQUIRE_FALSE(list.looking());
    return changed;
  };
  const std::vector<std::string> roots{folder.path().string(), (folder.path() / "nowhere").string()};
  list.set_roots(roots);
  CHECK(list.looking());
  CHECK(wait());
  CHECK(list.profiles().size() == 1);
  CHECK(list.problem() == roots[1] + ": no such folder");
  CHECK_FALSE(list.update());

  folder.write("b/rank0.json", text);
  list.look_again();
  CHECK(list.profiles().size() == 1);
  CHECK(wait());
  CHECK(list.profiles().size() == 2);
  list.set_roots({});
  CHECK(list.profiles().empty());
}
