#pragma once
// Loads that say what a test wants them to: of each path that is opened, or the same of all.
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "app/ui/model/loading.hpp"

namespace warpscope::tests {

using ProfilePtr = std::shared_ptr<const trace::Profile>;

/// What the loader says, and what it was told. With a profile and nothing else it is a load that is over at once.
struct Stage {
  ProfilePtr profile{};
  ui::LoadProgress progress{};
  ui::LoadChoices choices{};    ///< of the last load
  std::vector<bool> watches{};  ///< watch() was called with these
  int cancels = 0;
  int loads = 0;
  int alive = 0;  ///< loaders that there are
};
using Stages = std::map<std::string, Stage>;  ///< by path

class StagedLoader final : public ui::ProfileLoader {
 public:
  /// `stage` must outlive it.
  explicit StagedLoader(Stage& stage) : stage_(stage) { ++stage_.alive; }
  ~StagedLoader() override { --stage_.alive; }
  [[nodiscard]] ProfilePtr profile() const override { return stage_.profile; }
  [[nodiscard]] ui::LoadProgress progress() override { return stage_.progress; }
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

/// Whatever the path, that stage.
inline ui::LoaderFactory staged(Stage& stage) {
  return [&stage](const std::filesystem::path&, const ui::LoadChoices& choices, const std::function<void()>&) {
    return start_load(stage, choices);
  };
}

/// The stage of the path; one that is not there yet is made.
inline ui::LoaderFactory staged(Stages& stages) {
  return [&stages](const std::filesystem::path& path, const ui::LoadChoices& choices, const std::function<void()>&) {
    return start_load(stages[path.string()], choices);
  };
}

}  // namespace warpscope::tests
