#pragma once
// Loads the PATH argument for commands without a window: waits for the load to finish and shows progress.
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "app/cli/exit_status.hpp"
#include "app/cli/interrupts.hpp"
#include "app/cli/load_flags.hpp"
#include "core/base/result.hpp"
#include "core/ingest/load/loader.hpp"

namespace warpscope::cli {

struct Loaded {
  std::unique_ptr<ingest::Loader> loader;
  std::shared_ptr<const trace::Profile> profile;
  double seconds = 0;  ///< duration of the load
};

/// Loads all of `path`. On a terminal, shows progress on stderr and prints the expected duration of a long load.
/// Errors: those of Loader::failure, or an interrupt (`interrupts` may be null).
[[nodiscard]] Result<Loaded> load(const std::string& path, ingest::LoadOptions options,
                                  Interrupts* interrupts = nullptr);

/// Calls `compute`, which reads the profiles. If any columns of their stores turn out to be corrupt, reads them from
/// the traces and calls `compute` again. On success, only the result of the last call is valid. Fails if data is
/// corrupt and there is no trace to read it from.
[[nodiscard]] Failure compute_soundly(std::span<Loaded> loaded, const std::function<void()>& compute);

using Compute = std::function<Result<std::string>(std::span<Loaded>)>;
/// Runs a command that prints a result: loads `paths`, prints their diagnostics if `diagnoses`, calls `compute` as
/// above, prints its text or calls `print`, if given, and saves stores if requested. An interrupt during computation or
/// printing ends the program immediately; during loading or saving, it first removes partial files. Errors of `compute`
/// are usage errors.
ExitStatus load_and_print(const std::vector<std::string>& paths, const LoadFlags& flags,
                          const settings::LoadSettings& saved, const Compute& compute, bool diagnoses = true,
                          const std::function<ExitStatus()>& print = {});

/// Returns the total on-disk size of the loaded data, in bytes.
[[nodiscard]] std::uint64_t source_bytes(const trace::Profile& profile);

/// Runs `work` on a separate thread and waits for it; an interrupt cancels the work. If `how_far` is given, shows its
/// text as a progress line.
void run_with_progress(Interrupts& interrupts, const std::function<void(const CancelToken&)>& work,
                       const std::function<std::string()>& how_far = {});

using Write = std::function<Failure(const CancelToken&, Progress&)>;
/// Runs `write` and shows its progress, measured in source bytes; an interrupt cancels it.
[[nodiscard]] Failure write_with_progress(const Loaded& loaded, Interrupts& interrupts, const Write& write);

/// Saves the loaded profile as a store, shows progress and prints the result. Returns kNotWritten on failure.
ExitStatus keep_store(const Loaded& loaded, Interrupts& interrupts);
/// Runs a command that writes files: loads `path`, prints diagnostics, writes, and saves the store if requested and
/// `write` succeeded. An interrupt ends the program after partial files are removed. Returns the status of `write`,
/// kUsage, kNothingRead, or the status of keep_store().
ExitStatus load_and_write(const std::string& path, const LoadFlags& flags, const settings::LoadSettings& saved,
                          const std::function<ExitStatus(Loaded&, Interrupts&)>& write);
}  // namespace warpscope::cli
