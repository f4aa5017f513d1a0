#pragma once
// Writes events of small traces one by one, as PyTorch's profiler does. Times are in µs, as in the files.
#include <fmt/format.h>

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
  TinyEvents& run(const Run& run) {
    return add(fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},)"
                           R"("args":{{"device":{},"stream":{}{}{}{}}}}})",
                           run.category, run.name, run.device, run.stream, run.begin, run.length, run.device,
                           run.stream, correlation(run.correlation), run.arguments.empty() ? "" : ",", run.arguments));
  }
  TinyEvents& launch(double begin, int correlation_id, std::string_view name = "cudaLaunchKernel", double length = 0.5,
                     int thread = 100) {
    return add(fmt::format(R"({{"ph":"X","cat":"cuda_runtime","name":"{}","pid":100,"tid":{},"ts":{:.3f},)"
                           R"("dur":{:.3f},"args":{{"cbid":211{}}}}})",
                           name, thread, begin, length, correlation(correlation_id)));
  }
  TinyEvents& step(int number, double begin, double length) {
    return annotation(fmt::format("ProfilerStep#{}", number), begin, length);
  }
  TinyEvents& annotation(std::string_view name, double begin, double length) {
    return add(fmt::format(R"({{"ph":"X","cat":"user_annotation","name":"{}","pid":100,"tid":100,"ts":{:.3f},)"
                           R"("dur":{:.3f},"args":{{}}}})",
                           name, begin, length));
  }
  /// `fields`: category, name and arguments, as JSON.
  TinyEvents& host_range(std::string_view fields, double begin, double length, int thread = 100) {
    return add(
        fmt::format(R"({{"ph":"X",{},"pid":100,"tid":{},"ts":{:.3f},"dur":{:.3f}}})", fields, thread, begin, length));
  }
  TinyEvents& shadow(std::string_view name, double begin, double length, int stream = 7, int device = 0) {
    return add(fmt::format(R"({{"ph":"X","cat":"gpu_user_annotation","name":"{}","pid":{},"tid":{},"ts":{:.3f},)"
                           R"("dur":{:.3f},"args":{{}}}})",
                           name, device, stream, begin, length));
  }
  TinyEvents& op(std::string_view name, double begin, double length, int thread = 100) {
    return add(fmt::format(R"({{"ph":"X","cat":"cpu_op","name":"{}","pid":100,"tid":{},"ts":{:.3f},"dur":{:.3f},)"
                           R"("args":{{}}}})",
                           name, thread, begin, length));
  }
  /// Adds the flow from a forward operator that starts at `from` to its backward operator.
  TinyEvents& forward_backward(int id, double from, double to, int to_thread) {
    const auto end = [&](std::string_view phase, double time, int thread) {
      add(fmt::format(R"({{"ph":"{}","id":{},"pid":100,"tid":{},"ts":{:.3f},"cat":"fwdbwd","name":"fwdbwd","bp":"e"}})",
                      phase, id, thread, time));
    };
    end("s", from, 100);
    end("f", to, to_thread);
    return *this;
  }

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  static std::string correlation(int id) { return id > 0 ? fmt::format(R"(,"correlation":{})", id) : ""; }
  TinyEvents& add(const std::string& event) {
    text_ += (text_.empty() ? "" : ",\n") + event;
    return *this;
  }

  std::string text_;
};

}  // namespace warpscope::tests
