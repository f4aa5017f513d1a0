#include "app/ui/model/key_bindings.hpp"

#include "app/ui/model/commands.hpp"
#include "tests/catch.hpp"

using namespace warpscope::ui;

namespace {

CommandTable some_commands() {
  CommandTable commands;
  commands.add({"find.focus", "Find", "Find", {}, [] {}}, {"/", "Ctrl+F"});
  commands.add({"app.quit", "Quit", "File", {}, [] {}}, {"Ctrl+Q"});
  Command move{"view.left", "Left", "Navigation", {}, [] {}};
  move.continuous = true;
  move.page = "timeline";
  commands.add(std::move(move), {"A", "Left"});
  Command other{"log.tap", "Tap", "Log", {}, [] {}};
  other.page = "log";
  commands.add(std::move(other), {"A"});
  commands.add({"view.nothing", "Nothing", "View", {}, [] {}});
  return commands;
}

KeyChord chord(std::string_view text) { return parse_chord(text).value(); }

}  // namespace

TEST_CASE("keys survive printing and parsing") {
  const std::vector<KeyChord> keys{chord("Ctrl+Shift+P"), chord("?"), chord("F3")};
  CHECK(keys_text(keys) == "Ctrl+Shift+P ? F3");
  CHECK(parse_keys("Ctrl+Shift+P ? F3") == keys);
  CHECK(parse_keys("ctrl+shift+p  nonsense ? F3 ?") == keys);
  CHECK(keys_text({}) == "none");
  CHECK(parse_keys("none") == std::vector<KeyChord>{});
  CHECK_FALSE(parse_keys("nonsense"));
  CHECK_FALSE(parse_keys(""));
}

TEST_CASE("bindings replace a command's default keys until they are removed") {
  CommandTable commands = some_commands();
  KeyBindings bindings{
      {"find.focus", "Ctrl+K"}, {"app.quit", "none"}, {"gone.command", "F9"}, {"view.left", "damaged"}};
  apply_bindings(commands, bindings);
  CHECK(commands.keys_text("find.focus") == "Ctrl+K");
  CHECK(commands.keys_text("app.quit").empty());
  CHECK(commands.keys_text("view.left") == "A, Left");
  bindings.erase("find.focus");
  apply_bindings(commands, bindings);
  CHECK(commands.keys_text("find.focus") == "/, Ctrl+F");
  apply_bindings(commands, {});
  CHECK(commands.keys_text("app.quit") == "Ctrl+Q");
}

TEST_CASE("chords can be added and removed, and default keys are not stored as bindings") {
  CommandTable commands = some_commands();
  KeyBindings bindings;
  add_chord(bindings, commands, "app.quit", chord("F10"));
  CHECK(bindings.at("app.quit") == "Ctrl+Q F10");
  add_chord(bindings, commands, "app.quit", chord("F10"));
  CHECK(bindings.at("app.quit") == "Ctrl+Q F10");
  remove_chord(bindings, commands, "app.quit", chord("Ctrl+Q"));
  CHECK(bindings.at("app.quit") == "F10");
  remove_chord(bindings, commands, "app.quit", chord("F10"));
  CHECK(bindings.at("app.quit") == "none");
  add_chord(bindings, commands, "app.quit", chord("Ctrl+Q"));
  CHECK(bindings.empty());
  add_chord(bindings, commands, "no.such", chord("F10"));
  CHECK(bindings.empty());
  for (int i = 1; i <= 12; ++i) add_chord(bindings, commands, "view.nothing", chord("F" + std::to_string(i)));
  CHECK(parse_keys(bindings.at("view.nothing"))->size() == kMostChords);
}

TEST_CASE("other commands on a chord are listed by page, including motion commands with Shift") {
  const CommandTable commands = some_commands();
  const Command& find = *commands.find("find.focus");
  CHECK(claimed_by(commands, find, chord("Ctrl+Q")) == std::vector<std::string>{"app.quit"});
  CHECK(claimed_by(commands, find, chord("A")) == std::vector<std::string>{"view.left", "log.tap"});
  CHECK(claimed_by(commands, find, chord("Shift+A")) == std::vector<std::string>{"view.left"});
  CHECK(claimed_by(commands, *commands.find("log.tap"), chord("A")).empty());
  CHECK(claimed_by(commands, find, chord("Ctrl+F")).empty());
}
