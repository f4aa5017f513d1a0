#pragma once
// Prints events as Kineto and PyTorch do, in the requested dialect and layout. Call order: header, host events, device
// events, trailer. The writer neither counts nor damages events.
#include <cstdint>
#include <memory>
#include <string_view>

#include "tests/tracegen/event.hpp"
#include "tests/tracegen/json_writer.hpp"
#include "tests/tracegen/place.hpp"

namespace warpscope::tracegen {

class KinetoWriter {
 public:
  /// All arguments passed by reference must outlive the writer.
  KinetoWriter(const Options& options, const Program& program, const Place& place, std::unique_ptr<ByteSink> sink);

  void header();
  void host_event(const HostEvent& event);
  /// Writes the B or E event of an annotation.
  void edge(const HostEvent& event, bool begin);
  void flow_of(const HostEvent& event);
  void call(const Call& call);
  void run(const Run& run, std::int64_t duration);
  /// Writes the b, n and e events of a collective.
  void async_events(const Call& call, const Run& run);
  void shadow(const Shadow& shadow);
  void sample(const Sample& sample);
  /// Writes metadata events, the profiler's own spans and the end of the file. `begin` and `end` are the recorded
  /// range.
  void trailer(std::int64_t begin, std::int64_t end);
  /// Truncates the file in the middle of `run`.
  void cut_off_in(const Run& run);

  /// Number of entries in traceEvents so far.
  [[nodiscard]] std::int64_t events() const { return events_; }
  /// The time that is written as 0.
  [[nodiscard]] std::int64_t origin() const { return origin_; }

 private:
  void top_fields();
  void device_properties();
  void distributed_info();

  void open_event(std::string_view phase, std::string_view category, std::string_view name, std::int64_t number = -1);
  void close_event();
  void host_track(Thread thread);
  void stream_track(int stream);
  void id_field(std::string_view name, std::int64_t value);
  void time(std::string_view name, std::int64_t ns);
  void times(std::int64_t begin, std::int64_t duration);
  void open_args();
  void close_args();
  void external_id(std::int64_t id);
  void op_args(const HostEvent& event);
  void shape_args(const ArgumentShapes& shapes);
  void kernel_args(const Run& run);
  void collective_args(const Collective& collective, std::int64_t sequence);
  void copy_args(const Run& run, std::int64_t duration);
  void flow(std::string_view phase, std::int64_t id, std::int64_t ts, std::string_view category, std::string_view name);
  void flow_to_device(const Run& run);
  void metadata(std::string_view name, std::int64_t pid, std::int64_t tid, std::string_view text);
  void metadata(std::string_view name, std::int64_t pid, std::int64_t tid, std::int64_t sort_index);
  void threads_metadata();

  const Options& options_;
  const Program& program_;
  const Place& place_;
  JsonWriter json_;
  Generation generation_;
  bool strings_;
  bool bare_array_;
  std::int64_t origin_;
  std::int64_t events_ = 0;
  std::int64_t event_index_ = 0;
  std::int64_t metadata_time_ = 0;
};

}  // namespace warpscope::tracegen
