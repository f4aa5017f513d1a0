#pragma once
// The visible state as a JSON file. Tests that drive the real window poll this file instead of sleeping. Parts of the
// window write their state through a callback.
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope {
class JsonWriter;
}

namespace warpscope::ui {

/// Writes keys and values into the current object: `writer.key("view"); …`.
using StateWriter = std::function<void(JsonWriter&)>;

/// The first bytes of every state file; only files that start with them may be overwritten.
inline constexpr std::string_view kStateBegin = "{\n  \"warpscope_state\": 1";

class StateDump {
 public:
  /// With an empty path, nothing is written.
  explicit StateDump(std::filesystem::path path = {});

  void add(StateWriter writer) { writers_.push_back(std::move(writer)); }
  /// Writes the file (atomically) if the state changed. Call at the end of a frame.
  void update();
  /// Returns why the last state could not be written; empty if it was written or there is no file.
  [[nodiscard]] const Failure& problem() const { return problem_; }
  /// Returns the state as JSON text, with or without a file.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool enabled() const { return !path_.empty(); }

 private:
  std::filesystem::path path_;
  std::vector<StateWriter> writers_;
  std::string written_;
  Failure problem_;
};

}  // namespace warpscope::ui
