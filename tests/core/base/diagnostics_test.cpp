#include "core/base/diagnostics.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <set>

#include "tests/catch.hpp"
#include "tests/shared_dir.hpp"

using namespace warpscope;

TEST_CASE("diagnostics count by code and file, and keep the first example") {
  Diagnostics diagnostics;
  CHECK(diagnostics.empty());
  diagnostics.add("negative-duration", Severity::warning, "a.json", 10, "first");
  diagnostics.add("negative-duration", Severity::warning, "a.json", 20, "second", 4);
  diagnostics.add("negative-duration", Severity::warning, "b.json", 30, "third");
  diagnostics.add("truncated", Severity::error, "a.json", 40, "fourth");
  diagnostics.add("negative-duration", Severity::warning, "a.json", 50, "fifth");
  REQUIRE(diagnostics.all().size() == 3);
  const Diagnostic& first = diagnostics.all()[0];
  CHECK(first.code == "negative-duration");
  CHECK(first.file == "a.json");
  CHECK(first.count == 6);
  CHECK(first.offset == 10);
  CHECK(first.example == "first");
  CHECK(diagnostics.count("negative-duration") == 7);
  CHECK(diagnostics.count("truncated") == 1);
  CHECK(diagnostics.count("unknown") == 0);
}

TEST_CASE("diagnostics merge, few or many, including with themselves") {
  Diagnostics all;
  Diagnostics parts[2];
  for (int part = 0; part < 2; ++part)
    for (int file = 0; file < 200; ++file)
      parts[part].add("loose-flow", Severity::info, std::to_string(file + 100 * part), 0, "", 2);
  all.merge(parts[0]);
  all.merge(parts[1]);
  CHECK(all.all().size() == 300);
  CHECK(all.count("loose-flow") == 800);
  CHECK(all.all()[100].count == 4);
  all.merge(all);
  CHECK(all.all().size() == 300);
  CHECK(all.count("loose-flow") == 1600);

  Diagnostics few;
  few.add("x", Severity::info, "", Diagnostic::kNoOffset, "");
  few.merge(few);
  CHECK(few.count("x") == 2);
  few.add("x", Severity::info, "", Diagnostic::kNoOffset, "", std::numeric_limits<std::uint64_t>::max());
  CHECK(few.count("x") == std::numeric_limits<std::uint64_t>::max());
}

namespace {

// Returns the codes used in a source file: the quoted words in the first argument of calls that add diagnostics,
// including conditionals such as `opened ? "input-damaged" : "unreadable-file"`, and the first quoted word after any
// other construct that specifies a code.
std::set<std::string> codes_in(const std::string& source) {
  std::set<std::string> codes;
  const std::regex added(R"re(diagnostics_?\.add\(([^,()]*),)re");
  const std::regex named(R"re((?:note\(|skip\(|report\(|: return \{|code = )("[a-z0-9-]+"))re");
  const std::regex quoted(R"re("([a-z0-9-]+)")re");
  for (const std::regex& way : {added, named})
    for (std::sregex_iterator at(source.begin(), source.end(), way), end; at != end; ++at) {
      const std::string argument = (*at)[1];
      for (std::sregex_iterator code(argument.begin(), argument.end(), quoted); code != end; ++code)
        codes.insert((*code)[1]);
    }
  return codes;
}

}  // namespace

TEST_CASE("every code in the sources has an explanation") {
  std::size_t found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tests::source_dir() / "core")) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
    std::ifstream file(entry.path());
    const std::string source((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (const std::string& code : codes_in(source)) {
      INFO(entry.path().string() << ": explain " << code << " in core/base/diagnostic_codes.cpp");
      CHECK(explain(code).ends_with('.'));
      ++found;
    }
  }
  CHECK(found > 10);
}

TEST_CASE("unknown codes have no explanation") {
  CHECK_FALSE(explain("negative-duration").empty());
  CHECK(explain("no such code").empty());
  CHECK(explain("").empty());
}
