#include "tests/bench/child_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <system_error>

namespace warpscope::bench {

namespace {

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// The environment of this process with some variables replaced, in the format of exec.
class Environment {
 public:
  explicit Environment(const std::vector<std::pair<std::string, std::string>>& changes) {
    for (const auto& [name, value] : changes) texts_.push_back(name + "=" + value);
    for (char** entry = environ; *entry != nullptr; ++entry) {
      const std::string text = *entry;
      bool changed = false;
      for (const auto& [name, value] : changes) changed = changed || text.starts_with(name + "=");
      if (!changed) texts_.push_back(text);
    }
    for (std::string& text : texts_) pointers_.push_back(text.data());
    pointers_.push_back(nullptr);
  }
  [[nodiscard]] char** get() { return pointers_.data(); }

 private:
  std::vector<std::string> texts_;
  std::vector<char*> pointers_;
};

class FileActions {
 public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;
  [[nodiscard]] posix_spawn_file_actions_t* get() { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_{};
};

Error system_error(const std::string& where, int number) {
  return {where, std::generic_category().message(number), ""};
}

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 1 << 16> block;
  for (;;) {
    const ssize_t got = ::read(descriptor, block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
}

}  // namespace

Result<ProcessRun> run_process(const Command& command) {
  std::vector<std::string> words = command.words;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  Environment environment(command.environment);

  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return system_error(words.front(), errno);
  FileActions actions;
  posix_spawn_file_actions_adddup2(actions.get(), pipe[1], STDOUT_FILENO);
  if (command.quiet) posix_spawn_file_actions_addopen(actions.get(), STDERR_FILENO, "/dev/null", O_WRONLY, 0);

  pid_t child = 0;
  const auto began = std::chrono::steady_clock::now();
  const int failed =
      ::posix_spawnp(&child, words.front().c_str(), actions.get(), nullptr, arguments.data(), environment.get());
  ::close(pipe[1]);
  if (failed != 0) {
    ::close(pipe[0]);
    return system_error(words.front(), failed);
  }
  ProcessRun run;
  run.output = read_all(pipe[0]);
  ::close(pipe[0]);
  int status = 0;
  rusage usage{};
  while (::wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) return system_error(words.front(), errno);
  }
  run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  run.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  run.user_seconds = seconds(usage.ru_utime);
  run.system_seconds = seconds(usage.ru_stime);
  run.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return run;
}

Result<ProcessRun> run_successfully(const Command& command) {
  auto run = run_process(command);
  if (!run || run->status == 0) return run;
  std::string line;
  for (const std::string& word : command.words) line += (line.empty() ? "" : " ") + word;
  return Error{line, "ended with status " + std::to_string(run->status), ""};
}

std::filesystem::path own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

std::filesystem::path find_program(const std::string& name) {
  const char* variable = std::getenv("PATH");
  std::string folders = variable != nullptr ? variable : "";
  folders += ':';
  for (std::size_t at = 0, colon = 0; (colon = folders.find(':', at)) != std::string::npos; at = colon + 1) {
    const std::filesystem::path file = std::filesystem::path(folders.substr(at, colon - at)) / name;
    if (::access(file.c_str(), X_OK) == 0 && std::filesystem::is_regular_file(file)) return file;
  }
  return {};
}

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "warpscope-bench-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::pair<std::string, std::string>> fresh_user(const TemporaryFolder& folder) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const char* name : {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"})
    variables.emplace_back(name, folder.path().string());
  return variables;
}

}  // namespace warpscope::bench
