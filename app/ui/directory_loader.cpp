#include "app/ui/directory_loader.hpp"

#include <system_error>
#include <utility>

#include "core/ingest/loader.hpp"

namespace warpscope::ui {
namespace {

FileState state_of(ingest::FileState state) {
  switch (state) {
    case ingest::FileState::waiting:
      return FileState::waiting;
    case ingest::FileState::reading:
      return FileState::reading;
    case ingest::FileState::done:
      return FileState::done;
    case ingest::FileState::passed_over:
      return FileState::passed_over;
    case ingest::FileState::cancelled:
      return FileState::cancelled;
  }
  return FileState::waiting;
}

/// `path` as seen from `root`; its last part if it is the root itself.
std::string shown_name(const std::filesystem::path& path, const std::filesystem::path& root) {
  const std::filesystem::path below = path.lexically_relative(root);
  if (below.empty() || below == "." || *below.begin() == "..") return path.filename().string();
  return below.string();
}

ingest::LoadOptions with_choices(ingest::LoadOptions options, const LoadChoices& choices,
                                 std::function<void()> on_change) {
  options.on_change = std::move(on_change);
  options.memory_limit = choices.memory_limit;
  options.store.keep = choices.keep_stores && options.store.use;
  options.store.limit = choices.store_limit;
  options.watch = choices.watch;
  return options;
}

class DirectoryLoader : public ProfileLoader {
 public:
  DirectoryLoader(const std::filesystem::path& path, ingest::LoadOptions options)
      : root_(path), memory_limit_(options.memory_limit), loader_(path.string(), std::move(options)) {}

  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const override { return loader_.profile(); }

  [[nodiscard]] LoadProgress progress() override {
    const ingest::LoadStatus status = loader_.status();
    LoadProgress progress;
    progress.running = !status.finished;
    progress.cancelled = status.cancelled;
    progress.done = status.bytes_done;
    progress.total = status.bytes_total;
    progress.bytes_per_second = status.bytes_per_second;
    progress.seconds_left = status.seconds_left;
    progress.expected = status.expected;
    progress.watching = status.watching;
    progress.away = status.away;
    progress.converted = status.converted;
    progress.keeping = status.keeping;
    progress.memory_limit = memory_limit_;
    progress.waiting_in_store = status.waiting_in_store;
    progress.files.reserve(status.files.size());
    for (const ingest::FileStatus& file : status.files) {
      progress.files.push_back({shown_name(file.path, root_), file.bytes_done, file.bytes_total, state_of(file.state),
                                file.from_store, file.growing, file.path, file.why, file.unfinished, file.partly});
    }
    if (status.finished && status.watching) progress.awaiting = loader_.profile() == nullptr;
    if (status.finished && !status.watching) progress.error = loader_.failure();
    return progress;
  }

  void cancel() override { loader_.cancel(); }
  void watch(bool on) override { loader_.watch(on); }
  [[nodiscard]] std::shared_ptr<const ingest::EventLookup> events() const override { return loader_.events(); }
  [[nodiscard]] Result<ingest::Kept> keep_store() override {
    const CancelToken never;
    return loader_.keep(never);
  }

 private:
  std::filesystem::path root_;
  std::uint64_t memory_limit_;
  ingest::Loader loader_;
};

}  // namespace

LoaderFactory directory_loader(ingest::LoadOptions base) {
  return [base = std::move(base)](const std::filesystem::path& path, const LoadChoices& choices,
                                  std::function<void()> on_change) {
    return std::make_unique<DirectoryLoader>(path, with_choices(base, choices, std::move(on_change)));
  };
}

}  // namespace warpscope::ui
