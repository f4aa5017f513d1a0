#include "tests/tracegen/options.hpp"

#include <charconv>

namespace warpscope::tracegen {
namespace {

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < T{}) return std::nullopt;
  return value;
}

// Removes `text` up to its first colon and returns the part before the colon.
std::string_view take_field(std::string_view& text) {
  const std::size_t colon = text.find(':');
  const std::string_view field = text.substr(0, colon);
  text = colon == std::string_view::npos ? std::string_view{} : text.substr(colon + 1);
  return field;
}

}  // namespace

std::optional<Options> preset(std::string_view name) {
  Options options;
  if (name == "small") return options;
  if (name == "demo") {
    options.nodes = 2;
    options.gpus = 4;
    options.steps = 6;
    options.layers = 9;
    options.format = Format::gz;
    options.stragglers = {{5, 130}};
    options.stalls = {{2, 3, 24'000'000}};
    return options;
  }
  if (name == "bench") {
    options.gpus = 8;
    options.layers = 24;
    options.slices = 5'000'000;
    return options;
  }
  return std::nullopt;
}

std::optional<Format> parse_format(std::string_view name) {
  if (name == "json") return Format::json;
  if (name == "gz") return Format::gz;
  if (name == "zst") return Format::zst;
  return std::nullopt;
}

std::optional<Layout> parse_layout(std::string_view name) {
  if (name == "kineto") return Layout::kineto;
  if (name == "minified") return Layout::minified;
  if (name == "oneline") return Layout::oneline;
  if (name == "indented") return Layout::indented;
  return std::nullopt;
}

std::optional<Generation> parse_generation(std::string_view name) {
  if (name == "new") return Generation::current;
  if (name == "2023") return Generation::y2023;
  if (name == "1.8") return Generation::torch_1_8;
  return std::nullopt;
}

std::optional<Writer> parse_writer(std::string_view name) {
  if (name == "pytorch") return Writer::kineto;
  if (name == "cuspy") return Writer::cuspy;
  if (name == "jax") return Writer::jax;
  if (name == "generic") return Writer::generic;
  return std::nullopt;
}

std::optional<Merge> parse_merge(std::string_view name) {
  if (name == "sglang") return Merge::sglang;
  if (name == "tracelens") return Merge::tracelens;
  if (name == "veomni") return Merge::veomni;
  if (name == "pid") return Merge::pid;
  if (name == "unlabeled") return Merge::unlabeled;
  return std::nullopt;
}

std::optional<std::int64_t> parse_metrics_interval(std::string_view text) {
  const std::optional<int> ms = parse_number<int>(text);
  for (const int known : {100, 200, 500, 1000, 5000, 60'000})
    if (ms == known) return std::int64_t{known} * 1'000'000;
  return std::nullopt;
}

std::optional<Straggler> parse_straggler(std::string_view text) {
  const std::optional<int> rank = parse_number<int>(take_field(text));
  if (!rank) return std::nullopt;
  Straggler straggler{*rank};
  if (text.empty()) return straggler;
  const std::size_t point = text.find('.');
  const std::optional<int> whole = parse_number<int>(text.substr(0, point));
  if (!whole || *whole > 1000) return std::nullopt;
  straggler.percent = *whole * 100;
  if (point == std::string_view::npos) return straggler;
  const std::string_view decimals = text.substr(point + 1);
  const std::optional<int> fraction = parse_number<int>(decimals);
  if (!fraction || decimals.size() > 2) return std::nullopt;
  straggler.percent += decimals.size() == 1 ? *fraction * 10 : *fraction;
  return straggler;
}

std::optional<Stall> parse_stall(std::string_view text) {
  const std::optional<int> rank = parse_number<int>(take_field(text));
  const std::optional<int> step = parse_number<int>(take_field(text));
  if (!rank || !step) return std::nullopt;
  Stall stall{*rank, *step};
  if (text.empty()) return stall;
  const std::optional<std::int64_t> ms = parse_number<std::int64_t>(text);
  if (!ms || *ms > 3'600'000) return std::nullopt;
  stall.ns = *ms * 1'000'000;
  return stall;
}

}  // namespace warpscope::tracegen
