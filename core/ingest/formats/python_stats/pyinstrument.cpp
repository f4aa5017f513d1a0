// Call trees as saved in JSON by pyinstrument: {"root_frame": {"function", "file_path", "line_no", "time" in seconds,
// "children": […]}}. The times of all frames of a function are summed; the total includes only frames that are not
// nested in frames of the same function, so recursive calls are counted once.
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <vector>

#include "core/ingest/formats/python_stats/code_table.hpp"
#include "core/ingest/formats/python_stats/python_stats.hpp"

namespace warpscope::ingest {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;

constexpr std::size_t kDeepestJson = 100'000;  // two levels per frame

std::string_view text_member(const element& frame, std::string_view key) {
  std::string_view text;
  return frame[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

struct FrameText {
  std::string_view function;
  std::string_view file;
  std::int64_t line = 0;
  Ns time = 0;
};

std::optional<FrameText> frame_text(const element& frame) {
  FrameText text;
  double seconds = 0;
  if (frame["function"].get(text.function) != simdjson::SUCCESS) return std::nullopt;
  if (frame["time"].get(seconds) != simdjson::SUCCESS) return std::nullopt;
  const auto time = ns_of_seconds(seconds);
  if (!time || *time < 0) return std::nullopt;
  text.time = *time;
  text.file = text_member(frame, "file_path");
  if (frame["line_no"].get(text.line) != simdjson::SUCCESS) text.line = 0;
  return text;
}

class CallTree {
 public:
  CallTree(trace::PythonStats& stats, Diagnostics& diagnostics)
      : stats_(stats), codes_(stats), diagnostics_(diagnostics) {}

  void read(const element& root) {
    if (!enter(root)) return skip();
    while (!open_.empty()) {
      Frame& top = open_.back();
      if (!top.parent || top.next == top.end) {
        leave();
        continue;
      }
      const element child = *top.next;
      ++top.next;
      if (text_member(child, "function") == kSelf) continue;  // included in its parent's time
      if (!enter(child)) skip();
    }
    for (const auto& [pair, index] : pair_index_) stats_.callers.push_back(pairs_[index]);
  }

 private:
  static constexpr std::string_view kSelf = "[self]";

  struct Frame {
    array::iterator next;
    array::iterator end;
    std::uint32_t function;
    std::size_t caller;  // index into pairs_
    Ns time;
    Ns children = 0;
    bool outermost;
    bool parent;  // has children; otherwise `next` and `end` point nowhere
  };

  static constexpr std::size_t kNoCaller = ~std::size_t{0};

  void skip() {
    diagnostics_.add("python-stats-entry-skipped", Severity::warning, stats_.path, Diagnostic::kNoOffset, "");
  }

  bool enter(const element& value) {
    const auto text = frame_text(value);
    if (!text) return false;
    const std::uint32_t function = function_of(codes_.code(text->file, text->line, text->function));
    array children;
    const bool any = value["children"].get(children) == simdjson::SUCCESS;
    const bool outermost = depth_of_[function]++ == 0;
    std::size_t caller = kNoCaller;
    if (!open_.empty()) {
      open_.back().children = saturating_add(open_.back().children, text->time);
      caller = caller_of(stats_.functions[function].code, stats_.functions[open_.back().function].code);
    }
    open_.push_back({any ? children.begin() : array::iterator(), any ? children.end() : array::iterator(), function,
                     caller, text->time, 0, outermost, any});
    return true;
  }

  void leave() {
    const Frame frame = open_.back();
    open_.pop_back();
    --depth_of_[frame.function];
    const Ns self = std::max<Ns>(0, frame.time - frame.children);
    const Ns total = frame.outermost ? frame.time : 0;
    trace::PythonFunction& function = stats_.functions[frame.function];
    function.self = saturating_add(function.self, self);
    function.total = saturating_add(function.total, total);
    if (frame.caller == kNoCaller) return;
    trace::PythonCaller& caller = pairs_[frame.caller];
    caller.self = saturating_add(*caller.self, self);
    caller.total = saturating_add(*caller.total, total);
  }

  std::uint32_t function_of(std::uint32_t code) {
    if (code == depth_of_.size()) {  // each code is a function, added in the same order
      depth_of_.push_back(0);
      trace::PythonFunction function;
      function.code = code;
      stats_.functions.push_back(function);
    }
    return code;
  }

  std::size_t caller_of(std::uint32_t callee, std::uint32_t caller) {
    const auto [entry, fresh] = pair_index_.try_emplace({callee, caller}, pairs_.size());
    if (fresh) {
      trace::PythonCaller pair;
      pair.callee = callee;
      pair.caller = caller;
      pair.self = pair.total = 0;
      pairs_.push_back(pair);
    }
    return entry->second;
  }

  trace::PythonStats& stats_;
  CodeTable codes_;
  Diagnostics& diagnostics_;
  std::vector<Frame> open_;
  std::vector<std::uint32_t> depth_of_;  // open frames of each function
  std::vector<trace::PythonCaller> pairs_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> pair_index_;
};

}  // namespace

void parse_pyinstrument(std::string_view json, trace::PythonStats& stats, Diagnostics& diagnostics) {
  simdjson::dom::parser parser;
  element document;
  element root;
  auto error = parser.allocate(json.size(), kDeepestJson);
  if (error == simdjson::SUCCESS) error = parser.parse(json.data(), json.size()).get(document);
  if (error != simdjson::SUCCESS)
    return diagnostics.add("python-stats-damaged", Severity::warning, stats.path, Diagnostic::kNoOffset,
                           simdjson::error_message(error));
  if (document["root_frame"].get(root) != simdjson::SUCCESS)
    return diagnostics.add("python-stats-damaged", Severity::warning, stats.path, 0, "no root_frame");
  if (root.is_null()) return;
  CallTree(stats, diagnostics).read(root);
}

}  // namespace warpscope::ingest
