#pragma once
// Shared by the tests of hostile input: texts that are too long for memory, and a measurement of memory growth.
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "core/base/process_memory.hpp"
#include "tests/core/ingest/kineto_support.hpp"
#include "tests/core/ingest/trace_files.hpp"
#include "tests/sanitized.hpp"

namespace warpscope::tests {

/// Divisor for the size of hostile input: sanitizers make everything ten times slower. Quadratic code does not finish
/// even with a tenth of the size.
[[nodiscard]] inline int size_divisor() { return sanitized() ? 10 : 1; }

/// Yields each text a given number of times, in order.
class RepeatingStream final : public ingest::ByteStream {
 public:
  struct Part {
    std::string text;
    std::uint64_t times = 1;
  };
  explicit RepeatingStream(std::vector<Part> parts) : parts_(std::move(parts)) {}

  Result<std::size_t> read(std::span<char> into) override {
    std::size_t filled = 0;
    while (filled < into.size() && part_ < parts_.size()) {
      const Part& part = parts_[part_];
      const std::size_t size = std::min(into.size() - filled, part.text.size() - at_);
      std::memcpy(into.data() + filled, part.text.data() + at_, size);
      filled += size;
      at_ += size;
      if (at_ < part.text.size()) continue;
      at_ = 0;
      if (++time_ < part.times) continue;
      time_ = 0;
      ++part_;
    }
    consumed_ += filled;
    return filled;
  }
  [[nodiscard]] std::uint64_t consumed() const override { return consumed_; }
  [[nodiscard]] const ingest::FileStamp& stamp() const override { return stamp_; }

 private:
  std::vector<Part> parts_;
  std::size_t part_ = 0;
  std::uint64_t time_ = 0;
  std::size_t at_ = 0;
  std::uint64_t consumed_ = 0;
  ingest::FileStamp stamp_;
};

/// Peak memory growth of this process since construction. A sanitizer's own memory counts too, so tests check bounds
/// only without sanitizers.
class MemoryGrowth {
 public:
  MemoryGrowth() {
    // Linux resets the peak here; on other systems, growth below an earlier peak goes unnoticed.
    if (std::ofstream forget("/proc/self/clear_refs"); forget) forget << "5";
    before_ = process_memory().resident;
  }
  [[nodiscard]] std::uint64_t bytes() const {
    const std::uint64_t peak = process_memory().peak;
    return peak > before_ ? peak - before_ : 0;
  }
  void check_below(std::uint64_t megabytes) const {
    if (!sanitized()) CHECK(bytes() / 1'000'000 < megabytes);
  }

 private:
  std::uint64_t before_ = 0;
};

inline constexpr const char* kFirstEvent = R"({"ph":"X","cat":"cpu_op","name":"first","pid":1,"tid":1,"ts":1,"dur":5})";
inline constexpr const char* kLastEvent = R"({"ph":"X","cat":"cpu_op","name":"last","pid":1,"tid":1,"ts":9,"dur":5})";

/// Checks that the first and the last event were read, whatever is between them.
inline void check_ends(const Parsed& parsed) {
  REQUIRE(parsed.events.size() >= 2);
  CHECK(parsed.events.front().name == "first");
  CHECK(parsed.events.back().name == "last");
}

inline std::string times(std::string_view text, std::size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

}  // namespace warpscope::tests
