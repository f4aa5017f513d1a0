#pragma once
// Runs the whole command line inside the test and returns its stdout, stderr and exit status.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "app/cli/exit_status.hpp"
#include "app/cli/program.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::tests {

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

// Captures a stream's output during its lifetime.
class Capture {
 public:
  Capture(std::FILE* stream, const std::filesystem::path& file) : stream_(stream), file_(file) {
    std::fflush(stream_);
    saved_ = ::dup(::fileno(stream_));
    std::FILE* const into = std::fopen(file_.c_str(), "w");
    ::dup2(::fileno(into), ::fileno(stream_));
    std::fclose(into);
  }
  std::string finish() {
    std::fflush(stream_);
    ::dup2(saved_, ::fileno(stream_));
    ::close(saved_);
    std::ifstream in(file_);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::FILE* stream_;
  std::filesystem::path file_;
  int saved_ = -1;
};

inline Outcome run(std::vector<std::string> arguments) {
  const TestFolder folder;
  arguments.insert(arguments.begin(), "warpscope");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  Capture out(stdout, folder.path() / "out");
  Capture err(stderr, folder.path() / "err");
  Outcome outcome;
  outcome.status = cli::run_program(static_cast<int>(pointers.size()), pointers.data());
  outcome.err = err.finish();
  outcome.out = out.finish();
  return outcome;
}

inline std::string small_set(const TestFolder& folder) {
  tracegen::Options options = *tracegen::preset("small");
  (void)tracegen::generate(options, folder.path());
  return folder.path().string();
}

}  // namespace warpscope::tests
