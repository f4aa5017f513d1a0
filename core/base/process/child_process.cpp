#include "core/base/process/child_process.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace warpscope {

namespace {

/// Returns this process's environment with the `variables`, which replace those of the same name.
std::vector<char*> environment_with(const std::vector<std::string>& variables) {
  std::vector<char*> all;
  for (const std::string& variable : variables) all.push_back(const_cast<char*>(variable.c_str()));
  for (char** one = ::environ; *one != nullptr; ++one) {
    const std::string_view old = *one;
    const std::string_view name = old.substr(0, old.find('=') + 1);
    if (std::ranges::none_of(variables, [&](const std::string& variable) { return variable.starts_with(name); }))
      all.push_back(*one);
  }
  all.push_back(nullptr);
  return all;
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command, const std::vector<std::string>& variables,
                           const sigset_t& blocked, const ChildStreams& streams) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment = environment_with(variables);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (const auto& [from, to] :
       {std::pair(streams.input, 0), std::pair(streams.output, 1), std::pair(streams.messages, 2)})
    if (from >= 0) ::posix_spawn_file_actions_adddup2(&actions, from, to);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  sigset_t usual;  // signals whose handling the program has changed
  sigemptyset(&usual);
  for (const int signal : {SIGXFSZ, SIGPIPE}) sigaddset(&usual, signal);
  ::posix_spawnattr_setsigdefault(&attributes, &usual);
  ::posix_spawnattr_setsigmask(&attributes, &blocked);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  failed_ = ::posix_spawnp(&process_, arguments.front(), &actions, &attributes, arguments.data(), environment.data());
  ::posix_spawnattr_destroy(&attributes);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed_ != 0) status_ = failed_ == ENOENT ? kNotFound : kNotExecutable;
}

std::optional<int> ChildProcess::ended() {
  if (status_) return status_;
  int status = 0;
  const pid_t ended = ::waitpid(process_, &status, WNOHANG);
  if (ended != process_) return status_;
  killed_ = WIFSIGNALED(status);
  status_ = killed_ ? kKilledBy + WTERMSIG(status) : WEXITSTATUS(status);
  return status_;
}

bool ChildProcess::shares_group() const { return ::getpgid(process_) == ::getpgrp(); }

void ChildProcess::send(int signal) const {
  if (!status_) ::kill(process_, signal);
}

}  // namespace warpscope
