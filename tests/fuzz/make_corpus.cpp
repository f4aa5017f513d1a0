// make_corpus FOLDER: writes the seeds of each target into FOLDER/TARGET, and prints the targets.
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "tests/fuzz/seeds.hpp"
#include "tests/fuzz/targets.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: make_corpus FOLDER\n", stderr);
    return 2;
  }
  for (const warpscope::fuzz::Target& target : warpscope::fuzz::targets()) {
    const std::filesystem::path folder = std::filesystem::path(arguments[1]) / target.name;
    std::filesystem::create_directories(folder);
    std::size_t number = 0;
    for (const std::string& seed : warpscope::fuzz::seeds_of(target.name))
      if (!(std::ofstream(folder / ("seed-" + std::to_string(number++)), std::ios::binary) << seed)) return 1;
    std::printf("%s %s\n", std::string(target.name).c_str(), std::string(target.dictionary).c_str());
  }
}
