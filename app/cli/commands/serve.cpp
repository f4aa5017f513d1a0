// `warpscope serve PATH`: what `warpscope ssh://HOST/PATH` starts on the host. Makes a store of PATH, unless there is
// one, and answers requests for its bytes and questions about it on stdin until stdin ends. Not for terminals.
#include "core/ingest/remote/serve.hpp"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/cli/command.hpp"
#include "app/cli/load_flags.hpp"
#include "app/cli/messages.hpp"
#include "app/settings/settings_text.hpp"
#include "core/analysis/ranks/clock_alignment.hpp"
#include "core/analysis/request/hosted_analysis.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/ingest/bytes/converted_profile.hpp"
#include "core/ingest/listing/discover.hpp"
#include "core/ingest/load/loader.hpp"
#include "core/rules/hosted_evaluation.hpp"

namespace warpscope::cli {

namespace {

constexpr std::chrono::milliseconds kLook{200};
// The streams of ssh carry messages, not text.
constexpr int kInput = 0;
constexpr int kOutput = 1;
constexpr int kNice = 5;  // others work on a login node, too

struct ServeOptions {
  std::string path;
};

/// True once the client has gone: it sends nothing before it has the list of files.
bool client_gone() {
  pollfd input{kInput, POLLIN, 0};
  return ::poll(&input, 1, 0) != 0;
}

/// Answers questions about the profile at `path`, which is loaded when the first one comes.
class Answers {
 public:
  explicit Answers(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] trace::HostAnswer answer(std::string_view question, std::span<const std::uint8_t> content,
                                         const CancelToken& cancel) EXCLUDES(mutex_) {
    static const std::array kKinds{analysis::kAnalysisQuestion, analysis::kClocksQuestion, rules::kRulesQuestion};
    const auto kind = std::ranges::find(kKinds, question, &analysis::HostQuestionKind::name);
    if (kind == kKinds.end()) return std::optional<std::vector<std::uint8_t>>();
    const auto profile = loaded();
    if (!profile) return profile.error();
    store::StreamReader reader(content);
    return kind->answer(**profile, reader, cancel);
  }

 private:
  Result<analysis::HostedProfile*> loaded() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    if (hosted_) return &*hosted_;
    auto options = load_options({}, saved_settings());
    if (!options) return options.error();
    options->store.keep = false;  // there is one already
    loader_ = std::make_unique<ingest::Loader>(path_, std::move(*options));
    loader_->wait();
    if (const Failure failure = loader_->failure()) return *failure;
    hosted_.emplace(loader_->profile(), loader_->events());
    return &*hosted_;
  }

  const std::string path_;
  Mutex mutex_;
  std::unique_ptr<ingest::Loader> loader_ GUARDED_BY(mutex_);
  std::optional<analysis::HostedProfile> hosted_ GUARDED_BY(mutex_);
};

/// Returns the stores at `path` if it is a converted profile; empty if it is traces.
Result<ingest::ConvertedProfile> converted_at(const std::string& path) {
  if (ingest::opens_as_store(path)) return ingest::ConvertedProfile{{std::filesystem::absolute(path).string()}, {}};
  const auto found = ingest::discover(path);
  if (!found) return found.error();
  if (!found->sources.empty() || found->converted.empty()) return ingest::ConvertedProfile();
  return ingest::one_profile(found->root, found->converted);
}

/// Makes the store of the traces at `path`, unless there is one, and returns its path; "" if the client has gone.
Result<std::string> store_of(const std::string& path, const ingest::Wire& wire) {
  auto options = load_options({}, saved_settings());
  if (!options) return options.error();
  ingest::Loader loader(path, std::move(*options));
  while (!loader.finished()) {
    const ingest::LoadStatus status = loader.status();
    if (client_gone() || !ingest::send_progress(wire, "reading the traces", status.done, status.total))
      return std::string();
    ::poll(nullptr, 0, static_cast<int>(kLook.count()));
  }
  if (const Failure failure = loader.failure()) return *failure;
  CancelToken cancel;
  Progress progress;
  auto kept = std::async(std::launch::async, [&] { return loader.keep(cancel, &progress, false); });
  const std::uint64_t total = loader.status().total;
  while (kept.wait_for(kLook) == std::future_status::timeout)
    if (client_gone() || !ingest::send_progress(wire, "writing the store", progress.done, total)) cancel.cancel();
  const Result<ingest::Kept> result = kept.get();
  if (cancel.cancelled()) return std::string();
  if (!result) return result.error();
  return result->file;
}

ExitStatus run_serve(const ServeOptions& options) {
  if (::isatty(kInput) != 0)
    return fail({"serve", "answers another Warpscope, not a terminal", "open ssh://HOST/PATH on your machine"}, kUsage);
  ingest::Wire wire(kInput, kOutput);
  if (!ingest::send_hello(wire, WARPSCOPE_VERSION)) return kNotWritten;
  auto converted = converted_at(options.path);
  if (converted && converted->files.empty()) {
    static_cast<void>(::setpriority(PRIO_PROCESS, 0, kNice));
    const auto store = store_of(options.path, wire);
    if (!store)
      converted = store.error();
    else
      converted->files.push_back(*store);
  }
  if (!converted) {
    ingest::send_failure(wire, converted.error());
    return kNothingRead;
  }
  if (converted->files.front().empty()) return kDone;
  Answers answers(options.path);
  ingest::serve_files(wire, converted->files, converted->shards.has_value(),
                      [&](std::string_view question, std::span<const std::uint8_t> content, const CancelToken& cancel) {
                        return answers.answer(question, content, cancel);
                      });
  return kDone;
}

std::function<ExitStatus()> declare_serve(Arguments arguments) {
  const auto options = std::make_shared<ServeOptions>();
  arguments.required("PATH", options->path, "A trace file, a directory of trace files, or a converted profile");
  return [options] { return run_serve(*options); };
}

}  // namespace

const Command registered::serve::kCommand{
    "serve", "Answer a Warpscope on another machine; started by opening ssh://HOST/PATH there", declare_serve};

}  // namespace warpscope::cli
