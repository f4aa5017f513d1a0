#pragma once
// Connects the machine to the file of one rank. Converts times to the file's resolution and clock, applies defects of
// single events, counts the events, and passes them to the writer. Since a file has all host events of a step before
// any device event, the job runs twice and each run writes one of these sections.
#include <array>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "tests/tracegen/event.hpp"
#include "tests/tracegen/kineto_writer.hpp"
#include "tests/tracegen/place.hpp"
#include "tests/tracegen/random.hpp"
#include "tests/tracegen/truth.hpp"

namespace warpscope::tracegen {

enum class Section : std::uint8_t { host, device };

class Recorder {
 public:
  /// Without a sink it only counts. All arguments passed by reference must outlive the recorder.
  Recorder(const Options& options, const Program& program, const Place& place, std::unique_ptr<ByteSink> sink);

  void begin_section(Section section) { section_ = section; }
  void begin_step(int step);

  /// Events of one thread in one step, sorted by begin.
  void host_events(std::span<const HostEvent> events);
  /// A call and the GPU activities it launched.
  void group(const Call& call, std::span<const Run> all);
  void shadow(Shadow shadow);
  void sample(Sample sample);

  /// Ends the file. `begin` and `end` are the recorded range.
  void finish(std::int64_t begin, std::int64_t end);
  [[nodiscard]] const RankTruth& truth() const { return truth_; }

 private:
  [[nodiscard]] bool writing(Section section) const { return section_ == section && !cut_off_; }
  [[nodiscard]] std::int64_t settle(std::int64_t ns) const;
  void count_slice(std::int64_t& counter, std::int64_t begin, std::int64_t end);
  void host_event(const HostEvent& event, std::vector<HostEvent>& open);
  void close_edges(std::vector<HostEvent>& open, std::int64_t until);
  void write_run(const Call& call, const Run& original, bool launched);
  [[nodiscard]] std::int64_t& category(std::string_view current, std::string_view old);

  const Options& options_;
  const Place& place_;
  std::unique_ptr<KinetoWriter> writer_;
  RankTruth truth_;
  Section section_ = Section::host;
  std::string_view odd_op_;
  std::string odd_name_;
  std::int64_t clock_ns_ = 0;
  std::int64_t clock_gains_ppb_ = 0;
  std::int64_t records_from_ = 0;  // start of the recording; earlier events are not in the file
  std::int64_t missing_percent_ = 0;
  Random missing_;
  bool pairs_ = false;
  bool cut_off_ = false;
  int step_ = 0;
  int kernel_in_step_ = 0;
  std::int64_t launches_ = 0;
  std::set<int> streams_;
  std::array<std::int64_t, 32> stream_end_{};
  BusyUnion busy_;
};

}  // namespace warpscope::tracegen
