#pragma once
// Writes the visible state to a JSON file. Tests that drive the real window poll this file instead of sleeping. Each
// part of the window writes its state in a callback.
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
  /// An empty path disables writing.
  explicit StateDump(std::filesystem::path path = {});

  void add(StateWriter writer) { writers_.push_back(std::move(writer)); }
  /// Atomically writes the file if the state changed. Call at the end of each frame.
  void update();
  /// Returns the error from writing the last state; empty if it was written or there is no file.
  [[nodiscard]] const Failure& problem() const { return problem_; }
  /// Returns the state as JSON text, even if no file is written.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool enabled() const { return !path_.empty(); }

 private:
  std::filesystem::path path_;
  std::vector<StateWriter> writers_;
  std::string written_;
  Failure problem_;
};

}  // namespace warpscope::ui
