#pragma once
// The same job as other programs would have traced it: JAX on GPUs, or some program that writes Chrome traces of its
// own. Made from the text of a Kineto file, so that what a reader finds in one can be held against the other.
#include <memory>
#include <string>
#include <string_view>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/output.hpp"

namespace warpscope::tracegen {

/// Writer::jax: as XLA exports `HOST.trace.json.gz`: devices and streams by name, correlation ids as strings, times of
/// up to 17 digits, launches that carry the kernel's name, lanes derived from streams, "{}" at the end.
/// Writer::generic: an array without its closing bracket, launches as flows, numbers as strings, names at the end.
/// Throws std::runtime_error if `kineto` is no trace.
[[nodiscard]] std::string in_dialect(Writer writer, std::string_view kineto);

/// A sink that holds back a Kineto file until its end and passes it on in the dialect.
[[nodiscard]] std::unique_ptr<ByteSink> in_dialect(Writer writer, std::unique_ptr<ByteSink> inner);

}  // namespace warpscope::tracegen
