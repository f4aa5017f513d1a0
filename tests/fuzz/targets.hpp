#pragma once
// What is fuzzed: functions that take any bytes and hold the program to properties that must be true of all input. The
// fuzzer (./dev fuzz) calls them with what it makes up, the tests with the seeds and with every input that ever failed.
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpscope::fuzz {

struct Target {
  std::string_view name;
  std::string_view dictionary;  ///< file beside this one with words for the fuzzer to put in, or ""
  void (*run)(std::string_view input);
};

/// In the order in which they are run.
[[nodiscard]] std::span<const Target> targets();
/// Null for an unknown name.
[[nodiscard]] const Target* find_target(std::string_view name);

/// What a target throws when a property does not hold. Nothing in the program catches it.
struct Violation : std::logic_error {
  using std::logic_error::logic_error;
};
inline void require(bool holds, const std::string& property) {
  if (!holds) throw Violation(property);
}

void run_kineto(std::string_view input);
void run_expanded(std::string_view input);
void run_repair(std::string_view input);
void run_compressed(std::string_view input);
void run_arguments(std::string_view input);
void run_metadata(std::string_view input);
void run_filter(std::string_view input);
void run_time(std::string_view input);
void run_store(std::string_view input);
void run_archive(std::string_view input);
void run_metrics(std::string_view input);
void run_memory(std::string_view input);

}  // namespace warpscope::fuzz
