#include "app/ui/model/directory_loader.hpp"

#include <utility>

#include "core/ingest/load/loader.hpp"

namespace warpscope::ui {
namespace {

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
      : loader_(path.string(), std::move(options)) {}

  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const override { return loader_.profile(); }
  [[nodiscard]] LoadStatus progress() override { return loader_.status(); }
  void cancel() override { loader_.cancel(); }
  void watch(bool on) override { loader_.watch(on); }
  [[nodiscard]] std::shared_ptr<const ingest::EventLookup> events() const override { return loader_.events(); }
  void mend() override { loader_.mend(); }

 private:
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
