#pragma once
// Second pass over a process's timelines: rewrites each event as Kineto would have written it, with an absolute time
// and the track, category and name of its phase, and passes it on. One translator per file.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/ingest/formats/pevents/timeline_survey.hpp"

namespace warpscope::ingest::pevents {

/// Numbers a process's tracks, ordered by phase kind.
class PhaseTracks {
 public:
  using Labels = std::map<std::pair<std::string, std::string>, std::string>;

  explicit PhaseTracks(std::string process) : process_(std::move(process)) {}
  [[nodiscard]] const std::string& process() const { return process_; }
  /// Returns the track number of a phase, as text. `part`: a thread, worker or process of the phase, or "".
  [[nodiscard]] const std::string& host(PhaseKind kind, std::string_view phase, std::string_view part);
  /// Returns the stream number for a phase with GPU activity.
  [[nodiscard]] const std::string& stream(std::string_view device, std::string_view phase);
  /// Returns the labels of all tracks so far, by process and thread.
  [[nodiscard]] const Labels& labels() const { return labels_; }

 private:
  std::string process_;
  std::map<std::string, std::string, std::less<>> numbers_;  // by label
  std::map<PhaseKind, int> used_;
  Labels labels_;
  std::string stream_ = "0";
  std::string label_;
};

class TimelineTranslator final : public EventSink {
 public:
  /// Translates the events of file number `file` in the survey. `kind`: kind of the file. Adds `text_begin` to event
  /// offsets. All references must outlive this object.
  TimelineTranslator(const TimelineSurvey& survey, std::size_t file, std::string_view kind, std::uint64_t text_begin,
                     PhaseTracks& tracks, EventSink& sink)
      : survey_(survey),
        kind_(kind),
        end_(survey.end_of_file(file)),
        text_begin_(text_begin),
        announced_(survey.base_of(kind), kind),
        tracks_(tracks),
        sink_(sink) {}
  void event(const RawEvent& event) override;
  void metadata(std::string_view key, std::string_view json) override { sink_.metadata(key, json); }

  struct Events {
    std::uint64_t count = 0;
    std::uint64_t offset = 0;  ///< of the first one
    std::string name;

    void add(const RawEvent& event) {
      if (count++ > 0) return;
      offset = event.offset;
      name = event.name.substr(0, 80);
    }
  };
  /// Overlong events, which were clamped to the end of the file.
  [[nodiscard]] const Events& clamped() const { return clamped_; }
  /// Slices without a name or process, which were skipped.
  [[nodiscard]] const Events& incomplete() const { return incomplete_; }

 private:
  void run(RawEvent& event, std::string_view phase, const PhaseArguments& arguments);
  void host(RawEvent& event, std::string_view phase, PhaseKind kind, const PhaseArguments& arguments);

  const TimelineSurvey& survey_;
  std::string kind_;
  Ns end_;
  std::uint64_t text_begin_;
  Announced announced_;
  PhaseTracks& tracks_;
  EventSink& sink_;
  Events clamped_;
  Events incomplete_;
  std::string name_, part_;  // text of the event passed on
};

}  // namespace warpscope::ingest::pevents
