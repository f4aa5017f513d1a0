#pragma once
// Writes events of small traces one by one, as PyTorch's profiler does. Times are in µs, as in the files.
#include <string>
#include <string_view>

namespace warpscope::tests {

class TinyEvents {
 public:
  struct Run {
    std::string_view name = "gemm";
    double begin = 0;
    double length = 1;
    int correlation = 0;  ///< 0: none
    int stream = 7;
    int device = 0;
    std::string_view category = "kernel";
    std::string arguments{};  ///< additional arguments, as JSON
  };
  TinyEvents& run(const Run& run);
  TinyEvents& launch(double begin, int correlation_id, std::string_view name = "cudaLaunchKernel", double length = 0.5,
                     int thread = 100);
  TinyEvents& step(int number, double begin, double length);
  TinyEvents& annotation(std::string_view name, double begin, double length);
  /// `fields`: category, name and arguments, as JSON.
  TinyEvents& host_range(std::string_view fields, double begin, double length, int thread = 100);
  TinyEvents& shadow(std::string_view name, double begin, double length, int stream = 7, int device = 0);
  TinyEvents& op(std::string_view name, double begin, double length, int thread = 100);
  /// Adds the flow from a forward operator that starts at `from` to its backward operator.
  TinyEvents& forward_backward(int id, double from, double to, int to_thread);

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  TinyEvents& add(const std::string& event);

  std::string text_;
};

}  // namespace warpscope::tests
