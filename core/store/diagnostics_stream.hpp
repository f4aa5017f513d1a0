#pragma once
// Serialization of diagnostics in a store.
#include "core/base/diagnostics.hpp"
#include "core/store/byte_stream.hpp"

namespace warpscope::store {

/// Writes diagnostics, or reads them and adds them to `diagnostics`.
template <class Stream, class Entries>
void transfer_diagnostics(Stream& stream, Entries& diagnostics) {
  auto entries = diagnostics.all();
  stream.each(entries, [&](auto& entry) {
    std::uint64_t from = entry.offset + 1;  // kNoOffset becomes 0
    stream.fields(entry.code, entry.severity, entry.count, entry.file, from, entry.example);
    stream.check(entry.severity <= Severity::error);
    if constexpr (Stream::kReads) {
      if (stream.ok()) diagnostics.add(entry.code, entry.severity, entry.file, from - 1, entry.example, entry.count);
    }
  });
}

}  // namespace warpscope::store
