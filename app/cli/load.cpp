#include "app/cli/load.hpp"

#include <algorithm>
#include <chrono>
#include <functional>
#include <future>
#include <utility>

#include "app/cli/diagnostics_line.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/progress_line.hpp"
#include "core/analysis/information/profile_summary.hpp"
#include "core/base/format.hpp"
#include "core/base/progress_text.hpp"
#include "core/base/rate.hpp"
#include "core/base/threads/mutex.hpp"

namespace warpscope::cli {

namespace {

using Clock = std::chrono::steady_clock;

// If a load is expected to take longer than this, its expected duration is printed.
constexpr double kLongLoad = 3;
constexpr std::chrono::milliseconds kLook{100};

/// Shared with the loader's callback. Outlives the command's wait, because the loader may use the callback until it is
/// destroyed.
struct News {
  Mutex mutex;
  Condition come;
  bool came GUARDED_BY(mutex) = false;  // since the last check
};

bool worth_saying(const ingest::Preflight& expected, const ProgressLine& line, std::uint64_t memory_limit) {
  const bool beyond = memory_limit > 0 && expected.peak_bytes > memory_limit;
  return beyond || (line.seen() && expected.seconds > kLongLoad);
}

std::string load_text(const ingest::LoadStatus& status) {
  const std::string awaited = status.awaited + (status.awaited.empty() || status.total == 0 ? "" : ": ");
  if (!status.awaited.empty() && status.total == 0) return awaited;
  return awaited + progress_text(status.done, status.total, status.bytes_per_second, status.seconds_left);
}

/// Prints the outcome of saving a store and returns its status.
ExitStatus print_kept(const Result<ingest::Kept>& kept) {
  if (!kept) return fail(kept.error(), kNotWritten);
  if (kept->file.empty()) {
    print_message("no store needed: converted profiles open instantly");
    return kDone;
  }
  print_message((kept->written ? "saved a store of " : "a store already exists: ") +
                format_bytes(static_cast<std::int64_t>(kept->bytes)) + " in " + kept->file +
                "; the next load will use it");
  return kDone;
}

}  // namespace

Result<Loaded> load(const std::string& path, ingest::LoadOptions options, Interrupts* interrupts) {
  const auto news = std::make_shared<News>();
  options.on_change = [news] {
    const MutexLock lock(news->mutex);
    news->came = true;
    news->come.notify_all();
  };
  const std::uint64_t memory_limit = options.memory_limit;
  const auto began = Clock::now();
  auto loader = std::make_unique<ingest::Loader>(path, std::move(options));
  ProgressLine line;
  bool said = false;
  // Updates may arrive while the previous one is being shown. Without the flag, the end of the load would be noticed
  // one wait later.
  while (!loader->finished()) {
    if (interrupts != nullptr && interrupts->came()) return Error{path, "loading was interrupted", ""};
    const ingest::LoadStatus status = loader->status();
    if (!said && status.expected && worth_saying(*status.expected, line, memory_limit)) {
      line.clear();
      print_message(describe(*status.expected, memory_limit));
      said = true;
    }
    line.show(load_text(status));
    MutexLock lock(news->mutex);
    static_cast<void>(news->come.wait_for(lock, kLook, [&]() REQUIRES(news->mutex) { return news->came; }));
    news->came = false;
  }
  loader->wait();
  if (interrupts != nullptr && interrupts->came()) return Error{path, "loading was interrupted", ""};
  if (auto failure = loader->failure()) return *failure;
  auto profile = loader->profile();
  return Loaded{std::move(loader), std::move(profile), std::chrono::duration<double>(Clock::now() - began).count()};
}

Failure compute_soundly(std::span<Loaded> loaded, const std::function<void()>& compute) {
  Failure damage;
  for (std::size_t round = 0; round <= loaded.size(); ++round) {  // each reads the traces of one more store
    compute();
    damage.reset();
    for (Loaded& one : loaded) {
      const Failure found = trace::damage_of(*one.profile);
      if (!found) continue;
      damage = found;
      one.loader->mend();
      one.profile = one.loader->profile();
      if (trace::damage_of(*one.profile)) return damage;
      print_message(damage->where + ": " + damage->what + "; reading the traces instead");
    }
    if (!damage) return {};
  }
  return damage;
}

ExitStatus load_and_print(const std::vector<std::string>& paths, const LoadFlags& flags,
                          const settings::LoadSettings& saved, const Compute& compute, bool diagnoses,
                          const std::function<ExitStatus()>& print) {
  const auto options = load_options(flags, saved);
  if (!options) return fail(options.error(), kUsage);
  Interrupts interrupts;  // before the loads start threads
  std::vector<Loaded> loaded;
  for (const std::string& path : paths) {
    auto one = load(path, *options, &interrupts);
    if (interrupts.came()) interrupts.end();
    if (!one) return fail(one.error(), kNothingRead);
    loaded.push_back(std::move(*one));
    if (diagnoses) print_diagnostics_of(*loaded.back().profile, path);
  }
  interrupts.end_when_one_comes();
  Result<std::string> text = std::string();
  if (const Failure damage = compute_soundly(loaded, [&] { text = compute(loaded); }))
    return fail(*damage, kNothingRead);
  if (!text) return fail(text.error(), kUsage);
  ExitStatus status = print ? print() : print_result(*text);
  if (!flags.save_store) return status;
  // Created here because nothing needs cleanup before this point. The loaders' threads were started while signals were
  // blocked.
  Interrupts held;
  for (const Loaded& one : loaded)
    if (const ExitStatus kept = keep_store(one, held); status == kDone) status = kept;
  if (held.came()) held.end();
  return status;
}

void run_with_progress(Interrupts& interrupts, const std::function<void(const CancelToken&)>& work,
                       const std::function<std::string()>& how_far) {
  CancelToken cancel;
  ProgressLine line;
  std::future<void> done = std::async(std::launch::async, [&] { work(cancel); });
  while (done.wait_for(kLook) == std::future_status::timeout) {
    if (interrupts.came()) cancel.cancel();
    if (how_far) line.show(how_far());
  }
  done.get();
}

Failure write_with_progress(const Loaded& loaded, Interrupts& interrupts, const Write& write) {
  const std::uint64_t total = source_bytes(*loaded.profile);
  Progress progress;
  Rate rate;
  Failure failure;
  const auto began = Clock::now();
  run_with_progress(
      interrupts, [&](const CancelToken& cancel) { failure = write(cancel, progress); },
      [&] {
        const std::uint64_t read = progress.done.load();
        rate.update(std::chrono::duration<double>(Clock::now() - began).count(), read);
        return "writing: " + progress_text(read, total, rate.per_second(), rate.seconds_left(total));
      });
  return failure;
}

ExitStatus keep_store(const Loaded& loaded, Interrupts& interrupts) {
  Result<ingest::Kept> kept = ingest::Kept();
  static_cast<void>(
      write_with_progress(loaded, interrupts, [&](const CancelToken& cancel, Progress& progress) -> Failure {
        kept = loaded.loader->keep(cancel, &progress);
        return {};
      }));
  return interrupts.came() ? kNotWritten : print_kept(kept);
}

ExitStatus load_and_write(const std::string& path, const LoadFlags& flags, const settings::LoadSettings& saved,
                          const std::function<ExitStatus(Loaded&, Interrupts&)>& write) {
  const auto options = load_options(flags, saved);
  if (!options) return fail(options.error(), kUsage);
  Interrupts interrupts;
  ExitStatus status = kNothingRead;
  {
    auto loaded = load(path, *options, &interrupts);
    if (loaded) {
      print_diagnostics_of(*loaded->profile, path, flags.share ? LoadedPart::share : LoadedPart::everything);
      status = write(*loaded, interrupts);
      if (status == kDone && flags.save_store) status = keep_store(*loaded, interrupts);
    } else if (!interrupts.came()) {
      print_error(loaded.error());
    }
  }
  if (interrupts.came()) interrupts.end();
  return status;
}

std::uint64_t source_bytes(const trace::Profile& profile) { return analysis::trace_files(profile).bytes; }

}  // namespace warpscope::cli
