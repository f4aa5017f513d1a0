#pragma once
// Phases of a framework timeline. The "pid" is not a process id but a phase number within the file. A file may assign
// several names to the same number, so events are keyed by phase name.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/time.hpp"
#include "core/ingest/events/raw_event.hpp"

namespace warpscope::ingest::pevents {

/// Kinds of phases, in track display order.
enum class PhaseKind : std::uint8_t { step, forward, backward, loader, data, operators, collectives, other, gpu };

/// Classifies a phase by its name. `file_kind`: kind of its file, such as "horovod_timeline".
[[nodiscard]] PhaseKind phase_kind(std::string_view phase, std::string_view file_kind);
/// Returns the device of a phase such as "gpu_functions-dev:3", as text; "" for other phases.
[[nodiscard]] std::string_view device_of_phase(std::string_view phase);
/// True for the phases of a training loop ("Forward"); false for the modules, operators and transfers within them.
[[nodiscard]] bool is_annotation(std::string_view phase, PhaseKind kind);

/// Returns the base of a timeline, in ns since the Unix epoch, if `event` contains it.
[[nodiscard]] std::optional<Ns> base_in(const RawEvent& event);

/// Bases and phase names found so far in the events of one file.
class Announced {
 public:
  /// `base`: used until the file specifies one. `kind`: kind of the file, used as the name of unnamed phases.
  Announced(Ns base, std::string_view kind) : base_(base), unnamed_(kind) {}
  /// Reads a metadata event.
  void add(const RawEvent& event);
  [[nodiscard]] Ns absolute(Ns time) const { return saturating_add(base_, time); }
  /// Returns the name of the phase with this number.
  [[nodiscard]] std::string_view phase(std::string_view number) const;

 private:
  Ns base_;
  std::string unnamed_;
  std::map<std::string, std::string, std::less<>> phases_;  ///< by "pid"
};

/// Arguments used by the reader, as text; "" if missing.
struct PhaseArguments {
  explicit PhaseArguments(std::string_view arguments);

  std::string_view pid;
  std::string_view tid;            ///< of operators
  std::string_view thread;         ///< "thread_id" of TensorFlow
  std::string_view worker;         ///< "worker_id" of a data loader
  std::string_view step;           ///< "step_num"
  std::string_view layer;          ///< "layer_name" or else "name"; replaces the event's name
  std::string_view launch_thread;  ///< "start_cpu_thread" of GPU activity …
  std::string_view launch_time;    ///< … and "cpu_thread_start_time": the operator that launched it
  std::string_view launch_name;    ///< … and "event_name"
};

/// Returns a slice's name: its layer name, if any; for steps, the name followed by the step number, as in
/// "Step:ModeKeys.TRAIN#7".
[[nodiscard]] std::string slice_name(std::string_view name, std::string_view layer, std::string_view step);

}  // namespace warpscope::ingest::pevents
