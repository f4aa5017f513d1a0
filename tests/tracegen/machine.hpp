#pragma once
// Simulates one rank: executes the program with one clock for the host and one per stream, and reports events to the
// recorder. The device processes launches in order and lags behind the host by up to the length of the launch queue.
// When the queue is full, the host waits. At a collective the machine pauses until the arrival of all ranks of the
// group is known.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "tests/tracegen/event.hpp"
#include "tests/tracegen/place.hpp"
#include "tests/tracegen/random.hpp"
#include "tests/tracegen/recorder.hpp"

namespace warpscope::tracegen {

class Machine {
 public:
  /// All arguments passed by reference must outlive the machine. Machines with equal arguments produce equal events.
  Machine(const Options& options, const Program& program, const Place& place, Recorder& recorder);

  void begin_step(int step);
  /// Runs to the next collective (returns true) or to the end of the step (returns false).
  bool advance();
  /// The current collective, and the time when its kernel starts on this rank.
  [[nodiscard]] int collective() const { return waiting_->index; }
  [[nodiscard]] const Collective& collective_info() const {
    return program_.collectives[static_cast<std::size_t>(waiting_->index)];
  }
  /// Number of collectives of its group before the current one.
  [[nodiscard]] std::int64_t sequence() const { return collective_sequence_[counter_of(collective_info())]; }
  [[nodiscard]] std::int64_t arrival() const { return arrival_; }
  /// Ends the current collective at `end`.
  void complete_collective(std::int64_t end);
  void end_step();
  /// Waits for the device; returns the time when recording ends.
  std::int64_t finish();

  [[nodiscard]] const Place& place() const { return place_; }

 private:
  static constexpr std::size_t kQueue = 1024;

  struct Extent {
    std::int64_t begin = -1;
    std::int64_t end = -1;
  };
  // An open event of a thread (of host_), with its GPU ranges by stream if it is an annotation.
  struct Open {
    std::size_t event = 0;
    std::array<Extent, kStreams> shade;
  };

  void execute(const Instruction& instruction);
  void open(const Instruction& instruction);
  void close(std::size_t thread);
  void memory(const Instruction& instruction);
  void plain_call(RuntimeApi api);
  void launch(const Instruction& instruction);
  void copy(const Instruction& instruction);
  void synchronize(const Instruction& instruction);
  void launch_graph();
  void background_threads();
  void counter_samples();

  [[nodiscard]] Call begin_call(RuntimeApi api);
  void end_call(Call& call);
  [[nodiscard]] std::int64_t earliest(std::size_t stream, const Call& call);
  void occupy(std::size_t stream, const Run& run);
  [[nodiscard]] std::int64_t innermost_id() const;
  [[nodiscard]] std::int64_t device_time(std::int64_t mean, int percent);
  /// Time of host work on this rank.
  [[nodiscard]] std::int64_t host_time(std::int64_t ns) const {
    return host_percent_ == 100 ? ns : ns * host_percent_ / 100;
  }
  void pause();

  const Options& options_;
  const Program& program_;
  const Place& place_;
  Recorder& recorder_;
  Random random_;
  int percent_ = 100;  // relative to the usual time of kernels
  std::int64_t host_percent_ = 100;
  bool graphs_ = false;
  bool dependent_launches_ = false;

  int step_ = 0;
  std::size_t next_ = 0;
  std::int64_t now_ = 0;
  std::int64_t step_begin_ = 0;
  Thread thread_ = Thread::main;
  std::array<std::vector<HostEvent>, kThreads> host_;
  std::array<std::vector<Open>, kThreads> open_;
  std::vector<Shadow> shadows_;

  std::array<std::int64_t, kStreams> stream_free_{};   // end of the last activity by stream
  std::array<std::int64_t, kStreams> stream_ready_{};  // time before which the stream must wait
  std::array<std::int64_t, kStreams> last_length_{};
  std::vector<std::int64_t> events_;
  std::array<std::int64_t, kQueue> queue_{};  // starts of the last GPU activities
  std::int64_t launched_ = 0;
  bool in_graph_ = false;
  std::vector<Run> graph_;

  const Instruction* waiting_ = nullptr;
  Call waiting_call_;
  std::int64_t arrival_ = 0;
  /// The two sides of a pair count separately: a stage receives from one and sends to another.
  [[nodiscard]] static std::size_t counter_of(const Collective& collective) {
    return static_cast<std::size_t>(collective.group) + (collective.name == "recv" ? kGroups : 0);
  }
  std::array<std::int64_t, 2 * kGroups> collective_sequence_{};  // sequence number by counter

  std::int64_t external_id_ = 1;
  std::int64_t python_id_ = 1;
  std::int64_t correlation_ = 0;
  std::int64_t allocated_ = 21'474'836'480;
};

}  // namespace warpscope::tracegen
