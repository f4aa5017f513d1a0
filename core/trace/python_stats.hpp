#pragma once
// Python function statistics written by cProfile or pyinstrument, from files that SageMaker Debugger saves next to the
// traces. Each PythonStats corresponds to one file, which covers one process between two points in the job's run.
//
// Times come from the profiler's own timer. SageMaker Debugger can configure cProfile to measure elapsed, CPU or
// off-CPU time, and the file does not record which.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/time.hpp"

namespace warpscope::trace {

enum class PythonProfiler : std::uint8_t {
  cprofile,      ///< counts every call
  pyinstrument,  ///< samples call stacks; no call counts
};

[[nodiscard]] constexpr std::string_view to_string(PythonProfiler profiler) {
  return profiler == PythonProfiler::cprofile ? "cProfile" : "pyinstrument";
}

/// A point in a job's run, as indicated by the file's path.
struct PythonMoment {
  std::string mode;                  ///< "train", "eval", "prestepzero", …; "" if unknown
  std::string phase;                 ///< "start", "stepend", …; "" if unknown
  std::optional<std::int64_t> step;  ///< none before the first step, after the last step, or if unknown
  std::optional<Ns> time;            ///< since the Unix epoch
};

/// A function, identified by its location in the source code. Strings are indexes into PythonStats::texts.
struct PythonCode {
  std::uint32_t name = 0;  ///< "_call_flat", "<method 'append' of 'list' objects>"
  std::uint32_t file = 0;  ///< "~" for functions not written in Python
  std::int64_t line = 0;
};

struct PythonFunction {
  std::uint32_t code = 0;                       ///< index into PythonStats::codes
  std::optional<std::int64_t> calls;            ///< none if the profiler does not count them
  std::optional<std::int64_t> primitive_calls;  ///< excluding recursive calls
  Ns self = 0;                                  ///< excluding the functions it called
  Ns total = 0;                                 ///< recursion counted once
};

/// Calls from one function to another. The times are those of the callee; nullopt if the profiler does not record them.
struct PythonCaller {
  std::uint32_t callee = 0;  ///< indices into PythonStats::codes
  std::uint32_t caller = 0;
  std::optional<std::int64_t> calls;
  std::optional<std::int64_t> primitive_calls;
  std::optional<Ns> self;
  std::optional<Ns> total;
};

struct PythonStats {
  std::string path;
  std::uint64_t size = 0;  ///< bytes on disk
  PythonProfiler profiler = PythonProfiler::cprofile;
  std::string node;       ///< "algo-1"; "" if unknown
  std::string process;    ///< rank or process id, as in names of framework timelines; "" if unknown
  std::string framework;  ///< "pytorch"; "" if unknown
  PythonMoment start;
  PythonMoment end;
  std::vector<std::string> texts;
  std::vector<PythonCode> codes;
  std::vector<PythonFunction> functions;  ///< in file order
  std::vector<PythonCaller> callers;      ///< by callee

  [[nodiscard]] const std::string& name_of(std::uint32_t code) const { return texts[codes[code].name]; }
  [[nodiscard]] const std::string& file_of(std::uint32_t code) const { return texts[codes[code].file]; }
  [[nodiscard]] std::size_t resident_bytes() const {
    std::size_t bytes = codes.capacity() * sizeof(PythonCode) + functions.capacity() * sizeof(PythonFunction) +
                        callers.capacity() * sizeof(PythonCaller) + texts.capacity() * sizeof(std::string);
    for (const std::string& text : texts) bytes += text.capacity();
    return bytes;
  }
};

/// Sorted by path.
using PythonProfiles = std::vector<std::shared_ptr<const PythonStats>>;

}  // namespace warpscope::trace
