#pragma once
// Flattens JSON into a list of values, each as text with its key path. The window displays job and trace metadata this
// way, so new keys require no code changes.
//
// The input is untrusted: the depth, number and length of the results are limited, and anything beyond the limits is
// dropped.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope {

/// One value. `name` is its key path, with dots between keys and list indices in brackets: "Hosts[0].Name"; "" if the
/// document is a single value. A list of plain values becomes one fact: "0, 1, 2".
struct JsonFact {
  std::string name;
  std::string value;

  friend bool operator==(const JsonFact&, const JsonFact&) = default;
};

struct JsonFactOptions {
  std::size_t most = 5000;       ///< maximum number of facts
  std::size_t longest = 4096;    ///< maximum bytes per value; longer values are truncated and end in "…"
  bool look_into_texts = false;  ///< also flatten strings that contain JSON or a Python dict
};

/// Returns the facts in document order; an Error if the text is not valid JSON.
[[nodiscard]] Result<std::vector<JsonFact>> json_facts(std::string_view json, const JsonFactOptions& options = {});

/// Returns the strings of a JSON list of strings; empty if `json` is not one.
[[nodiscard]] std::vector<std::string> json_texts(std::string_view json, std::size_t most = 5000);

}  // namespace warpscope
