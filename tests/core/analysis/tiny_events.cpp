#include "tests/core/analysis/tiny_events.hpp"

#include <fmt/format.h>

namespace warpscope::tests {

namespace {

std::string correlation(int id) { return id > 0 ? fmt::format(R"(,"correlation":{})", id) : ""; }

}  // namespace

TinyEvents& TinyEvents::run(const Run& run) {
  return add(fmt::format(R"({{"ph":"X","cat":"{}","name":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},)"
                         R"("args":{{"device":{},"stream":{}{}{}{}}}}})",
                         run.category, run.name, run.device, run.stream, run.begin, run.length, run.device, run.stream,
                         correlation(run.correlation), run.arguments.empty() ? "" : ",", run.arguments));
}

TinyEvents& TinyEvents::launch(double begin, int correlation_id, std::string_view name, double length, int thread) {
  return add(fmt::format(R"({{"ph":"X","cat":"cuda_runtime","name":"{}","pid":100,"tid":{},"ts":{:.3f},)"
                         R"("dur":{:.3f},"args":{{"cbid":211{}}}}})",
                         name, thread, begin, length, correlation(correlation_id)));
}

TinyEvents& TinyEvents::step(int number, double begin, double length) {
  return annotation(fmt::format("ProfilerStep#{}", number), begin, length);
}

TinyEvents& TinyEvents::annotation(std::string_view name, double begin, double length) {
  return add(fmt::format(R"({{"ph":"X","cat":"user_annotation","name":"{}","pid":100,"tid":100,"ts":{:.3f},)"
                         R"("dur":{:.3f},"args":{{}}}})",
                         name, begin, length));
}

TinyEvents& TinyEvents::host_range(std::string_view fields, double begin, double length, int thread) {
  return add(
      fmt::format(R"({{"ph":"X",{},"pid":100,"tid":{},"ts":{:.3f},"dur":{:.3f}}})", fields, thread, begin, length));
}

TinyEvents& TinyEvents::shadow(std::string_view name, double begin, double length, int stream, int device) {
  return add(fmt::format(R"({{"ph":"X","cat":"gpu_user_annotation","name":"{}","pid":{},"tid":{},"ts":{:.3f},)"
                         R"("dur":{:.3f},"args":{{}}}})",
                         name, device, stream, begin, length));
}

TinyEvents& TinyEvents::op(std::string_view name, double begin, double length, int thread) {
  return add(fmt::format(R"({{"ph":"X","cat":"cpu_op","name":"{}","pid":100,"tid":{},"ts":{:.3f},"dur":{:.3f},)"
                         R"("args":{{}}}})",
                         name, thread, begin, length));
}

TinyEvents& TinyEvents::forward_backward(int id, double from, double to, int to_thread) {
  const auto end = [&](std::string_view phase, double time, int thread) {
    add(fmt::format(R"({{"ph":"{}","id":{},"pid":100,"tid":{},"ts":{:.3f},"cat":"fwdbwd","name":"fwdbwd","bp":"e"}})",
                    phase, id, thread, time));
  };
  end("s", from, 100);
  end("f", to, to_thread);
  return *this;
}

TinyEvents& TinyEvents::add(const std::string& event) {
  text_ += (text_.empty() ? "" : ",\n") + event;
  return *this;
}

}  // namespace warpscope::tests
