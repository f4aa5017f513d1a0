#include "tests/tracegen/chrome_dialects.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/tracegen/cuspy_dialect.hpp"

namespace warpscope::tracegen {
namespace {

/// A slice in the Kineto file.
struct Slice {
  std::string category, name, process, thread;
  std::int64_t ts = 0, dur = 0;  // ns
  std::string correlation;
  std::int64_t bytes = -1;

  [[nodiscard]] bool runs() const {
    return category == "kernel" || category == "gpu_memcpy" || category == "gpu_memset";
  }
  [[nodiscard]] bool calls() const { return category == "cuda_runtime" || category == "cuda_driver"; }
};

std::string text_of(simdjson::dom::element element) {
  std::string_view text;
  if (element.get(text) == simdjson::SUCCESS) return std::string(text);
  return simdjson::minify(element);
}

double number_of(simdjson::simdjson_result<simdjson::dom::element> element, double otherwise = 0) {
  double number = otherwise;
  return element.get(number) == simdjson::SUCCESS ? number : otherwise;
}

/// Of microseconds; a double of this century's times since a base is wrong by less than half a nanosecond.
std::int64_t ns_of(simdjson::simdjson_result<simdjson::dom::element> element) {
  return std::llrint(static_cast<long double>(number_of(element)) * 1000);
}

std::string decimal(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

double microseconds(std::int64_t ns) { return static_cast<double>(ns) / 1000; }

std::vector<Slice> slices_of(std::string_view kineto) {
  simdjson::dom::parser parser;
  simdjson::dom::array events;
  if (parser.parse(kineto.data(), kineto.size())["traceEvents"].get(events) != simdjson::SUCCESS)
    throw std::runtime_error("a dialect needs an intact trace: no defects that corrupt its text");
  std::vector<Slice> slices;
  for (const simdjson::dom::element event : events) {
    std::string_view phase;
    if (event["ph"].get(phase) != simdjson::SUCCESS || phase != "X") continue;
    Slice slice;
    simdjson::dom::element value;
    const auto member = [&](const char* key) { return event[key].get(value) == simdjson::SUCCESS; };
    if (member("cat")) slice.category = text_of(value);
    if (slice.category == "Trace") continue;
    if (member("name")) slice.name = text_of(value);
    if (member("pid")) slice.process = text_of(value);
    if (member("tid")) slice.thread = text_of(value);
    slice.ts = ns_of(event["ts"]);
    slice.dur = ns_of(event["dur"]);
    if (event["args"]["correlation"].get(value) == simdjson::SUCCESS) slice.correlation = text_of(value);
    slice.bytes = static_cast<std::int64_t>(number_of(event["args"]["bytes"], -1));
    slices.push_back(std::move(slice));
  }
  return slices;
}

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out += '"';
}

/// Array entries, one per line.
class Entries {
 public:
  void add(std::string entry) {
    if (!text_.empty()) text_ += ",\n";
    text_ += entry;
  }
  void name(std::string_view what, std::string_view pid, std::string_view tid, std::string_view name) {
    add(fmt::format(R"({{"ph":"M","pid":{},{}"name":"{}","args":{{"name":{}}}}})", pid,
                    tid.empty() ? "" : fmt::format("\"tid\":{},", tid), what, json_text(name)));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
};

constexpr std::string_view kHost = "701";
constexpr int kDerivedLane = 1'000'000;

/// Returns "12" for "ProfilerStep#12".
std::optional<std::string> step_of(const Slice& slice) {
  constexpr std::string_view kStep = "ProfilerStep#";
  if (slice.category != "user_annotation" || !slice.name.starts_with(kStep)) return std::nullopt;
  return slice.name.substr(kStep.size());
}

std::string jax_of(const std::vector<Slice>& slices) {
  std::int64_t origin = slices.empty() ? 0 : slices.front().ts;
  std::map<std::string, std::string> kernels;  // by correlation
  std::set<std::pair<std::string, std::string>> streams, threads;
  for (const Slice& slice : slices) {
    origin = std::min(origin, slice.ts);
    if (slice.runs()) {
      kernels.emplace(slice.correlation, slice.name);
      streams.emplace(slice.process, slice.thread);
    } else if (slice.category != "gpu_user_annotation") {
      threads.emplace(slice.process, slice.thread);
    }
  }
  const auto device = [](const std::string& process) { return std::to_string(std::stoll(process) + 1); };
  Entries entries;
  std::set<std::string> devices;
  for (const auto& [process, stream] : streams) {
    if (devices.insert(process).second) {
      entries.name("process_name", device(process), "", "/device:GPU:" + process);
      entries.name("thread_name", device(process), std::to_string(kDerivedLane), "XLA Modules");
    }
    entries.name("thread_name", device(process), stream, "Stream #" + stream + "(Compute)");
  }
  entries.name("process_name", kHost, "", "/host:CPU");
  for (const auto& [process, thread] : threads) entries.name("thread_name", kHost, thread, "thread/" + thread);
  const auto add = [&](const Slice& slice, std::string_view pid, std::string_view tid, std::string_view name,
                       std::string_view args) {
    entries.add(fmt::format(R"({{"ph":"X","pid":{},"tid":{},"ts":{:.17g},"dur":{:.17g},"name":{},"args":{{{}}}}})", pid,
                            tid, microseconds(slice.ts - origin), microseconds(slice.dur), json_text(name), args));
  };
  for (const Slice& slice : slices) {
    if (slice.runs()) {
      std::string args = fmt::format(R"("correlation_id":"{}")", slice.correlation);
      if (slice.category != "kernel" && slice.bytes >= 0)
        args +=
            fmt::format(R"(,"memcpy_details":"kind_src:pinned kind_dst:device size:{} dest:0 async:1")", slice.bytes);
      add(slice, device(slice.process), slice.thread, slice.name, args);
    } else if (slice.calls()) {
      const auto kernel = kernels.find(slice.correlation);
      add(slice, kHost, slice.thread, kernel == kernels.end() ? slice.name : kernel->second,
          fmt::format(R"("correlation_id":"{}")", slice.correlation));
    } else if (const auto step = step_of(slice)) {
      add(slice, kHost, slice.thread, "train", fmt::format(R"("step_num":"{}")", *step));
      for (const std::string& process : devices)
        add(slice, device(process), std::to_string(kDerivedLane), "jit_train(1)", "");
    } else if (slice.category != "gpu_user_annotation") {
      add(slice, kHost, slice.thread, slice.name, "");
    }
  }
  return R"({"displayTimeUnit":"ns","metadata":{"highres-ticks":true},"traceEvents":[)" + std::string("\n") +
         entries.text() + ",\n{}]}\n";
}

std::string generic_of(const std::vector<Slice>& slices) {
  Entries entries;
  std::set<std::string> processes;
  std::set<std::pair<std::string, std::string>> streams;
  for (const Slice& slice : slices) {
    if (slice.category == "gpu_user_annotation") continue;
    const std::string pid = slice.runs() ? "900" + slice.process : slice.process;
    (slice.runs() ? streams.emplace(slice.process, slice.thread).second : processes.insert(slice.process).second);
    entries.add(fmt::format(R"({{"ph":"X","pid":"{}","tid":"{}","ts":"{}","dur":"{}","name":{}}})", pid, slice.thread,
                            decimal(slice.ts), decimal(slice.dur), json_text(slice.name)));
    if (slice.correlation.empty() || !(slice.runs() || slice.calls())) continue;
    entries.add(
        fmt::format(R"({{"ph":"{}","pid":"{}","tid":"{}","ts":"{}","id":"{}","cat":"launch","name":"launch"{}}})",
                    slice.runs() ? "f" : "s", pid, slice.thread, decimal(slice.ts), slice.correlation,
                    slice.runs() ? R"(,"bp":"e")" : ""));
  }
  for (const std::string& process : processes) entries.name("process_name", process, "", "trainer " + process);
  for (const auto& [process, stream] : streams) {
    entries.name("process_name", "900" + process, "", "/device:GPU:" + process);
    entries.name("thread_name", "900" + process, stream, "Stream #" + stream);
  }
  return "[\n" + entries.text() + ",\n";
}

class Translating final : public ByteSink {
 public:
  Translating(Writer writer, std::unique_ptr<ByteSink> inner) : writer_(writer), inner_(std::move(inner)) {}
  void write(std::string_view bytes) override { text_ += bytes; }
  void close() override {
    inner_->write(in_dialect(writer_, text_));
    inner_->close();
  }

 private:
  Writer writer_;
  std::unique_ptr<ByteSink> inner_;
  std::string text_;
};

}  // namespace

std::string in_dialect(Writer writer, std::string_view kineto) {
  if (writer == Writer::kineto) return std::string(kineto);
  if (writer == Writer::cuspy) return cuspy_of(kineto);
  const std::vector<Slice> slices = slices_of(kineto);
  return writer == Writer::jax ? jax_of(slices) : generic_of(slices);
}

std::unique_ptr<ByteSink> in_dialect(Writer writer, std::unique_ptr<ByteSink> inner) {
  if (writer == Writer::kineto) return inner;
  return std::make_unique<Translating>(writer, std::move(inner));
}

}  // namespace warpscope::tracegen
