#include <array>

#include "core/base/word_at.hpp"
#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ingest {

std::string_view to_string(ListedKind kind) {
  static constexpr std::array<std::string_view, kListedKinds> kWords{"converted", "ProfilerReport",
                                                                     "SageMaker Profiler (unsupported)"};
  return word_at(kWords, kind);
}

std::string_view to_string(ProfileStatus status) {
  static constexpr std::array<std::string_view, 7> kWords{"In progress", "Completed",  "Failed", "Stopped",
                                                          "Stopping",    "Incomplete", "Partial"};
  return word_at(kWords, status);
}

std::string_view to_string(TimeOrigin origin) {
  static constexpr std::array<std::string_view, 5> kWords{"unknown", "the first timestamp in the traces",
                                                          "a time in the file names", "the training job description",
                                                          "the modification time of the oldest file"};
  return word_at(kWords, origin);
}

std::string sources_text(const FoundProfile& profile) {
  std::string text;
  for (const std::string_view format : profile.formats) text.append(text.empty() ? "" : ", ").append(format);
  for (std::size_t i = 0; i < kListedKinds; ++i) {
    const auto kind = static_cast<ListedKind>(i);
    if (profile.has(kind)) text += (text.empty() ? "" : ", ") + std::string(to_string(kind));
  }
  return text;
}

}  // namespace warpscope::ingest
