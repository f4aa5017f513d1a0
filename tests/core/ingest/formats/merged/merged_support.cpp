#include "tests/core/ingest/formats/merged/merged_support.hpp"

#include <algorithm>

namespace warpscope::tests {

MergedJob::MergedJob(int gpus, int nodes) : options_(small_job(gpus, nodes)), places_(tracegen::places(options_)) {
  const tracegen::MemorySet set = tracegen::generate_in_memory(options_);
  for (const tracegen::Place& place : places_)
    for (const auto& file : set.files)
      if (file.path == place.file) texts_.push_back(file.bytes);
  write_separate(folder_, 0);
}

void MergedJob::write_separate(const TestFolder& folder, std::size_t first) const {
  for (std::size_t i = first; i < texts_.size(); ++i) folder.write(places_[i].file, texts_[i]);
}

std::string MergedJob::merged(tracegen::Merge merge, std::size_t ranks) const {
  tracegen::Options options = options_;
  options.merge = merge;
  std::vector<std::string> texts = texts_;
  texts.resize(std::min(ranks, texts.size()));
  return tracegen::merged_file(options, places_, texts);
}

}  // namespace warpscope::tests
