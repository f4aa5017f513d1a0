// Code rules that a compiler does not check: includes refer only to lower layers and never form a cycle of directories,
// the lower layers use no graphics library, one place opens files for writing, only the writers that remove control
// characters print, and files and directories have a limited size.

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/catch.hpp"
#include "tests/shared_dir.hpp"

namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_file = 500;   // lines
constexpr std::size_t fullest_folder = 40;  // units: a header and its source are one

// A folder, the project folders its files may include, and the graphics packages they must not include.
struct Layer {
  std::string_view folder;
  std::vector<std::string_view> allowed;
  std::vector<std::string_view> forbidden;
};

const std::vector<Layer>& layers() {
  static const std::vector<std::string_view> graphics{"GL/",   "GLES",  "EGL/", "epoxy/",        "GLFW/",
                                                      "imgui", "png.h", "X11/", "backends/imgui"};
  static const std::vector<Layer> table{
      {"core/", {"core/"}, graphics},
      {"core/base/", {"core/base/"}, {}},
      {"core/trace/", {"core/base/", "core/trace/"}, {}},
      {"core/store/", {"core/base/", "core/trace/", "core/store/"}, {}},
      {"core/ingest/", {"core/base/", "core/trace/", "core/store/", "core/ingest/"}, {}},
      {"core/analysis/", {"core/base/", "core/trace/", "core/store/", "core/ingest/", "core/analysis/"}, {}},
      {"core/rules/",
       {"core/base/", "core/trace/", "core/store/", "core/ingest/", "core/analysis/", "core/rules/"},
       {}},
      {"core/sql/",
       {"core/base/", "core/trace/", "core/store/", "core/ingest/", "core/analysis/", "core/rules/", "core/sql/"},
       {}},
      {"core/record/", {"core/base/", "core/record/"}, {}},
      {"assets/", {"assets/"}, graphics},
      {"render/scene/", {"core/", "render/scene/"}, graphics},
      {"render/charts/", {"core/", "render/scene/", "render/charts/"}, graphics},
      {"render/plots/", {"core/", "render/scene/", "render/charts/", "render/plots/"}, graphics},
      {"render/gl/", {"core/", "assets/", "render/scene/", "render/charts/", "render/gl/"}, {"GLFW/", "imgui"}},
      {"app/", {"core/", "assets/", "render/", "app/", "tests/tracegen/tracegen.hpp" /* the demo trace */}, {}},
      {"app/settings/", {"core/", "app/settings/"}, graphics},
      {"tests/tracegen/", {"tests/tracegen/", "app/cli/arguments.hpp"}, graphics},
  };
  return table;
}

bool starts_with_any(std::string_view text, const std::vector<std::string_view>& prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return text.starts_with(prefix); });
}

struct Include {
  std::string target;
  bool quoted = false;
};

std::vector<Include> includes_of(std::string_view text) {
  std::vector<Include> found;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t hash = line.find_first_not_of(" \t");
    if (hash == std::string::npos || line[hash] != '#') continue;
    const std::size_t word = line.find_first_not_of(" \t", hash + 1);
    if (word == std::string::npos || line.compare(word, 7, "include") != 0) continue;
    const std::size_t open = line.find_first_of("<\"", word);
    if (open == std::string::npos) continue;
    const std::size_t close = line.find_first_of(">\"", open + 1);
    if (close == std::string::npos) continue;
    found.push_back({line.substr(open + 1, close - open - 1), line[open] == '"'});
  }
  return found;
}

// Returns the violations in the includes of the file at `path` (relative to the root, '/' between folders).
std::vector<std::string> include_violations(std::string_view path, std::string_view text) {
  std::vector<std::string> violations;
  for (const Layer& layer : layers()) {
    if (!path.starts_with(layer.folder)) continue;
    for (const Include& include : includes_of(text)) {
      if (starts_with_any(include.target, layer.forbidden)) {
        violations.push_back(std::string(path) + " includes a graphics package: " + include.target);
      } else if (include.quoted && !starts_with_any(include.target, layer.allowed)) {
        violations.push_back(std::string(path) + " includes what is not below it: " + include.target);
      }
    }
  }
  return violations;
}

// Returns the lines that use standard output or error; ignores comments.
std::vector<std::string> printing_lines(std::string_view text) {
  constexpr std::array<std::string_view, 11> kPrints{"stdout",    "stderr",        "std::cout",     "std::cerr",
                                                     "std::clog", "STDOUT_FILENO", "STDERR_FILENO", "fmt::print",
                                                     " printf(",  "::printf(",     "perror("};
  std::vector<std::string> found;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::string_view code = std::string_view(line).substr(0, line.find("//"));
    if (std::ranges::any_of(kPrints, [&](std::string_view each) { return code.find(each) != std::string_view::npos; }))
      found.push_back(line);
  }
  return found;
}

// Returns the lines that recover meaning from the text of a table or rule; cells and outcomes carry references and
// fields instead. HTA's and users' names may be compared.
std::vector<std::string> parsing_lines(std::string_view text) {
  constexpr std::array<std::string_view, 6> kParses{"text() == to_string(", "text().find(", "text().substr(",
                                                    "text().starts_with(",  "why.find(",    "headline.find("};
  std::vector<std::string> found;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::string_view code = std::string_view(line).substr(0, line.find("//"));
    if (std::ranges::any_of(kParses, [&](std::string_view each) { return code.find(each) != std::string_view::npos; }))
      found.push_back(line);
  }
  return found;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// All sources and headers under the project's code folders, as paths relative to the root.
std::vector<std::string> code_files() {
  std::vector<std::string> found;
  for (std::string_view folder : {"app", "assets", "core", "render", "tests"}) {
    const fs::path top = warpscope::tests::source_dir() / folder;
    if (!fs::is_directory(top)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(top)) {
      constexpr std::array<std::string_view, 5> kinds{".cpp", ".hpp", ".glsl", ".sh", ".py"};
      if (!entry.is_regular_file()) continue;
      if (std::ranges::find(kinds, entry.path().extension().string()) == kinds.end()) continue;
      found.push_back(fs::relative(entry.path(), warpscope::tests::source_dir()).generic_string());
    }
  }
  std::ranges::sort(found);
  return found;
}

/// "core/base" of "core/base/time.hpp".
std::string folder_of(std::string_view path) { return std::string(path.substr(0, path.rfind('/'))); }

/// Maps each folder to the folders that its files include.
using FolderGraph = std::map<std::string, std::set<std::string>>;

/// Returns a cycle of folders, from one of them back to itself; empty if there is none.
std::vector<std::string> circle_in(const FolderGraph& graph) {
  std::set<std::string> done;
  std::vector<std::string> way;
  const std::function<bool(const std::string&)> visit = [&](const std::string& folder) {
    if (const auto before = std::ranges::find(way, folder); before != way.end()) {
      way.erase(way.begin(), before);
      way.push_back(folder);
      return true;
    }
    if (!done.insert(folder).second) return false;
    way.push_back(folder);
    if (const auto next = graph.find(folder); next != graph.end())
      for (const std::string& each : next->second)
        if (visit(each)) return true;
    way.pop_back();
    return false;
  };
  for (const auto& [folder, ignored] : graph)
    if (visit(folder)) return way;
  return {};
}

/// True if C++ or Python code contains a call that can create or change a file.
bool opens_for_writing(std::string_view text) {
  constexpr std::array<std::string_view, 13> kCalls{
      "std::ofstream", "std::fstream", "O_WRONLY",      "O_RDWR", "O_CREAT",  "O_TRUNC",   "mkstemp",
      "mkostemp",      "gzopen",       "write_to_file", "creat(", "os.open(", "with open("};
  if (std::ranges::any_of(kCalls, [&](std::string_view call) { return text.find(call) != std::string_view::npos; }))
    return true;
  for (std::size_t at = 0; (at = text.find("fopen(", at)) != std::string_view::npos; ++at) {
    const std::string_view call = text.substr(at, text.find(';', at) - at);
    if (call.find("\"w") != std::string_view::npos || call.find("\"a") != std::string_view::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("no code parses the text of tables and rules") {
  CHECK(parsing_lines("if (table.at(r, 0).text() == to_string(Kind::op)) {").size() == 1);
  for (const std::string& path : code_files()) {
    if (!path.starts_with("core/rules/") && !path.starts_with("render/") && !path.starts_with("app/")) continue;
    INFO(path);
    CHECK(parsing_lines(read_file(source_dir() / path)).empty());
  }
}

TEST_CASE("the include cycle check finds a cycle", "[layers]") {
  CHECK(circle_in({{"a", {"b", "c"}}, {"b", {"c"}}}).empty());
  CHECK(circle_in({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}) == std::vector<std::string>{"b", "c", "b"});
}

TEST_CASE("folders have no include cycles", "[layers]") {
  FolderGraph graph;
  for (const std::string& path : code_files()) {
    if (path.starts_with("tests/")) continue;
    for (const Include& include : includes_of(read_file(warpscope::tests::source_dir() / path)))
      if (include.quoted && folder_of(include.target) != folder_of(path))
        graph[folder_of(path)].insert(folder_of(include.target));
  }
  REQUIRE(graph.size() > 10);
  INFO("each includes something from the next");
  CHECK(circle_in(graph) == std::vector<std::string>{});
}

TEST_CASE("no folder exceeds the unit limit", "[layers]") {
  std::map<std::string, std::set<std::string>> units;
  for (const std::string& path : code_files()) units[folder_of(path)].insert(path.substr(0, path.rfind('.')));
  for (const auto& [folder, names] : units)
    if (names.size() > fullest_folder) FAIL_CHECK(folder << " has " << names.size() << " units");
}

TEST_CASE("the include check finds violations", "[layers]") {
  CHECK(include_violations("core/a.cpp", "#include \"core/b.hpp\"\n#include <vector>\n").empty());
  CHECK(include_violations("core/a.cpp", "#include \"render/scene/draw_list.hpp\"\n").size() == 1);
  CHECK(include_violations("core/a.cpp", "  #  include <epoxy/gl.h>\n").size() == 1);
  CHECK(include_violations("core/a.cpp", "#include \"neighbour.hpp\"\n").size() == 1);
  CHECK(include_violations("render/scene/a.hpp", "#include <imgui.h>\n").size() == 1);
  CHECK(include_violations("render/scene/a.hpp", "#include \"render/gl/pass.hpp\"\n").size() == 1);
  CHECK(include_violations("render/gl/a.cpp", "#include <epoxy/gl.h>\n").empty());
  CHECK(include_violations("render/gl/a.cpp", "#include \"app/ui/look/theme.hpp\"\n").size() == 1);
  CHECK(include_violations("app/ui/a.cpp", "#include <imgui.h>\n#include \"render/gl/pass.hpp\"\n").empty());
  CHECK(include_violations("app/ui/a.cpp", "#include \"tests/catch.hpp\"\n").size() == 1);
}

TEST_CASE("includes refer only to lower layers", "[layers]") {
  const std::vector<std::string> files = code_files();
  REQUIRE(files.size() > 10);
  for (const std::string& path : files) {
    for (const std::string& violation : include_violations(path, read_file(warpscope::tests::source_dir() / path))) {
      FAIL_CHECK(violation);
    }
  }
}

TEST_CASE("the print check finds prints", "[layers]") {
  CHECK(printing_lines("  std::fputs(text, stdout);\n  fmt::print(\"{}\", name);\n").size() == 2);
  CHECK(printing_lines("  std::snprintf(text, 9, \"x\");  // for stdout\n").empty());
}

TEST_CASE("only the command line's writers print", "[layers]") {
  // They remove control characters. The others print fixed text, or pass a stream to another program.
  constexpr std::array<std::string_view, 5> kMayPrint{"app/cli/messages.cpp", "app/cli/progress_line.cpp",
                                                      "app/cli/interrupts.cpp", "app/cli/program.cpp",
                                                      "core/record/annotations/"};
  for (const std::string& path : code_files()) {
    if (!path.starts_with("app/") && !path.starts_with("core/") && !path.starts_with("render/")) continue;
    if (std::ranges::any_of(kMayPrint, [&](std::string_view each) { return path.starts_with(each); })) continue;
    for (const std::string& line : printing_lines(read_file(warpscope::tests::source_dir() / path)))
      FAIL_CHECK(path << " prints: " << line);
  }
}

TEST_CASE("files are opened for writing in one place", "[layers]") {
  CHECK(opens_for_writing("std::ofstream file(path);"));
  CHECK(opens_for_writing("std::fopen(path.c_str(), \"wb\")"));
  CHECK_FALSE(opens_for_writing("std::ifstream(path); std::fopen(path, \"re\"); f(\"w\");"));
  static constexpr std::array<std::string_view, 5> kAllowed{
      "app/cli/program.cpp",                          // opens /dev/null
      "assets/python/smprof/_place.py",               // for all of smprof
      "core/base/files/new_file.cpp",                 //
      "core/record/annotations/annotation_file.cpp",  // uses only the C library
      "core/store/draft.cpp",                         // locks need write access
  };
  for (const std::string& path : code_files()) {
    if (path.starts_with("tests/") || std::ranges::find(kAllowed, path) != kAllowed.end()) continue;
    const std::string text = read_file(warpscope::tests::source_dir() / path);
    if (opens_for_writing(text)) FAIL_CHECK(path << " opens a file for writing; use core/base/files/new_file.hpp");
  }
}

TEST_CASE("no file exceeds the line limit", "[layers]") {
  for (const std::string& path : code_files()) {
    const std::string text = read_file(warpscope::tests::source_dir() / path);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    if (lines > longest_file) FAIL_CHECK(path << " has " << lines << " lines, more than " << longest_file);
  }
}
