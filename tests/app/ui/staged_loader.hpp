#pragma once
// Loaders controlled by a test, with one stage per path or one stage shared by all paths.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/model/loading.hpp"

namespace warpscope::tests {

using ProfilePtr = std::shared_ptr<const trace::Profile>;

/// The loader's output and recorded calls. If only a profile is set, the load finishes immediately.
struct Stage {
  ProfilePtr profile{};
  ui::LoadStatus progress{};
  ui::LoadChoices choices{};    ///< choices of the last load
  std::vector<bool> watches{};  ///< arguments of the calls to watch()
  int cancels = 0;
  int loads = 0;
  int alive = 0;  ///< number of live loaders
};
using Stages = std::map<std::string, Stage>;  ///< by path

class StagedLoader final : public ui::ProfileLoader {
 public:
  /// `stage` must outlive the loader.
  explicit StagedLoader(Stage& stage) : stage_(stage) { ++stage_.alive; }
  ~StagedLoader() override { --stage_.alive; }
  [[nodiscard]] ProfilePtr profile() const override { return stage_.profile; }
  [[nodiscard]] ui::LoadStatus progress() override { return stage_.progress; }
  void cancel() override { ++stage_.cancels; }
  void watch(bool on) override { stage_.watches.push_back(on); }

 private:
  Stage& stage_;
};

inline std::unique_ptr<ui::ProfileLoader> start_load(Stage& stage, const ui::LoadChoices& choices) {
  ++stage.loads;
  stage.choices = choices;
  return std::make_unique<StagedLoader>(stage);
}

/// Uses the same stage for every path.
inline ui::LoaderFactory staged(Stage& stage) {
  return [&stage](const std::filesystem::path&, const ui::LoadChoices& choices, const std::function<void()>&) {
    return start_load(stage, choices);
  };
}

/// Uses a separate stage for each path, creating it if missing.
inline ui::LoaderFactory staged(Stages& stages) {
  return [&stages](const std::filesystem::path& path, const ui::LoadChoices& choices, const std::function<void()>&) {
    return start_load(stages[path.string()], choices);
  };
}

}  // namespace warpscope::tests
