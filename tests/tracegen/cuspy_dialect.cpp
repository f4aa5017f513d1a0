#include "tests/tracegen/cuspy_dialect.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>

namespace warpscope::tracegen {
namespace {

using simdjson::dom::element;

constexpr std::int64_t kFirstDependency = std::int64_t{1} << 40;
constexpr std::array<std::string_view, 6> kUnlistedCalls{
    "cudaGetDevice",   "cudaSetDevice", "cudaGetLastError", "cudaEventCreate", "cudaEventCreateWithFlags",
    "cudaEventDestroy"};
constexpr std::array<std::string_view, 6> kFlowCalls{"cudaLaunchKernel",      "cudaLaunchKernelExC",
                                                     "cudaGraphLaunch",       "cudaStreamSynchronize",
                                                     "cudaDeviceSynchronize", "cudaStreamWaitEvent"};
constexpr std::array<std::string_view, 2> kListedDriverCalls{"cuLaunchKernel", "cuLaunchKernelEx"};

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

std::string text_at(const element& event, std::string_view key) {
  element value;
  std::string_view text;
  if (event[key].get(value) != simdjson::SUCCESS) return {};
  return value.get(text) == simdjson::SUCCESS ? std::string(text) : simdjson::minify(value);
}

std::int64_t integer_at(simdjson::simdjson_result<element> value) {
  std::int64_t number = 0;
  return value.get(number) == simdjson::SUCCESS ? number : 0;
}

/// Of microseconds.
std::int64_t ns_at(const element& event, std::string_view key) {
  double us = 0;
  return event[key].get(us) == simdjson::SUCCESS ? std::llrint(static_cast<long double>(us) * 1000) : 0;
}

std::string json_number(std::int64_t ns) { return fmt::format("{}", static_cast<double>(ns) / 1000); }

/// Returns "pageable" for "Pageable".
std::string memory_kind(std::string_view word) {
  std::string kind(word);
  std::ranges::transform(kind, kind.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return kind;
}

class Converter {
 public:
  std::string convert(std::string_view kineto) {
    simdjson::dom::parser parser;
    simdjson::dom::object document;
    if (parser.parse(kineto.data(), kineto.size()).get(document) != simdjson::SUCCESS)
      throw std::runtime_error("a dialect needs an intact trace: no defects that corrupt its text");
    std::string top;
    for (const auto& [key, value] : document) {
      if (key == "traceEvents") {
        for (const element event : simdjson::dom::array(value)) add(event);
        continue;
      }
      top += fmt::format("\"{}\":{},", key, std::string(simdjson::minify(value)));
    }
    return "{" + top + "\"traceEvents\":[" + metadata() + entries_ + "]}";
  }

 private:
  void entry(const std::string& text) { entries_.append(entries_.empty() ? "" : ",").append(text); }
  void entry(const element& event) { entry(std::string(simdjson::minify(event))); }

  void add(const element& event) {
    const std::string phase = text_at(event, "ph");
    const std::string category = text_at(event, "cat");
    if (phase == "M" || category == "ac2g") return;  // written anew
    if (phase != "X") return entry(event);
    if (category == "kernel") return add_activity(event, category, text_at(event, "name"), kernel_arguments(event));
    if (category == "gpu_memcpy" || category == "gpu_memset") return add_copy(event, category);
    if (category == "cuda_runtime" || category == "cuda_driver") return add_call(event, category);
    entry(event);
  }

  /// Starts the arguments of GPU activity.
  static std::string place_arguments(const element& event) {
    const element arguments = event["args"];
    std::string text;
    for (const char* key : {"device", "context", "stream", "correlation"})
      text += fmt::format("\"{}\":{},", key, integer_at(arguments[key]));
    return text;
  }

  static std::string kernel_arguments(const element& event) {
    const element arguments = event["args"];
    std::string text = place_arguments(event);
    for (const char* key : {"grid", "block", "registers per thread", "shared memory"})
      text += fmt::format("\"{}\":{},", key, std::string(simdjson::minify(arguments[key].value())));
    text += R"("priority":0,"queued":0,"channel":0,"channel_type":0)";
    static const std::set<std::string_view> kOmitted{"External id",
                                                     "queued",
                                                     "device",
                                                     "context",
                                                     "stream",
                                                     "correlation",
                                                     "grid",
                                                     "block",
                                                     "registers per thread",
                                                     "shared memory",
                                                     "blocks per SM",
                                                     "warps per SM",
                                                     "est. achieved occupancy %"};
    for (const auto& [key, value] : simdjson::dom::object(arguments))
      if (!kOmitted.contains(key)) text += fmt::format(",\"{}\":{}", key, std::string(simdjson::minify(value)));
    return text;
  }

  /// Moves direction and kinds of memory from the name, "Memcpy HtoD (Pinned -> Device)", to the arguments.
  void add_copy(const element& event, const std::string& category) {
    const std::string name = text_at(event, "name");
    std::string text = place_arguments(event) + fmt::format("\"bytes\":{},", integer_at(event["args"]["bytes"]));
    const std::size_t open = name.find('(');
    const std::string kinds = name.substr(open + 1, name.size() - open - 2);
    const std::size_t arrow = kinds.find(" -> ");
    if (category == "gpu_memset")
      text += R"("value":0,"memory kind":3,)";
    else
      text += fmt::format(R"("copy kind":"{}","src kind":"{}","dst kind":"{}",)", name.substr(7, open - 8),
                          memory_kind(kinds.substr(0, arrow)), memory_kind(kinds.substr(arrow + 4)));
    add_activity(event, category, category == "gpu_memset" ? "Memset" : "Memcpy",
                 text + R"("flags":0,"channel":0,"channel_type":0)");
  }

  void add_activity(const element& event, std::string_view category, const std::string& name,
                    const std::string& arguments) {
    const std::string device = text_at(event, "pid");
    const std::string stream = text_at(event, "tid");
    const std::int64_t begin = ns_at(event, "ts");
    const std::int64_t duration = ns_at(event, "dur");
    devices_.insert(device);
    streams_.emplace(device, stream);
    entry(fmt::format(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{{}}}}})", category,
                      quoted(name), device, stream, json_number(begin), json_number(duration), arguments));
    const std::int64_t correlation = integer_at(event["args"]["correlation"]);
    element node;
    const bool of_graph = event["args"]["graph node id"].get(node) == simdjson::SUCCESS;
    const auto before = last_node_.find(correlation);
    if (of_graph && before != last_node_.end()) {
      const std::int64_t id = kFirstDependency + dependencies_++;
      entry(flow("s", id, before->second.device, before->second.stream, before->second.end));
      entry(flow("f", id, device, stream, begin));
    } else {
      entry(flow("f", correlation, device, stream, begin));
    }
    if (of_graph) last_node_[correlation] = {device, stream, begin + duration};
  }

  void add_call(const element& event, std::string_view category) {
    const std::string name = text_at(event, "name");
    if (category == "cuda_runtime" ? has(kUnlistedCalls, name) : !has(kListedDriverCalls, name)) return;
    const std::int64_t correlation = integer_at(event["args"]["correlation"]);
    const std::string process = text_at(event, "pid");
    const std::string thread = text_at(event, "tid");
    const std::int64_t begin = ns_at(event, "ts");
    processes_.insert(process);
    threads_.emplace(process, thread);
    entry(fmt::format(R"({{"ph":"X","cat":"{}","name":{},"pid":{},"tid":{},"ts":{},"dur":{},"args":{{"cbid":{},)"
                      R"("correlation":{}}}}})",
                      category, quoted(name), process, thread, json_number(begin), json_number(ns_at(event, "dur")),
                      integer_at(event["args"]["cbid"]), correlation));
    if (has(kFlowCalls, name) || has(kListedDriverCalls, name) || name.starts_with("cudaMem"))
      entry(flow("s", correlation, process, thread, begin));
  }

  static std::string flow(std::string_view phase, std::int64_t id, std::string_view process, std::string_view thread,
                          std::int64_t time) {
    return fmt::format(R"({{"ph":"{}","id":{},"pid":{},"tid":{},"ts":{},"cat":"ac2g","name":"ac2g"{}}})", phase, id,
                       process, thread, json_number(time), phase == "f" ? R"(,"bp":"e")" : "");
  }

  static std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out += '"';
  }

  [[nodiscard]] std::string metadata() const {
    std::string text;
    const auto add = [&](std::string_view what, std::string_view process, std::string_view thread, std::string_view key,
                         const std::string& value) {
      text += fmt::format(R"({{"ph":"M","name":"{}","ts":0.0,"pid":{},"tid":{},"args":{{"{}":{}}}}},)", what, process,
                          thread, key, value);
    };
    for (const std::string& device : devices_) {
      add("process_name", device, "0", "name", "\"python\"");
      add("process_labels", device, "0", "labels", "\"GPU " + device + "\"");
    }
    for (const std::string& process : processes_) {
      add("process_name", process, "0", "name", "\"python\"");
      add("process_labels", process, "0", "labels", "\"CPU\"");
    }
    for (const auto& [process, thread] : threads_)
      add("thread_name", process, thread, "name", "\"thread " + thread + "\"");
    for (const auto& [device, stream] : streams_)
      add("thread_name", device, stream, "name", "\"stream " + stream + " \"");
    add("process_labels", "-1", "0", "labels", "\"Overhead\"");
    return text;
  }

  struct Node {
    std::string device, stream;
    std::int64_t end = 0;
  };

  std::string entries_;
  std::map<std::int64_t, Node> last_node_;  // by correlation
  std::int64_t dependencies_ = 0;
  std::set<std::string> devices_, processes_;
  std::set<std::pair<std::string, std::string>> streams_, threads_;
};

}  // namespace

std::string cuspy_of(std::string_view kineto) { return Converter().convert(kineto); }

}  // namespace warpscope::tracegen
