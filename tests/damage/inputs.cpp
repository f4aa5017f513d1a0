#include "tests/damage/inputs.hpp"

#include <simdjson.h>

#include <algorithm>
#include <stdexcept>

#include "tests/tracegen/framework_timelines.hpp"
#include "tests/tracegen/tracegen.hpp"

namespace warpscope::damage {
namespace {

/// Restricts the damage to what lies between two texts.
void restrict(Input& input, std::string_view before, std::string_view after) {
  input.first = input.bytes.find(before);
  input.last = std::min(input.bytes.rfind(after), input.bytes.size());
  if (input.first == std::string::npos || input.first >= input.last)
    throw std::runtime_error(input.path + " has no events");
}

std::vector<Input> traces(Format format, std::uint64_t seed) {
  std::vector<Input> inputs;
  for (const bool shapes : {false, true}) {
    for (const auto layout : {tracegen::Layout::kineto, tracegen::Layout::minified}) {
      tracegen::Options options;
      options.gpus = 1;
      options.steps = 2;
      options.layers = 1;
      options.seed = seed;
      options.layout = layout;
      options.shapes = shapes;
      options.python = shapes;
      if (format == Format::gz) options.format = tracegen::Format::gz;
      auto set = tracegen::generate_in_memory(options);
      Input& input = inputs.emplace_back(Input{format, set.files.front().path, std::move(set.files.front().bytes)});
      input.last = input.bytes.size();
      if (format == Format::json) restrict(input, "\"ph\"", "\"ph\"");
    }
  }
  return inputs;
}

std::vector<Input> metrics(std::uint64_t seed) {
  tracegen::Options options;
  options.gpus = 2;
  options.steps = 2;
  options.layers = 1;
  options.seed = seed;
  options.metrics_interval_ns = 1'000'000'000;
  std::vector<Input> inputs;
  for (auto& file : tracegen::generate_in_memory(options).files)
    if (file.path.find("system/incremental") != std::string::npos && inputs.empty())
      inputs.push_back({Format::metrics, file.path, file.bytes, 0, file.bytes.size()});
  return inputs;
}

std::vector<Input> timelines() {
  tracegen::TimelineOptions options;
  options.nodes = options.processes = 1;
  options.steps = 100;
  std::vector<Input> files;
  files.reserve(16);  // sinks refer to them
  tracegen::write_framework_timelines(options, [&](const std::filesystem::path& path) {
    return tracegen::append_to(files.emplace_back(Input{Format::pevents, path.string(), {}}).bytes);
  });
  std::erase_if(files, [](const Input& file) { return file.bytes.find("\"ph\": \"X\"") == std::string::npos; });
  files.resize(std::min<std::size_t>(files.size(), 1));
  for (Input& file : files) {
    restrict(file, "\"ph\": \"X\"", "\"ph\": \"X\"");
    // All events depend on the names of the phases.
    file.first = std::max(file.first, file.bytes.find('\n', file.bytes.rfind("\"ph\": \"M\"")));
  }
  return files;
}

}  // namespace

std::string_view name_of(Format format) {
  constexpr std::string_view kNames[] = {"JSON", "gz", "metrics", "pevents"};
  return kNames[static_cast<std::size_t>(format)];
}

std::string_view name_of(Kind kind) {
  constexpr std::string_view kNames[] = {"zeroed 4 KiB", "zeroed 512 B",  "512 B of 0xff", "random bytes",
                                         "stale 512 B",  "removed bytes", "changed byte",  "flipped bit"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Input> make_inputs(Format format, std::uint64_t seed) {
  switch (format) {
    case Format::json:
    case Format::gz:
      return traces(format, seed);
    case Format::metrics:
      return metrics(seed);
    case Format::pevents:
      return timelines();
  }
  return {};
}

Damaged damaged(const Input& input, Kind kind, std::mt19937_64& random) {
  Damaged result{input.bytes};
  std::string& bytes = result.bytes;
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random() % limit); };
  std::size_t at = input.first + below(input.last - input.first);
  const auto fill = [&](std::size_t length, auto byte) {
    const std::size_t end = std::min(at + length, input.last);
    for (std::size_t i = at; i < end; ++i) bytes[i] = static_cast<char>(byte(i));
  };
  const auto align = [&](std::size_t block) { at = std::max(at / block * block, input.first); };
  switch (kind) {
    case Kind::zero_page:
      align(4096);
      fill(4096, [](std::size_t) { return 0; });
      break;
    case Kind::zero_block:
      align(512);
      fill(512, [](std::size_t) { return 0; });
      break;
    case Kind::ones:
      align(512);
      fill(512, [](std::size_t) { return 0xff; });
      break;
    case Kind::noise:
      fill(1 + below(512), [&](std::size_t) { return random() & 0xff; });
      break;
    case Kind::stale_block: {
      const std::size_t from = input.first + below(input.last - input.first);
      align(512);
      fill(512, [&](std::size_t i) { return input.bytes[(from + i - at) % input.bytes.size()]; });
      result.gone = 512;
      break;
    }
    case Kind::removed:
      result.gone = std::min(1 + below(4096), input.last - at);
      bytes.erase(at, result.gone);
      break;
    case Kind::byte:
      bytes[at] = static_cast<char>(bytes[at] + static_cast<char>(1 + below(255)));
      break;
    case Kind::bit:
      bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(1U << below(8)));
      break;
  }
  return result;
}

bool is_valid(Format format, const std::string& bytes) {
  simdjson::dom::parser parser;
  const auto valid = [&](std::string_view text) {
    // The parser rejects valid integers that do not fit into 64 bits.
    constexpr int kMostDigits = 18;
    std::string shorter;
    int digits = 0;
    for (const char c : text) {
      digits = c >= '0' && c <= '9' ? digits + 1 : 0;
      if (digits <= kMostDigits) shorter += c;
    }
    return parser.parse(simdjson::padded_string(shorter)).error() == simdjson::SUCCESS;
  };
  if (format == Format::gz) return false;
  if (format != Format::metrics) return valid(bytes);
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    const std::string_view line = std::string_view(bytes).substr(at, end - at);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos && !valid(line)) return false;
    at = end + 1;
  }
  return true;
}

}  // namespace warpscope::damage
