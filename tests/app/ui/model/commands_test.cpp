#include "app/ui/model/commands.hpp"

#include "tests/app/ui/conflicts.hpp"
#include "tests/catch.hpp"

using namespace warpscope::ui;

namespace {

Command command(std::string id, std::string page = {}, bool continuous = false) {
  Command made{id, "Does " + id, "Test", {}, [] {}};
  made.page = std::move(page);
  made.continuous = continuous;
  return made;
}

}  // namespace

TEST_CASE("a command runs only if it is known and enabled") {
  CommandTable table;
  int runs = 0;
  bool allowed = false;
  table.add({"a", "A", "Test", {}, [&] { ++runs; }, [&] { return allowed; }}, {"Ctrl+A"});
  CHECK_FALSE(table.run("a"));
  CHECK_FALSE(table.run("b"));
  allowed = true;
  CHECK(table.run("a"));
  CHECK(runs == 1);
  CHECK(table.keys_text("a") == "Ctrl+A");
}

TEST_CASE("adding an existing id replaces the command") {
  CommandTable table;
  table.add(command("a"), {"A"});
  table.add(command("a"), {"B", "C"});
  REQUIRE(table.all().size() == 1);
  CHECK(table.keys_text("a") == "B, C");
  CHECK(table.keys_text("a", 1) == "B");
}

TEST_CASE("commands conflict only within a context") {
  CommandTable table;
  table.add(command("one", "timeline"), {"F"});
  table.add(command("two", "settings"), {"F"});
  CHECK(tests::conflicts_in(table).empty());
  table.add(command("everywhere"), {"F"});
  CHECK(tests::conflicts_in(table).size() == 2);
}

TEST_CASE("a motion command also claims its key with Shift") {
  CommandTable table;
  table.add(command("left", {}, true), {"A"});
  table.add(command("other"), {"Shift+A"});
  REQUIRE(tests::conflicts_in(table).size() == 1);
  CHECK(tests::conflicts_in(table)[0].first == "left");
  table.add(command("other"), {"Ctrl+A"});
  CHECK(tests::conflicts_in(table).empty());
}

TEST_CASE("a motion command bound with Shift does not claim the plain key") {
  CommandTable table;
  table.add(command("fast", {}, true), {"Shift+A"});
  table.add(command("other"), {"A"});
  CHECK(tests::conflicts_in(table).empty());
}
