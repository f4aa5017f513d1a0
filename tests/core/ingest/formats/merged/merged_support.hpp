#pragma once
// A generated job as separate files, and merged the way tools merge them.
#include <string>
#include <vector>

#include "tests/small_job.hpp"
#include "tests/test_folder.hpp"
#include "tests/tracegen/merged_file.hpp"

namespace warpscope::tests {

class MergedJob {
 public:
  MergedJob(int gpus, int nodes);

  /// Contents of the separate files, by rank.
  [[nodiscard]] const std::vector<std::string>& texts() const { return texts_; }
  /// The folder with the separate files.
  [[nodiscard]] std::filesystem::path separate() const { return folder_.path(); }
  /// Writes the separate files of the ranks from `first` on.
  void write_separate(const TestFolder& folder, std::size_t first) const;
  /// Merges the first `ranks` ranks.
  [[nodiscard]] std::string merged(tracegen::Merge merge, std::size_t ranks = ~std::size_t{0}) const;

 private:
  tracegen::Options options_;
  std::vector<tracegen::Place> places_;
  std::vector<std::string> texts_;
  TestFolder folder_;
};

}  // namespace warpscope::tests
