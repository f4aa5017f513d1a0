#include "core/trace/kernel_label.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "core/base/ascii.hpp"

namespace warpscope::trace {

namespace {

constexpr auto kNowhere = std::string_view::npos;
constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperators = "(<>=+-*/!&|^~%[]";
constexpr std::size_t kShortBase = 10;    // shorter functions keep their namespace
constexpr std::size_t kLongestMark = 32;  // maximum length of a mark taken from an argument
constexpr std::size_t kMostMarks = 3;     // marks in front of a label

// Functions that only wrap another function.
constexpr std::array<std::string_view, 12> kWrappers{"gpu_kernel_impl", "gpu_kernel_impl_nocast", "func_wrapper_t",
                                                     "binaryfunctor",   "aunaryfunctor",          "bunaryfunctor",
                                                     "unaryfunctor",    "binaryopscalarfunctor",  "functor",
                                                     "opmathfunctor",   "gpu_reduce_kernel",      "kernel"};
constexpr std::array<std::string_view, 3> kPrefixes{"CUDAFunctorOnSelf_", "CUDAFunctorOnOther_", "CUDAFunctor_"};
constexpr std::array<std::string_view, 10> kSuffixes{"_kernel_cuda", "_cuda_kernel", "_kernel_impl", "_kernel",
                                                     "_functor",     "Functor_",     "Functor",      "_cuda",
                                                     "_out",         "Ops"};
// Namespaces too common to be informative.
constexpr std::array<std::string_view, 10> kCommonNamespaces{"at",  "native", "c10", "cuda",     "detail",
                                                             "cub", "thrust", "std", "internal", "impl"};

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

bool is_operator(std::string_view text) {
  constexpr std::string_view kWord = "operator";
  return text.ends_with(kWord) && (text.size() == kWord.size() || !is_word(text[text.size() - kWord.size() - 1]));
}

/// Parts of a name. `function` is empty if the name is not a C++ signature.
struct Signature {
  std::vector<std::string_view> namespaces{};
  std::string_view function{};
  std::string_view arguments{};  // from '<' or '('
};

std::string_view without_suffix(std::string_view name) {
  if (const std::size_t clone = name.rfind(" [clone "); clone != kNowhere) name = name.substr(0, clone);
  constexpr std::string_view kConst = ") const";
  if (name.ends_with(kConst)) name.remove_suffix(kConst.size() - 1);
  return name;
}

/// False for "attn(F)" and "layer(3)", which are titles: no parameter type is a single letter or starts with a digit.
bool are_parameters(std::string_view arguments) {
  if (!arguments.starts_with('(')) return true;
  const std::string_view inside = arguments.substr(1, arguments.find(')') - 1);
  return inside.size() > 1 && is_word(inside[0]) && !is_digit(inside[0]);
}

/// Reads a signature from left to right; skips nested brackets.
class SignatureReader {
 public:
  explicit SignatureReader(std::string_view name) : name_(without_suffix(name)) {}

  Signature read() {
    for (std::size_t i = 0; i < name_.size() && !prose_; ++i) {
      if (open_.empty() && name_.substr(i).starts_with(kAnonymous)) {
        i += kAnonymous.size() - 1;
      } else if (open_.empty() && kOperators.find(name_[i]) != kNowhere &&
                 is_operator(name_.substr(start_, i - start_))) {
        i = skip_operator(i);
      } else if (name_[i] == '<' || name_[i] == '(' || name_[i] == '{') {
        if (open_.empty()) open(i);
        open_ += name_[i];
      } else if (name_[i] == '>' && i > 0 && name_[i - 1] != '-') {
        if (open_.ends_with('<')) open_.pop_back();
      } else if (name_[i] == ')' || name_[i] == '}') {
        close(name_[i] == ')' ? '(' : '{');
      } else if (open_.empty() && name_[i] == '#') {
        prose_ = true;
      } else if (open_.empty() && name_[i] == ' ') {
        start_from(i + 1);
        spaced_ = true;
      } else if (open_.empty() && name_.substr(i).starts_with("::")) {
        if (!step_into(i)) break;
        ++i;
      }
    }
    return result();
  }

 private:
  void start_from(std::size_t at) {
    start_ = at;
    arguments_ = kNowhere;
    namespaces_.clear();
  }

  void open(std::size_t at) {
    if (arguments_ != kNowhere) return;
    prose_ = at == start_ || (!is_word(name_[at - 1]) && !after_operator_);
    arguments_ = at;
  }

  void close(char bracket) {
    const std::size_t at = open_.rfind(bracket);
    open_.resize(at == kNowhere ? 0 : at);
  }

  /// Moves from a namespace or class to its member. Returns false for a lambda or a call operator, which have no name.
  bool step_into(std::size_t colons) {
    const std::string_view next = name_.substr(colons + 2);
    if (arguments_ != kNowhere && (next.starts_with('{') || next.starts_with("operator"))) return false;
    namespaces_.push_back(name_.substr(start_, std::min(arguments_, colons) - start_));
    start_ = colons + 2;
    arguments_ = kNowhere;
    return true;
  }

  /// Returns the last position of an operator's symbol, or the open bracket after it.
  std::size_t skip_operator(std::size_t at) {
    after_operator_ = true;
    const std::size_t after =
        name_.substr(at).starts_with("()") ? at + 2 : name_.find_first_not_of(kOperators.substr(1), at);
    if (after >= name_.size()) return name_.size();
    if (name_[after] != '<' && name_[after] != '(') return after - 1;
    open(after);
    open_ += name_[after];
    return after;
  }

  Signature result() const {
    Signature read;
    const std::size_t end = std::min(arguments_, name_.size());
    const bool bare = arguments_ == kNowhere;
    if (prose_ || start_ >= end) return read;
    if (!bare && !are_parameters(name_.substr(arguments_)) && !after_operator_) return read;
    if (bare && name_.find(kAnonymous) == kNowhere && !(spaced_ && name_.starts_with("void "))) return read;
    read.namespaces = namespaces_;
    read.function = name_.substr(start_, end - start_);
    if (!bare) read.arguments = name_.substr(arguments_);
    return read;
  }

  std::string_view name_;
  std::string open_;  // open brackets
  std::vector<std::string_view> namespaces_;
  std::size_t start_ = 0;  // of the function or the current namespace
  std::size_t arguments_ = kNowhere;
  bool spaced_ = false;
  bool after_operator_ = false;
  bool prose_ = false;
};

/// Parses the nested names at the start of a mangled name ("_ZN2ns6kernelILi4EEEvPf"). The rest is often truncated or
/// specific to another compiler.
Signature read_mangled(std::string_view name) {
  Signature read;
  std::size_t at = name.starts_with("_ZN") ? 3 : 2;
  while (at < name.size() && is_digit(name[at])) {
    const std::size_t digits = digits_at(name, at);
    std::size_t length = 0;
    for (std::size_t d = 0; d < std::min<std::size_t>(digits, 4); ++d)
      length = length * 10 + static_cast<std::size_t>(name[at + d] - '0');
    const std::string_view part = name.substr(std::min(at + digits, name.size()), length);
    if (part.empty()) return {};
    if (!read.function.empty()) read.namespaces.push_back(read.function);
    read.function = part;
    at += digits + part.size();
  }
  read.arguments = name.substr(std::min(at, name.size()));
  return read;
}

Signature read_signature(std::string_view name) {
  return name.starts_with("_Z") ? read_mangled(name) : SignatureReader(name).read();
}

bool applies_function(std::string_view word, char next) {
  const std::string folded = lower(word);
  if (std::ranges::find(kWrappers, folded) != kWrappers.end()) return false;
  if (folded == "operator" || folded == "decltype" || folded == "lambda" || folded == "anonymous") return false;
  if (folded.find("traits") != std::string::npos || folded.find("param") != std::string::npos) return false;
  return next == '(' || folded.find("functor") != std::string::npos || folded.find("_kernel") != std::string::npos ||
         folded.ends_with("_cuda") || word.ends_with("Ops");
}

std::string_view bare_function(std::string_view word) {
  for (const std::string_view prefix : kPrefixes)
    if (word.starts_with(prefix)) return word.substr(prefix.size());
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view suffix : kSuffixes) {
      if (!word.ends_with(suffix) || word.size() == suffix.size()) continue;
      word.remove_suffix(suffix.size());
      cut = true;
    }
  }
  return word;
}

/// Calls `visit` with each word and the text after it until `visit` returns false.
template <class Visit>
void for_each_word(std::string_view text, Visit visit) {
  for (std::size_t i = 0; i < text.size();) {
    if (!is_word(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (!visit(text.substr(i, end - i), text.substr(end))) return;
    i = end;
  }
}

/// Returns the first function among the template arguments; "" if there is none.
std::string_view applied_function(const Signature& signature) {
  std::string_view found;
  if (!signature.arguments.starts_with('<')) return found;
  for_each_word(signature.arguments, [&](std::string_view word, std::string_view rest) {
    if (word != signature.function && applies_function(word, rest.empty() ? '\0' : rest[0]))
      found = bare_function(word);
    return found.empty();
  });
  return found;
}

// True for the function shared by all kernels of a library of generated kernels. Its first template argument identifies
// the kernel.
bool is_generic(std::string_view function) {
  return function == "Kernel" || function == "Kernel2" || function == "device_kernel";
}

/// Returns the first template argument if it is a type.
std::string_view first_argument(std::string_view arguments) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == '<' || arguments[i] == '(') ++depth;
    if ((arguments[i] == '>' || arguments[i] == ')') && depth > 0) --depth;
    if (depth > 1 || (depth == 1 && arguments[i] != ',')) continue;
    arguments = arguments.substr(0, i);
    break;
  }
  if (arguments.size() < 2 || !arguments.starts_with('<') || is_digit(arguments[1])) return {};
  return arguments.substr(1);
}

std::string with_namespace(const Signature& signature) {
  std::string function(signature.function);
  if (function.size() > kShortBase && !function.starts_with("operator")) return function;
  for (std::size_t n = signature.namespaces.size(); n-- > 0;) {
    const std::string_view name = signature.namespaces[n];
    if (name.empty() || name == kAnonymous || std::ranges::find(kCommonNamespaces, name) != kCommonNamespaces.end())
      continue;
    return std::string(name) + "::" + function;
  }
  return function;
}

/// Returns the parts in which kernels with the same label may differ: namespaces, then the words of the arguments
/// without their namespaces.
std::vector<std::string_view> marks_of(std::string_view name) {
  const Signature signature = read_signature(name);
  std::vector<std::string_view> marks = signature.namespaces;
  for_each_word(signature.arguments, [&](std::string_view word, std::string_view rest) {
    if (!rest.starts_with("::")) marks.push_back(word.substr(0, kLongestMark));
    return true;
  });
  return marks;
}

/// Returns the positions of marks, with numbers last, because a type is more informative than a size.
std::vector<std::size_t> words_before_numbers(const std::vector<std::vector<std::string_view>>& marks,
                                              std::size_t places) {
  std::vector<std::size_t> order(places);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_partition(order, [&](std::size_t place) {
    return std::ranges::none_of(marks, [&](const std::vector<std::string_view>& each) {
      return place < each.size() && !each[place].empty() && is_digit(each[place][0]);
    });
  });
  return order;
}

/// For each of the names, which all have the same label, returns the marks that distinguish it from the others.
std::vector<std::string> distinguishing_marks(const std::vector<std::string_view>& names) {
  std::vector<std::vector<std::string_view>> marks;
  std::size_t most = 0;
  for (const std::string_view name : names) most = std::max(most, marks.emplace_back(marks_of(name)).size());
  std::vector<std::string> chosen(names.size());
  std::size_t different = 1;
  std::size_t used = 0;
  for (const std::size_t i : words_before_numbers(marks, most)) {
    if (used == kMostMarks || different == names.size()) break;
    std::vector<std::string> longer = chosen;
    for (std::size_t n = 0; n < names.size(); ++n)
      if (i < marks[n].size() && !marks[n][i].empty())
        longer[n] += (longer[n].empty() ? "" : ", ") + std::string(marks[n][i]);
    const std::size_t now = std::set<std::string>(longer.begin(), longer.end()).size();
    if (now <= different) continue;
    different = now;
    chosen = std::move(longer);
    ++used;
  }
  return chosen;
}

/// "float · softmax", "BinaryFunctor · Mul · elementwise"; does not repeat a mark equal to the applied function.
std::string marked(const std::string& mark, const std::string& label) {
  constexpr std::string_view kDot = " · ";
  const std::size_t dot = label.find(kDot);
  const bool repeats = dot != std::string::npos && mark.ends_with(label.substr(0, dot));
  return repeats ? mark + label.substr(dot) : mark + std::string(kDot) + label;
}

}  // namespace

std::string kernel_label(std::string_view name) {
  const Signature signature = read_signature(name);
  if (signature.function.empty()) return std::string(name);
  if (is_generic(signature.function))
    if (const std::string_view first = first_argument(signature.arguments); !first.empty()) {
      const Signature inner = SignatureReader(first).read();
      return inner.function.empty() ? std::string(first) : with_namespace(inner);
    }
  const std::string function = with_namespace(signature);
  const std::string_view applied = applied_function(signature);
  return applied.empty() ? function : std::string(applied) + " · " + function;
}

std::vector<std::string> kernel_labels(std::span<const std::string_view> names) {
  std::vector<std::string> labels;
  std::map<std::string, std::vector<std::string_view>> by_label;
  labels.reserve(names.size());
  for (const std::string_view name : names) {
    std::vector<std::string_view>& alike = by_label[labels.emplace_back(kernel_label(name))];
    if (std::ranges::find(alike, name) == alike.end()) alike.push_back(name);
  }
  std::map<std::string_view, std::string> marks;
  for (const auto& [label, alike] : by_label) {
    if (alike.size() < 2) continue;
    std::vector<std::string> of_these = distinguishing_marks(alike);
    for (std::size_t n = 0; n < alike.size(); ++n) marks.emplace(alike[n], std::move(of_these[n]));
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto found = marks.find(names[i]); found != marks.end() && !found->second.empty())
      labels[i] = marked(found->second, labels[i]);
  return labels;
}

}  // namespace warpscope::trace
