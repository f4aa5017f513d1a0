// Statistics as saved by cProfile and profile: {(file, line, name): (primitive calls, calls, self, total, callers)}.
// `callers` has the same keys; its values are (calls, primitive calls, self, total) from cProfile, with the first two
// in reverse order, and the number of calls from profile.
#include "core/ingest/formats/python_stats/code_table.hpp"
#include "core/ingest/formats/python_stats/marshal.hpp"
#include "core/ingest/formats/python_stats/python_stats.hpp"

namespace warpscope::ingest {

namespace {

using Kind = MarshalValue::Kind;

// Each caller has a key and a value of at least 5 bytes each, unless the file repeats them by reference.
constexpr std::size_t kLeastBytesPerCaller = 10;

std::optional<std::int64_t> count_of(const MarshalValue& value) {
  if (value.kind != Kind::integer || value.integer < 0) return std::nullopt;
  return value.integer;
}

std::optional<Ns> time_of(const MarshalValue& value) {
  if (value.kind == Kind::real) return ns_of_seconds(value.real);
  if (value.kind == Kind::integer) return ns_of_seconds(static_cast<double>(value.integer));
  return std::nullopt;
}

class CProfile {
 public:
  CProfile(std::string_view bytes, trace::PythonStats& stats, Diagnostics& diagnostics)
      : reader_(bytes), bytes_(bytes), stats_(stats), codes_(stats), diagnostics_(diagnostics) {}

  void read() {
    for (;;) {
      const std::size_t offset = reader_.offset();
      MarshalValue key;
      MarshalValue value;
      const MarshalReader::Next next = reader_.next(key, value);
      if (next == MarshalReader::Next::error) return damaged(reader_.offset(), reader_.error());
      if (next == MarshalReader::Next::end) break;
      if (!add(key, value)) entry_skipped(offset);
    }
    if (reader_.offset() < bytes_.size()) damaged(reader_.offset(), "extra bytes after the end");
  }

 private:
  void damaged(std::size_t offset, std::string_view why) {
    diagnostics_.add("python-stats-damaged", Severity::warning, stats_.path, offset, why);
  }

  void entry_skipped(std::size_t offset) {
    diagnostics_.add("python-stats-entry-skipped", Severity::warning, stats_.path, offset, "");
  }

  std::optional<std::uint32_t> code_of(const MarshalValue& key) {
    if (key.kind != Kind::tuple || key.count != 3) return std::nullopt;
    const auto parts = reader_.values(key);
    if (parts[0].kind != Kind::text || parts[1].kind != Kind::integer || parts[2].kind != Kind::text)
      return std::nullopt;
    return codes_.code(reader_.text(parts[0]), parts[1].integer, reader_.text(parts[2]));
  }

  bool add(const MarshalValue& key, const MarshalValue& value) {
    const auto code = code_of(key);
    if (!code || value.kind != Kind::tuple || value.count != 5) return false;
    const auto parts = reader_.values(value);
    trace::PythonFunction function;
    function.primitive_calls = count_of(parts[0]);
    function.calls = count_of(parts[1]);
    const auto self = time_of(parts[2]);
    const auto total = time_of(parts[3]);
    if (!function.calls || !function.primitive_calls || !self || !total || parts[4].kind != Kind::dict) return false;
    function.code = *code;
    function.self = *self;
    function.total = *total;
    stats_.functions.push_back(function);
    return add_callers(*code, reader_.values(parts[4]));
  }

  bool add_callers(std::uint32_t callee, std::span<const MarshalValue> entries) {
    bool all = true;
    for (std::size_t i = 0; i + 1 < entries.size(); i += 2) {
      const auto caller = caller_of(callee, entries[i], entries[i + 1]);
      const bool room = stats_.callers.size() < bytes_.size() / kLeastBytesPerCaller;
      if (caller && room) stats_.callers.push_back(*caller);
      all = all && caller && room;
      if (!room) break;
    }
    return all;
  }

  std::optional<trace::PythonCaller> caller_of(std::uint32_t callee, const MarshalValue& key,
                                               const MarshalValue& value) {
    const auto code = code_of(key);
    if (!code) return std::nullopt;
    trace::PythonCaller caller;
    caller.callee = callee;
    caller.caller = *code;
    if (value.kind == Kind::integer) {
      caller.calls = count_of(value);
      return caller.calls ? std::optional(caller) : std::nullopt;
    }
    if (value.kind != Kind::tuple || value.count != 4) return std::nullopt;
    const auto parts = reader_.values(value);
    caller.calls = count_of(parts[0]);
    caller.primitive_calls = count_of(parts[1]);
    caller.self = time_of(parts[2]);
    caller.total = time_of(parts[3]);
    if (!caller.calls || !caller.primitive_calls || !caller.self || !caller.total) return std::nullopt;
    return caller;
  }

  MarshalReader reader_;
  std::string_view bytes_;
  trace::PythonStats& stats_;
  CodeTable codes_;
  Diagnostics& diagnostics_;
};

}  // namespace

void parse_cprofile(std::string_view bytes, trace::PythonStats& stats, Diagnostics& diagnostics) {
  CProfile(bytes, stats, diagnostics).read();
}

}  // namespace warpscope::ingest
