#include "tests/bench/printed.hpp"

#include <simdjson.h>

#include <limits>

#include "core/base/json_writer.hpp"

namespace warpscope::bench {

Printed::Printed(const std::string& text) {
  simdjson::dom::parser parser;
  simdjson::dom::object members;
  if (parser.parse(text).get(members) != simdjson::SUCCESS) return;
  good_ = true;
  for (const auto& [key, value] : members) {
    double number = 0;
    std::string_view string;
    if (value.get(number) == simdjson::SUCCESS) numbers_.emplace(key, number);
    if (value.get(string) == simdjson::SUCCESS) texts_.emplace(key, string);
  }
}

double Printed::number(std::string_view key) const {
  const auto found = numbers_.find(key);
  return found != numbers_.end() ? found->second : std::numeric_limits<double>::quiet_NaN();
}

std::string Printed::text(std::string_view key) const {
  const auto found = texts_.find(key);
  return found != texts_.end() ? found->second : std::string();
}

std::string printed_error(std::string_view what) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("error", what);
  json.end_object();
  return out;
}

}  // namespace warpscope::bench
