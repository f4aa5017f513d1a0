#pragma once
// Assembles the published profile. Stores data and notes by source, so a source that is reread or unloaded replaces its
// earlier entry. Callers only add items. A new profile is assembled at most a few times per second, and assembling
// takes at most a tenth of the time, because rebuilding the profile for each of thousands of ranks would be quadratic.
// Thread-safe.
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/diagnostics.hpp"
#include "core/base/threads/mutex.hpp"
#include "core/trace/profile.hpp"
#include "core/trace/source_data.hpp"

namespace warpscope::ingest {

class Publisher {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPause{150};
  /// Returns the minimum time between two profiles if the last one took `cost` to assemble.
  [[nodiscard]] static constexpr Clock::duration pause_after(Clock::duration cost) {
    return cost * 9 > kPause ? cost * 9 : kPause;
  }

  /// `published` is called after each new profile, on the thread that assembled it; may be empty.
  explicit Publisher(std::function<void()> published) : published_(std::move(published)) {}

  /// Returns the names and categories of all ranks added here.
  [[nodiscard]] const std::shared_ptr<trace::Dictionary>& dictionary() const { return dictionary_; }

  /// Sets the scan's root, diagnostics and job descriptions, replacing those of any earlier scan.
  void found(std::string root, Diagnostics diagnostics, trace::JobDocuments documents);
  /// Sets the machine that the data is on.
  void is_on(std::shared_ptr<trace::ProfileHost> host);
  /// Adds the data of `source`, replacing the previous data, and adds `notes` about it. Publishes if the last profile
  /// is old enough.
  void put(const std::string& source, trace::SourceData data, const Diagnostics& notes = {});
  /// Removes the data and notes of a file, and those of its ranks if it is a merged file.
  void take_out(const std::string& file);
  /// Removes the data of a file and of its ranks, except for those in `sources`.
  void keep_only(const std::string& file, const std::vector<std::string>& sources);
  /// Adds a diagnostic about a file, or about the whole path ("").
  void note(std::string_view code, Severity severity, const std::string& file, std::string_view example);
  /// Removes the notes about a file, or only those with `code`.
  void forget_notes(const std::string& file, std::string_view code = {});

  /// Publishes a profile of the current content if the content or `complete` changed since the last profile. Publishes
  /// nothing if there are no ranks or metrics, unless no more data will arrive, in which case other data or rule
  /// reports suffice.
  void publish(bool complete);
  /// Calls publish(false) if something changed and the last profile is old enough.
  void publish_if_due();

  /// Returns the latest profile; null until there is a rank.
  [[nodiscard]] std::shared_ptr<const trace::Profile> profile() const;
  /// Returns a file's ranks; merged files have several.
  [[nodiscard]] std::vector<std::shared_ptr<const trace::Rank>> ranks_of(const std::string& file) const;
  /// Returns the ranks ordered by source path.
  [[nodiscard]] std::vector<std::shared_ptr<const trace::Rank>> ranks() const;
  [[nodiscard]] std::vector<std::shared_ptr<const trace::NodeMetrics>> metrics() const;
  /// Returns the data of a source; empty if there is no such source.
  [[nodiscard]] trace::SourceData data(const std::string& source) const;
  /// Returns the scan's diagnostics and all notes, but not the ranks' diagnostics.
  [[nodiscard]] Diagnostics diagnostics() const;

 private:
  /// Returns `part` of each source's data, where present.
  template <class Part>
  [[nodiscard]] std::vector<Part> each_of(Part trace::SourceData::*part) const REQUIRES(mutex_) {
    std::vector<Part> found;
    for (const auto& [source, data] : data_)
      if (data.*part) found.push_back(data.*part);
    return found;
  }
  [[nodiscard]] Diagnostics all_diagnostics() const REQUIRES(mutex_);
  /// True if there is anything to show. `complete`: no more data will arrive.
  [[nodiscard]] bool anything(bool complete) const REQUIRES(mutex_);

  std::function<void()> published_;
  std::shared_ptr<trace::Dictionary> dictionary_ = std::make_shared<trace::Dictionary>();

  mutable Mutex mutex_;
  std::string root_ GUARDED_BY(mutex_);
  Diagnostics found_ GUARDED_BY(mutex_);
  std::map<std::string, trace::SourceData> data_ GUARDED_BY(mutex_);  // by source
  std::map<std::string, Diagnostics> notes_ GUARDED_BY(mutex_);
  std::shared_ptr<const trace::JobDocuments> job_ GUARDED_BY(mutex_);
  std::shared_ptr<trace::ProfileHost> host_ GUARDED_BY(mutex_);
  std::uint64_t version_ GUARDED_BY(mutex_) = 0;  // of the content above
  std::uint64_t published_version_ GUARDED_BY(mutex_) = 0;
  bool published_complete_ GUARDED_BY(mutex_) = false;
  Clock::time_point last_publish_ GUARDED_BY(mutex_){};
  Clock::duration pause_ GUARDED_BY(mutex_) = kPause;
  std::shared_ptr<const trace::Profile> profile_ GUARDED_BY(mutex_);
};

}  // namespace warpscope::ingest
