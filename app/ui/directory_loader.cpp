#include "app/ui/directory_loader.hpp"

#include <system_error>
#include <utility>

#include "core/base/rate.hpp"
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

class DirectoryLoader : public ProfileLoader {
 public:
  DirectoryLoader(const std::filesystem::path& path, unsigned threads, std::function<void()> on_change)
      : root_(path), loader_(path.string(), {threads, std::move(on_change)}) {}

  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const override { return loader_.profile(); }

  [[nodiscard]] LoadProgress progress() override {
    const ingest::LoadStatus status = loader_.status();
    LoadProgress progress;
    progress.running = !status.finished;
    progress.cancelled = status.cancelled;
    progress.done = status.bytes_done;
    progress.total = status.bytes_total;
    rate_.update(status.seconds, status.bytes_done);
    progress.bytes_per_second = rate_.per_second();
    progress.seconds_left = rate_.seconds_left(status.bytes_total);
    progress.files.reserve(status.files.size());
    for (const ingest::FileStatus& file : status.files) {
      progress.files.push_back({shown_name(file.path, root_), file.bytes_done, file.bytes_total, state_of(file.state)});
    }
    if (status.finished) progress.error = loader_.failure();
    return progress;
  }

  void cancel() override { loader_.cancel(); }

 private:
  std::filesystem::path root_;
  ingest::Loader loader_;
  Rate rate_;
};

}  // namespace

LoaderFactory directory_loader(unsigned threads) {
  return [threads](const std::filesystem::path& path, std::function<void()> on_change) {
    return std::make_unique<DirectoryLoader>(path, threads, std::move(on_change));
  };
}

}  // namespace warpscope::ui
