#include "render/scene/display_name.hpp"

#include <algorithm>

namespace warpscope::scene {

namespace {

constexpr auto kNowhere = std::string_view::npos;

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; }

bool ends_with_operator(std::string_view text) {
  constexpr std::string_view kWord = "operator";
  return text.ends_with(kWord) && (text.size() == kWord.size() || !is_word(text[text.size() - kWord.size() - 1]));
}

// Where the template arguments or the parameters of a C++ name begin, or kNowhere. "(anonymous namespace)" and the
// brackets of an operator are part of the name; a bracket after a space belongs to prose.
std::size_t arguments_begin(std::string_view name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '<' && name[i] != '(') continue;
    if (name.substr(i).starts_with("(anonymous namespace)")) {
      i += std::string_view("(anonymous namespace)").size() - 1;
      continue;
    }
    if (ends_with_operator(name.substr(0, i))) {
      const std::size_t symbol = name.substr(i).starts_with("()") ? i + 2 : name.find_first_not_of("<>=", i);
      return symbol == kNowhere ? kNowhere : name.find_first_of("<(", symbol);
    }
    return i > 0 && is_word(name[i - 1]) ? i : kNowhere;
  }
  return kNowhere;
}

// Libraries of generated kernels have one function and put what is generated into its first template argument.
bool is_generic_kernel(std::string_view function) {
  const std::size_t colon = function.rfind("::");
  const std::string_view last = colon == kNowhere ? function : function.substr(colon + 2);
  return last == "Kernel" || last == "Kernel2" || last == "device_kernel";
}

}  // namespace

std::string_view display_name(std::string_view name) {
  if (const std::size_t line = name.find(".py("); line != kNowhere) {
    const std::size_t function = name.find("): ", line);
    return function == kNowhere || function + 3 == name.size() ? name : name.substr(function + 3);
  }
  std::string_view rest = name;
  if (rest.starts_with("void ")) rest.remove_prefix(5);
  const std::size_t arguments = arguments_begin(rest);
  if (arguments == kNowhere) return rest;
  const std::string_view function = rest.substr(0, arguments);
  if (rest[arguments] == '<' && is_generic_kernel(function)) {
    const std::string_view inner = display_name(rest.substr(arguments + 1));
    const std::string_view first = inner.substr(0, inner.find_first_of(",<>("));
    if (!first.empty() && !(first.front() >= '0' && first.front() <= '9')) return first;
  }
  return function;
}

}  // namespace warpscope::scene
