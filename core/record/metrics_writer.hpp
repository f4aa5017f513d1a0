#pragma once
// Writes samples to files in the format of SageMaker Debugger's system metrics: one line of JSON per value, one file
// per minute,
//
//   FOLDER/incremental/YYYYMMDDHH/EPOCH.algo-N.json
//
// where EPOCH is the Unix time of the start of the minute, in seconds. All values of a sample are written at once, so
// every line in the file is complete even if the recorder is killed. Samples are lost while the disk is full.
#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "core/base/descriptor.hpp"
#include "core/base/result.hpp"
#include "core/base/time.hpp"
#include "core/record/folder_lock.hpp"
#include "core/record/sampler.hpp"

namespace warpscope::record {

inline constexpr Ns kSecond = 1'000'000'000;

class MetricsWriter {
 public:
  /// `node` as returned by node_name().
  MetricsWriter(std::string folder, std::string node, Say say);

  /// Creates the folder, locks it for this node, and removes the end marker of an earlier recording.
  [[nodiscard]] Failure prepare();
  /// Appends the values sampled at `time` (ns since the Unix epoch). Reports each problem only once.
  void write(Ns time, std::span<const Sample> samples);
  /// Marks the recording as ended, as SageMaker Debugger does.
  void finish();

  /// Number of write() calls that succeeded, and number whose values were lost because the call failed or the file was
  /// deleted before the next one.
  [[nodiscard]] std::uint64_t written() const { return written_; }
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  [[nodiscard]] Failure open_minute(Ns minute);
  /// Closes the file if it is no longer at its path; counts its samples as lost if it was deleted.
  void check_file();
  void lose(const std::string& why);
  void report(const std::string& path, const std::string& why);

  FolderLock lock_;
  std::string folder_;
  std::string node_;
  Say say_;
  Descriptor file_;
  std::string path_;
  Ns minute_ = -1;
  std::string text_;
  std::set<std::string> said_;
  std::uint64_t in_file_ = 0;  ///< number of write() calls that succeeded since the file was opened
  std::uint64_t written_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace warpscope::record
