#pragma once
// Errors that users can cause are returned as values that describe what failed, where, and how to fix it.
// (std::expected requires C++23, which the oldest compiler we support lacks.)
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace warpscope {

/// Describes the failure (`what`), its location (`where`: a file, or a position in an expression) and how to fix it
/// (`advice`). `where` and `advice` may be empty.
struct Error {
  std::string where;
  std::string what;
  std::string advice;

  /// Returns "WHERE: WHAT; ADVICE", the form in which all commands print errors.
  [[nodiscard]] std::string message() const {
    std::string text = where.empty() ? what : where + ": " + what;
    return advice.empty() ? text : text + "; " + advice;
  }
};

/// A T or an Error. Check before use; calling value() on an error is a bug.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }
  [[nodiscard]] T& value() { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const { return std::get<0>(state_); }
  [[nodiscard]] const Error& error() const { return std::get<1>(state_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

/// Result of an operation that returns no value; empty on success.
using Failure = std::optional<Error>;

}  // namespace warpscope
