#pragma once
// Messages outside the pages. Errors stay until dismissed; info messages disappear after a few seconds.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope::ui {

struct AppContext;

struct Message {
  bool is_error = false;
  std::string what;
  std::string where;       ///< may be empty
  std::string advice;      ///< may be empty
  double shown_until = 0;  ///< interface clock, in seconds; unused for errors
  std::uint32_t id = 0;
  std::uint32_t times = 1;  ///< repeated errors are counted, not stacked
};

class Messages {
 public:
  void error(const Error& error);
  void info(std::string text, double now);  ///< if repeated, extends the time shown
  void dismiss(std::uint32_t id);
  /// Dismisses the latest message; returns false if there is none.
  bool dismiss_latest();

  void draw(AppContext& context);
  [[nodiscard]] const std::vector<Message>& all() const { return messages_; }
  /// Returns the number of seconds until the next message disappears.
  [[nodiscard]] std::optional<double> due_in(double now) const;

 private:
  std::vector<Message> messages_;
  std::uint32_t next_id_ = 1;
};

}  // namespace warpscope::ui
