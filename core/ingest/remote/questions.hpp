#pragma once
// The questions of a RemoteHost that `warpscope serve` works on, each on its own thread. The other end asks for the
// answer again and again until it is there, so reads of the store are answered meanwhile.
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/progress.hpp"
#include "core/ingest/remote/wire.hpp"
#include "core/trace/profile_host.hpp"

namespace warpscope::ingest {

/// Answers a question about the served profile; nullopt if it is unknown. Called on several threads at once.
using AnswerQuestion = std::function<trace::HostAnswer(std::string_view question, std::span<const std::uint8_t> content,
                                                       const CancelToken& cancel)>;

/// Not thread-safe.
class Questions {
 public:
  explicit Questions(AnswerQuestion answer) : answer_(std::move(answer)) {}
  /// Cancels all questions and waits.
  ~Questions();
  Questions(const Questions&) = delete;
  Questions& operator=(const Questions&) = delete;

  /// Take the content of a message of this kind. Return false if it is invalid or the other end is gone.
  [[nodiscard]] bool ask(std::span<const std::uint8_t> content);
  [[nodiscard]] bool fetch(const Wire& wire, std::span<const std::uint8_t> content);
  [[nodiscard]] bool drop(std::span<const std::uint8_t> content);

 private:
  struct Question {
    CancelToken cancel;
    std::future<trace::HostAnswer> future;
    std::optional<trace::HostAnswer> answer;  // compressed; once it is there
  };

  AnswerQuestion answer_;
  std::map<std::uint64_t, std::unique_ptr<Question>> open_;
  std::vector<std::unique_ptr<Question>> dropped_;  // still running
};

/// Compresses an answer, and reads it. Returns nullopt if it is invalid.
[[nodiscard]] std::vector<std::uint8_t> pack_answer(std::span<const std::uint8_t> content);
[[nodiscard]] std::optional<std::vector<std::uint8_t>> unpack_answer(std::span<const std::uint8_t> packed);

}  // namespace warpscope::ingest
