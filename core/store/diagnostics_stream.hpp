#pragma once
// Serialization of diagnostics in a store.
#include "core/base/diagnostics.hpp"
#include "core/store/byte_stream.hpp"

namespace warpscope::store {

inline void write_diagnostics(StreamWriter& stream, const Diagnostics& diagnostics) {
  stream.number(diagnostics.all().size());
  for (const Diagnostic& entry : diagnostics.all()) {
    stream.text(entry.code);
    stream.byte(static_cast<std::uint8_t>(entry.severity));
    stream.number(entry.count);
    stream.text(entry.file);
    stream.number(entry.offset + 1);  // kNoOffset becomes 0
    stream.text(entry.example);
  }
}

inline Diagnostics read_diagnostics(StreamReader& stream) {
  Diagnostics diagnostics;
  for (std::size_t left = stream.count(); left > 0 && stream.ok(); --left) {
    const std::string_view code = stream.text();
    const auto severity = static_cast<Severity>(stream.number_to(static_cast<std::uint64_t>(Severity::error)));
    const std::uint64_t count = stream.number();
    const std::string_view file = stream.text();
    const std::uint64_t offset = stream.number() - 1;
    const std::string_view example = stream.text();
    if (stream.ok()) diagnostics.add(code, severity, file, offset, example, count);
  }
  return diagnostics;
}

}  // namespace warpscope::store
