#pragma once
// Converts an exception that ends a thread's work into an Error, because an uncaught exception in a thread would
// terminate the program.
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/result.hpp"

namespace warpscope {

/// Returns the exception being handled as an Error at `where`. Call from a catch block.
[[nodiscard]] inline Error caught(std::string where) {
  constexpr std::string_view kAdvice = "close other programs or set a memory limit";
  try {
    throw;
  } catch (const std::bad_alloc&) {
    return {std::move(where), "not enough memory", std::string(kAdvice)};
  } catch (const std::exception& exception) {
    return {std::move(where), std::string("failed unexpectedly: ") + exception.what(), ""};
  } catch (...) {
    return {std::move(where), "failed unexpectedly", ""};
  }
}

}  // namespace warpscope
