#pragma once
// Fuzz targets: functions that take arbitrary bytes and check properties that must hold for all input. The fuzzer
// (./dev fuzz) calls them with generated input; the tests call them with the seeds and with every input that has ever
// failed.
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace warpscope::fuzz {

struct Target {
  std::string_view name;
  std::string_view dictionary;  ///< file in this folder with tokens for the fuzzer, or ""
  void (*run)(std::string_view input);
};

/// In execution order.
[[nodiscard]] std::span<const Target> targets();
/// Returns null for an unknown name.
[[nodiscard]] const Target* find_target(std::string_view name);

/// Thrown by a target if a property does not hold. The program never catches it.
struct Violation : std::logic_error {
  using std::logic_error::logic_error;
};
inline void require(bool holds, const std::string& property) {
  if (!holds) throw Violation(property);
}

void run_kineto(std::string_view input);
void run_expanded(std::string_view input);
void run_chrome(std::string_view input);
void run_merged(std::string_view input);
void run_pevents(std::string_view input);
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
void run_python_stats(std::string_view input);
void run_rules(std::string_view input);
void run_settings(std::string_view input);
void run_job(std::string_view input);

}  // namespace warpscope::fuzz
