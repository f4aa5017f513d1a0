#include "tests/app/cli/json_schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <simdjson.h>

#include <algorithm>
#include <array>

#include "core/base/table_writers.hpp"
#include "tests/catch.hpp"

namespace warpscope::tests {

namespace {

using simdjson::dom::element;
using simdjson::dom::element_type;

/// Objects whose keys are data.
constexpr std::array<std::string_view, 3> kMaps{"slices_by_category", "annotations", "notes"};

std::string type_of(const element& value) {
  switch (value.type()) {
    case element_type::OBJECT:
      return "object";
    case element_type::ARRAY:
      return "array";
    case element_type::STRING:
      return "string";
    case element_type::BOOL:
      return "boolean";
    case element_type::DOUBLE:
      return "number";
    case element_type::NULL_VALUE:
      return "null";
    default:
      return "integer";
  }
}

element parsed(simdjson::dom::parser& parser, std::string_view text) {
  element document;
  REQUIRE(parser.parse(text.data(), text.size()).get(document) == simdjson::SUCCESS);
  return document;
}

bool allows(const std::set<std::string>& types, const std::string& type) {
  return type == "null" || types.contains(type) || (type == "integer" && types.contains("number"));
}

}  // namespace

template <class Element>
void JsonSchema::learn(Node& node, const Element& value, std::string_view key) {
  const std::string type = type_of(value);
  if (type != "null") node.types.insert(type);
  simdjson::dom::array array;
  simdjson::dom::object object;
  if (value.get(array) == simdjson::SUCCESS) {
    for (const element each : array) {
      if (node.items.empty()) node.items.emplace_back();
      learn(node.items.front(), each, "");
    }
  } else if (value.get(object) == simdjson::SUCCESS) {
    const bool map = std::ranges::find(kMaps, key) != kMaps.end();
    for (const auto member : object) {
      if (map && node.values.empty()) node.values.emplace_back();
      learn(map ? node.values.front() : node.members[std::string(member.key)], element(member.value), member.key);
    }
  }
}

void JsonSchema::learn(std::string_view text) {
  simdjson::dom::parser parser;
  if (named_.empty()) return learn(root_, parsed(parser, text), "");
  root_.types.insert("object");
  root_.values.resize(1);
  root_.values.front().types = {"array"};
  for (const auto member : simdjson::dom::object(parsed(parser, text)))
    if (named_.contains(member.key)) learn(root_.members[std::string(member.key)], element(member.value), member.key);
}

void JsonSchema::declare(const std::string& name, const Table& table) {
  root_.types.insert("object");
  Node& node = root_.members[name];
  node.types = {"array"};
  if (node.items.empty()) node.items.emplace_back();
  node.items.front().types = {"object"};
  for (const CsvColumn& column : csv_columns(table)) {
    const ColumnKind kind = table.columns()[column.column].kind;
    const bool whole = kind == ColumnKind::integer || kind == ColumnKind::identifier || kind == ColumnKind::time;
    node.items.front().members[column.name].types = {kind == ColumnKind::text ? "string"
                                                     : whole                  ? "integer"
                                                                              : "number"};
  }
}

template <class Element>
std::string JsonSchema::problem(const Node& node, const Element& value, const std::string& path) {
  const std::string type = type_of(value);
  if (!node.types.empty() && !allows(node.types, type))
    return fmt::format("{} is {}, not {}", path, type, fmt::join(node.types, " or "));
  simdjson::dom::array array;
  simdjson::dom::object object;
  if (value.get(array) == simdjson::SUCCESS) {
    for (const element each : array) {
      if (node.items.empty()) break;
      if (std::string found = problem(node.items.front(), each, path + "[]"); !found.empty()) return found;
    }
  } else if (value.get(object) == simdjson::SUCCESS) {
    for (const auto member : object) {
      const std::string at = path + "." + std::string(member.key);
      const auto known = node.members.find(std::string(member.key));
      if (known == node.members.end() && node.values.empty()) return at + " is not declared";
      const Node& own = known != node.members.end() ? known->second : node.values.front();
      if (std::string found = problem(own, element(member.value), at); !found.empty()) return found;
    }
  }
  return "";
}

std::string JsonSchema::problem(std::string_view text) const {
  simdjson::dom::parser parser;
  return problem(root_, parsed(parser, text), "");
}

std::string JsonSchema::written(const Node& node, std::string_view indent) {
  if (node.types.empty()) return "{}";  // null in all documents
  std::vector<std::string> types;
  const bool scalar = !node.types.contains("object") && !node.types.contains("array");
  for (const std::string& type : node.types)
    if (type != "integer" || !node.types.contains("number")) types.push_back('"' + type + '"');
  if (scalar) types.emplace_back("\"null\"");
  std::string out = types.size() == 1 ? fmt::format(R"({{"type": {})", types.front())
                                      : fmt::format(R"({{"type": [{}])", fmt::join(types, ", "));
  if (!node.items.empty()) out += ", \"items\": " + written(node.items.front(), indent);
  if (!node.values.empty()) out += ", \"additionalProperties\": " + written(node.values.front(), indent);
  if (!node.members.empty()) {
    const std::string inner = std::string(indent) + "  ";
    out += ", \"properties\": {";
    const char* between = "\n";
    for (const auto& [name, member] : node.members) {
      out += fmt::format("{}{}\"{}\": {}", between, inner, name, written(member, inner));
      between = ",\n";
    }
    out += fmt::format("\n{}}}", indent);
  }
  return out + '}';
}

}  // namespace warpscope::tests
