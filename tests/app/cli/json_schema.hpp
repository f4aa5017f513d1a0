#pragma once
// The JSON Schema of the program's output, from documents that it writes: names and types of all members. Scalars may
// be null, because a missing value is. Records whose columns the caller knows are declared instead.
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/table.hpp"

namespace warpscope::tests {

class JsonSchema {
 public:
  /// `named`: members of the document to describe; all others are tables whose names and columns are data. Empty: all.
  explicit JsonSchema(std::set<std::string, std::less<>> named = {}) : named_(std::move(named)) {}
  /// Adds the types of a JSON text.
  void learn(std::string_view text);
  /// Adds an array of records with the columns of CSV.
  void declare(const std::string& name, const Table& table);

  /// Returns the first member of `text` that the schema does not allow; empty if it is valid.
  [[nodiscard]] std::string problem(std::string_view text) const;
  /// Writes the schema, without "$schema".
  [[nodiscard]] std::string text(std::string_view indent) const { return written(root_, indent); }

 private:
  struct Node {
    std::set<std::string> types{};  // "object", "array", "string", "integer", "number", "boolean"
    std::map<std::string, Node> members{};
    std::vector<Node> items{};   // of an array: one, once known
    std::vector<Node> values{};  // of an object whose keys are data: one, once known
  };
  template <class Element>
  static void learn(Node& node, const Element& element, std::string_view key);
  template <class Element>
  static std::string problem(const Node& node, const Element& element, const std::string& path);
  static std::string written(const Node& node, std::string_view indent);

  std::set<std::string, std::less<>> named_;
  Node root_;
};

}  // namespace warpscope::tests
