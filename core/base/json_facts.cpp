#include "core/base/json_facts.hpp"

#include <simdjson.h>

#include <algorithm>
#include <utility>

#include "core/base/json_writer.hpp"
#include "core/base/utf8.hpp"

namespace warpscope {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::element_type;
using simdjson::dom::object;

constexpr std::size_t kDeepest = 16;
constexpr std::size_t kLongestKey = 256;

std::string number_text(double number) {
  std::string text;
  append_json_number(text, number);
  return text;
}

/// Converts simple Python dicts (single quotes, True, None) to JSON.
std::string as_json(std::string_view text) {
  std::string out(text);
  if (out.find('"') != std::string::npos) return out;
  std::replace(out.begin(), out.end(), '\'', '"');
  for (const auto& [python, json] :
       {std::pair{"True", "true"}, std::pair{"False", "false"}, std::pair{"None", "null"}}) {
    for (std::size_t at = out.find(python); at != std::string::npos; at = out.find(python, at + 1))
      if (std::count(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(at), '"') % 2 == 0)
        out.replace(at, std::string_view(python).size(), json);
  }
  return out;
}

class Flattener {
 public:
  Flattener(std::vector<JsonFact>& facts, const JsonFactOptions& options) : facts_(facts), options_(options) {}

  void add(const std::string& name, const element& value, std::size_t depth) {
    if (facts_.size() >= options_.most) return;
    switch (value.type()) {
      case element_type::OBJECT:
        return add_object(name, value, depth);
      case element_type::ARRAY:
        return add_array(name, value, depth);
      case element_type::STRING:
        return add_text(name, value.get_string().value_unsafe(), depth);
      case element_type::INT64:
      case element_type::UINT64:
      case element_type::BOOL:
        return put(name, simdjson::minify(value));
      case element_type::DOUBLE:
        return put(name, number_text(value.get_double().value_unsafe()));
      case element_type::NULL_VALUE:
        return put(name, "");
    }
  }

 private:
  void put(const std::string& name, std::string value) { facts_.push_back({name, std::move(value)}); }
  void put_shortened(const std::string& name, std::string_view text) { put(name, shortened(text, options_.longest)); }

  void add_object(const std::string& name, const element& value, std::size_t depth) {
    object members;
    if (value.get(members) != simdjson::SUCCESS) return;
    if (members.size() == 0 || depth >= kDeepest) return put_shortened(name, simdjson::minify(value));
    for (const auto& [key, member] : members) {
      if (facts_.size() >= options_.most) return;
      add((name.empty() ? "" : name + ".") + shortened(key, kLongestKey), member, depth + 1);
    }
  }

  void add_array(const std::string& name, const element& value, std::size_t depth) {
    array items;
    if (value.get(items) != simdjson::SUCCESS) return;
    const bool plain = std::all_of(items.begin(), items.end(),
                                   [](const element& item) { return !item.is_object() && !item.is_array(); });
    if (plain || depth >= kDeepest) {
      std::string all;
      for (const element& item : items) {
        if (all.size() > options_.longest) break;
        std::string_view text;
        all += (all.empty() ? "" : ", ");
        all += item.get(text) == simdjson::SUCCESS ? std::string(text) : std::string(simdjson::minify(item));
      }
      return put_shortened(name, all);
    }
    std::size_t index = 0;
    for (const element& item : items) {
      if (facts_.size() >= options_.most) return;
      add(name + "[" + std::to_string(index++) + "]", item, depth + 1);
    }
  }

  /// Hyperparameters are strings that contain JSON: "\"train.py\"", "10"; configurations are strings that contain an
  /// object.
  void add_text(const std::string& name, std::string_view text, std::size_t depth) {
    const bool nested = options_.look_into_texts && text.size() >= 2 &&
                        (text.front() == '{' || text.front() == '[' || text.front() == '"');
    if (nested && depth < kDeepest) {
      simdjson::dom::parser parser;
      element inner;
      if (parser.parse(as_json(text)).get(inner) == simdjson::SUCCESS) {
        std::string_view plain;
        if (inner.get(plain) == simdjson::SUCCESS) return put_shortened(name, plain);
        return add(name, inner, depth + 1);
      }
    }
    put_shortened(name, text);
  }

  std::vector<JsonFact>& facts_;
  const JsonFactOptions& options_;
};

}  // namespace

Result<std::vector<JsonFact>> json_facts(std::string_view json, const JsonFactOptions& options) {
  simdjson::dom::parser parser;
  element root;
  if (const auto error = parser.parse(json.data(), json.size()).get(root); error != simdjson::SUCCESS)
    return Error{"", std::string("not valid JSON: ") + simdjson::error_message(error), "save it again"};
  std::vector<JsonFact> facts;
  Flattener(facts, options).add("", root, 0);
  return facts;
}

std::vector<std::string> json_texts(std::string_view json, std::size_t most) {
  simdjson::dom::parser parser;
  std::vector<std::string> texts;
  array items;
  if (parser.parse(json.data(), json.size()).get(items) != simdjson::SUCCESS) return texts;
  for (const element& item : items) {
    std::string_view text;
    if (texts.size() < most && item.get(text) == simdjson::SUCCESS) texts.emplace_back(text);
  }
  return texts;
}

}  // namespace warpscope
