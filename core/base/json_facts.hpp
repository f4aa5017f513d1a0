#pragma once
// JSON laid flat: every value as text under the keys that lead to it. What describes a job or a trace is shown to
// people as such a list, whatever its writers come up with next.
//
// The input is not trusted: depth, number and length of what comes out are bounded, and what is beyond is left out.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.hpp"

namespace warpscope {

/// One value. `name`: its keys with dots between them, places in lists as "[0]": "Hosts[0].Name"; "" for a document
/// that is one value. Lists of plain values are one fact, "0, 1, 2".
struct JsonFact {
  std::string name;
  std::string value;

  friend bool operator==(const JsonFact&, const JsonFact&) = default;
};

struct JsonFactOptions {
  std::size_t most = 5000;       ///< facts
  std::size_t longest = 4096;    ///< bytes of one text; longer ones end in "…"
  bool look_into_texts = false;  ///< texts that hold JSON, or a Python dict, are laid flat too
};

/// In the order of the text. An Error if it is no valid JSON.
[[nodiscard]] Result<std::vector<JsonFact>> json_facts(std::string_view json, const JsonFactOptions& options = {});

/// The texts of a JSON list of texts; empty if it is none.
[[nodiscard]] std::vector<std::string> json_texts(std::string_view json, std::size_t most = 5000);

}  // namespace warpscope
