#include "core/rules/custom_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <simdjson.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "core/base/table_writers.hpp"

extern char** environ;

namespace warpscope::rules {

namespace {

constexpr std::chrono::seconds kLongestRun{60};
constexpr int kPollEvery = 50;  // ms
constexpr std::size_t kLargestAnswer = std::size_t{1} << 20;
constexpr std::array<std::string_view, 4> kUsualTables{"what_dominates", "where_time_goes", "step_time",
                                                       "temporal_breakdown"};

/// A file descriptor, closed at the end.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  [[nodiscard]] int number() const { return number_; }

 private:
  int number_;
};

std::string tables_text(Facts& facts, const CustomRule& rule) {
  std::vector<std::string> names = rule.tables;
  if (names.empty()) names.assign(kUsualTables.begin(), kUsualTables.end());
  std::vector<Table> all;
  for (const std::string& name : names) {
    auto tables = analysis::run_analysis(*analysis::find_analysis(name), facts.profile(), facts.input().scope, {},
                                         facts.input().cancel, nullptr, facts.input().events, facts.input().shared);
    if (tables)
      for (Table& table : *tables) all.push_back(std::move(table));
  }
  std::string text;
  write_json(text, all);
  return text;
}

struct Run {
  std::string answer;
  std::string problem;  ///< why there is no answer; "" if there is one
};

/// Feeds `input` to the child process and collects its answer until it closes its output.
std::string exchange(Facts& facts, Descriptor& to, Descriptor& from, const std::string& input, std::string& answer) {
  const auto deadline = std::chrono::steady_clock::now() + kLongestRun;
  std::size_t sent = 0;
  std::array<char, 16384> part{};
  for (;;) {
    if (facts.cancelled()) return "cancelled";
    if (std::chrono::steady_clock::now() > deadline) return fmt::format("runs longer than {} s", kLongestRun.count());
    if (sent == input.size()) to.close();
    std::array<pollfd, 2> ends{pollfd{from.number(), POLLIN, 0}, pollfd{to.number(), POLLOUT, 0}};
    if (::poll(ends.data(), ends.size(), kPollEvery) < 0 && errno != EINTR) return "cannot be read from";
    if (ends[1].revents != 0 && to.number() >= 0) {
      const ssize_t done = ::send(to.number(), input.data() + sent, input.size() - sent, MSG_NOSIGNAL);
      if (done > 0)
        sent += static_cast<std::size_t>(done);
      else if (done < 0 && errno != EAGAIN && errno != EINTR)
        sent = input.size();  // the program need not read all of its input
    }
    if (ends[0].revents == 0) continue;
    const ssize_t got = ::read(from.number(), part.data(), part.size());
    if (got == 0) return {};
    if (got < 0 && errno != EAGAIN && errno != EINTR) return "cannot be read from";
    if (got > 0) answer.append(part.data(), static_cast<std::size_t>(got));
    if (answer.size() > kLargestAnswer) return "writes more than 1 MB";
  }
}

Run run_program(Facts& facts, const CustomRule& rule, const std::string& input) {
  std::array<int, 2> in{-1, -1};
  std::array<int, 2> out{-1, -1};
  // A socket, because writing to a pipe that the program has closed would end this process.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in.data()) != 0)
    return {{}, "cannot be started: too many open files"};
  Descriptor in_read(in[0]);
  Descriptor in_write(in[1]);
  if (::pipe2(out.data(), O_CLOEXEC) != 0) return {{}, "cannot be started: too many open files"};
  Descriptor out_read(out[0]);
  Descriptor out_write(out[1]);
  ::fcntl(in_write.number(), F_SETFL, O_NONBLOCK);
  std::vector<char*> arguments;
  for (const std::string& each : rule.program) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in_read.number(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out_write.number(), STDOUT_FILENO);
  pid_t child = 0;
  const int failed = ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  in_read.close();
  out_write.close();
  if (failed != 0) return {{}, fmt::format("cannot be started: {}", std::strerror(failed))};
  Run run;
  run.problem = exchange(facts, in_write, out_read, input, run.answer);
  if (!run.problem.empty()) ::kill(child, SIGKILL);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (run.problem.empty() && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
    run.problem = WIFEXITED(status) ? fmt::format("exits with status {}", WEXITSTATUS(status)) : "crashes";
  return run;
}

std::string text_of(const simdjson::dom::element& object, const char* key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? std::string(text) : std::string();
}

/// Parses the outcome in the program's answer; nullopt if it is not valid.
std::optional<Outcome> outcome_in(const std::string& answer) {
  simdjson::dom::parser parser;
  simdjson::dom::element whole;
  if (parser.parse(answer).get(whole) != simdjson::SUCCESS || !whole.is_object()) return std::nullopt;
  Outcome outcome;
  const std::string verdict = text_of(whole, "verdict");
  bool known = false;
  for (const Verdict each :
       {Verdict::issues_found, Verdict::no_issues, Verdict::not_evaluable, Verdict::insufficient_data}) {
    if (verdict != to_string(each)) continue;
    outcome.verdict = each;
    known = true;
  }
  if (!known) return std::nullopt;
  outcome.why = text_of(whole, "why");
  if (outcome.verdict != Verdict::issues_found) return outcome;
  simdjson::dom::array findings;
  if (whole["findings"].get(findings) == simdjson::SUCCESS)
    for (const simdjson::dom::element each : findings)
      if (each.is_object() && outcome.findings.size() < kMostPlaces)
        outcome.findings.push_back({text_of(each, "sentence"), text_of(each, "advice"), 0, 0, false, {}});
  if (outcome.findings.empty()) outcome.findings.push_back({outcome.why, "", 0, 0, false, {}});
  return outcome;
}

}  // namespace

Outcome judge_by_program(Facts& facts, const CustomRule& rule) {
  const Run run = run_program(facts, rule, tables_text(facts, rule));
  const std::string& program = rule.program.front();
  if (!run.problem.empty()) return {Verdict::not_evaluable, fmt::format("{} {}.", program, run.problem), {}};
  if (auto outcome = outcome_in(run.answer)) return *outcome;
  return {
      Verdict::not_evaluable,
      fmt::format("{} does not return a known verdict. Expected: {{\"verdict\": \"issues found\", \"why\": \"…\"}}.",
                  program),
      {}};
}

}  // namespace warpscope::rules
