#pragma once
// How every command without a window loads its PATH: waits for all of it and shows the progress.
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

/// Loads the whole; on a terminal with a line on stderr that tells how far it is, and before a long load with a message
/// that tells what it will cost. Errors: as Loader::failure; an interrupt came (`interrupts` may be null).
[[nodiscard]] Result<Loaded> load(const std::string& path, ingest::LoadOptions options,
                                  Interrupts* interrupts = nullptr);

/// Calls `compute`, which looks at loaded.profile; again with what the traces say where columns
/// of a store turn out damaged. Empty if what the last call computed is right. Errors: what is damaged, with no trace
/// to read it from.
[[nodiscard]] Failure compute_soundly(Loaded& loaded, const std::function<void()>& compute);

/// The load of a command that prints what it finds. An interrupt while it loads or keeps ends the program as a signal
/// does, with nothing half-written left behind; one while it computes or prints ends it where it stands.
class LoadToPrint {
 public:
  /// Loads, as above. `keep`: whether keep() does anything.
  LoadToPrint(const std::string& path, ingest::LoadOptions options, bool keep);

  [[nodiscard]] Result<Loaded>& result() { return result_; }
  /// Keeps the store, if that was announced. For after the printing. The load must have succeeded. As keep_store().
  ExitStatus keep();

 private:
  Interrupts interrupts_;  // before the load begins threads
  bool keeps_;
  Result<Loaded> result_;
};

/// Bytes on disk of all that was loaded.
[[nodiscard]] std::uint64_t source_bytes(const trace::Profile& profile);

/// Runs `work` on a thread of its own until it ends; an interrupt cancels it. Meanwhile a line shows what `how_far`
/// says, if there is one.
void run_with_progress(Interrupts& interrupts, const std::function<void(const CancelToken&)>& work,
                       const std::function<std::string()>& how_far = {});

using Write = std::function<Failure(const CancelToken&, Progress&)>;
/// Runs `write`, which is given a Progress to count the bytes of the sources in, and shows it; an interrupt cancels it.
[[nodiscard]] Failure write_with_progress(const Loaded& loaded, Interrupts& interrupts, const Write& write);

/// Keeps what was loaded for the next time, with a line of progress; a message that says what came of it. kNotWritten
/// if it could not be kept.
ExitStatus keep_store(const Loaded& loaded, Interrupts& interrupts);
/// What a command does that writes files: loads `path`, says what is damaged, writes, and keeps the store if that was
/// asked for and `write` ended well. An interrupt ends the program once nothing half-written is left. The status is
/// `write`'s, kNothingRead, or keep_store's.
ExitStatus load_and_write(const std::string& path, const ingest::LoadOptions& options, bool save_store,
                          const std::function<ExitStatus(Loaded&, Interrupts&)>& write);
/// keep_store's message, and status.
ExitStatus print_kept(const Result<ingest::Kept>& kept);

}  // namespace warpscope::cli
