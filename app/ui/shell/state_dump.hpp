#pragma once
// The visible state as a JSON file, for tests that drive the real window from outside: they poll the file instead of
// guessing how long to wait. Parts of the window add what they show through a callback.
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

/// Writes keys and values into the object that is open: `writer.key("view"); …`.
using StateWriter = std::function<void(JsonWriter&)>;

/// What each state begins with: a file that does may be replaced by another state.
inline constexpr std::string_view kStateBegin = "{\n  \"warpscope_state\": 1";

class StateDump {
 public:
  /// An empty path: nothing is ever written.
  explicit StateDump(std::filesystem::path path = {});

  void add(StateWriter writer) { writers_.push_back(std::move(writer)); }
  /// Writes the file (atomically) if the state differs from the last one written. Call at a frame's end.
  void update();
  /// Why the last state could not be written; nothing if it was, or there is no file.
  [[nodiscard]] const Failure& problem() const { return problem_; }
  /// The state as JSON text, whether there is a file or not.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool enabled() const { return !path_.empty(); }

 private:
  std::filesystem::path path_;
  std::vector<StateWriter> writers_;
  std::string written_;
  Failure problem_;
};

}  // namespace warpscope::ui
