#pragma once
// Loads the PATH argument for commands without a window: waits for the load to finish and shows progress.
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "app/cli/exit_status.hpp"
#include "app/cli/interrupts.hpp"
#include "core/base/result.hpp"
#include "core/ingest/load/loader.hpp"

namespace warpscope::cli {

struct Loaded {
  std::unique_ptr<ingest::Loader> loader;
  std::shared_ptr<const trace::Profile> profile;
};

/// Loads all of `path`. On a terminal, shows progress on stderr and prints the expected duration of a long load.
/// Errors: those of Loader::failure, or an interrupt (`interrupts` may be null).
[[nodiscard]] Result<Loaded> load(const std::string& path, ingest::LoadOptions options,
                                  Interrupts* interrupts = nullptr);

/// Calls `compute`, which reads loaded.profile. If any of the store's columns turn out to be corrupt, reads them from
/// the traces and calls `compute` again. On success, only the result of the last call is valid. Fails if data is
/// corrupt and there is no trace to read it from.
[[nodiscard]] Failure compute_soundly(Loaded& loaded, const std::function<void()>& compute);

/// Same for two profiles; `other` may be null.
[[nodiscard]] Failure compute_soundly(Loaded& loaded, Loaded* other, const std::function<void()>& compute);

/// Loads a profile for a command that prints a result. An interrupt during computation or printing ends the program
/// immediately; during loading or saving, it first removes partial files.
class LoadToPrint {
 public:
  /// Loads as above. `keep`: whether keep() saves a store.
  LoadToPrint(const std::string& path, ingest::LoadOptions options, bool keep);

  [[nodiscard]] Result<Loaded>& result() { return result_; }
  /// Saves the store if requested. Call after printing; requires a successful load. Returns the status of keep_store().
  ExitStatus keep();

 private:
  Interrupts interrupts_;  // before the load starts threads
  bool keeps_;
  Result<Loaded> result_;
};

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
/// kNothingRead, or the status of keep_store().
ExitStatus load_and_write(const std::string& path, const ingest::LoadOptions& options, bool save_store,
                          const std::function<ExitStatus(Loaded&, Interrupts&)>& write);
/// Prints the outcome of keep_store() and returns its status.
ExitStatus print_kept(const Result<ingest::Kept>& kept);

}  // namespace warpscope::cli
