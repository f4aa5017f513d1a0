#pragma once
// Converts a generated job to the output of other programs: PyTorch's second CUDA backend (cuspy_dialect.hpp), JAX on
// GPUs, or a program that writes its own Chrome traces. Works on the text of a Kineto file, so that tests can compare
// the contents that a reader finds in both versions.
#include <memory>
#include <string>
#include <string_view>

#include "tests/tracegen/options.hpp"
#include "tests/tracegen/output.hpp"

namespace warpscope::tracegen {

/// Converts a Kineto trace. Writer::jax: as XLA exports `HOST.trace.json.gz`, with devices and streams identified by
/// name, correlation ids as strings, times of up to 17 digits, kernel names on launches, lanes derived from streams,
/// and "{}" at the end. Writer::generic: an array without its closing bracket, launches as flows, numbers as strings,
/// names at the end. Throws std::runtime_error if `kineto` is not a trace.
[[nodiscard]] std::string in_dialect(Writer writer, std::string_view kineto);

/// Returns a sink that buffers a Kineto file until its end and writes it in the dialect.
[[nodiscard]] std::unique_ptr<ByteSink> in_dialect(Writer writer, std::unique_ptr<ByteSink> inner);

}  // namespace warpscope::tracegen
