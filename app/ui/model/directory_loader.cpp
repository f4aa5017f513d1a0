#include "app/ui/model/directory_loader.hpp"

#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "core/ingest/load/loader.hpp"

namespace warpscope::ui {
namespace {

/// `path` relative to `root`; its last component if it equals `root`.
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
    for (std::size_t i = 0; i < status.files.size(); ++i)
      progress.files.push_back({status.files[i], name_of(i, status.files[i].path)});
    if (status.finished && status.watching) progress.awaiting = loader_.profile() == nullptr;
    if (status.finished && !status.watching) progress.error = loader_.failure();
    return progress;
  }

  void cancel() override { loader_.cancel(); }
  void watch(bool on) override { loader_.watch(on); }
  [[nodiscard]] std::shared_ptr<const ingest::EventLookup> events() const override { return loader_.events(); }
  void mend() override { loader_.mend(); }
  [[nodiscard]] Result<ingest::Kept> keep_store(const CancelToken& cancel) override { return loader_.keep(cancel); }

 private:
  struct Name {
    std::string path;
    std::string shown;
  };

  /// Display name of file `i`, cached because progress() runs in every frame.
  const std::string& name_of(std::size_t i, const std::string& path) {
    if (i >= names_.size()) names_.resize(i + 1);
    if (names_[i].path != path) names_[i] = {path, shown_name(path, root_)};
    return names_[i].shown;
  }

  std::vector<Name> names_;  // parallel to the files of the last status
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
