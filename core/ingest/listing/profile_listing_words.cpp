#include "core/ingest/listing/profile_listing.hpp"

namespace warpscope::ingest {

std::string_view to_string(ListedKind kind) {
  switch (kind) {
    case ListedKind::system_metrics:
      return "system metrics";
    case ListedKind::framework_timelines:
      return "framework timelines";
    case ListedKind::converted:
      return "converted";
    case ListedKind::profiler_report:
      return "ProfilerReport";
    case ListedKind::sealed:
      return "SageMaker Profiler (unsupported)";
  }
  return "";
}

std::string_view to_string(ProfileStatus status) {
  switch (status) {
    case ProfileStatus::in_progress:
      return "In progress";
    case ProfileStatus::completed:
      return "Completed";
    case ProfileStatus::failed:
      return "Failed";
    case ProfileStatus::stopped:
      return "Stopped";
    case ProfileStatus::stopping:
      return "Stopping";
    case ProfileStatus::incomplete:
      return "Incomplete";
    case ProfileStatus::partial:
      return "Partial";
  }
  return "";
}

std::string_view to_string(TimeOrigin origin) {
  switch (origin) {
    case TimeOrigin::unknown:
      return "unknown";
    case TimeOrigin::content:
      return "the first timestamp in the traces";
    case TimeOrigin::name:
      return "a time in the file names";
    case TimeOrigin::description:
      return "the training job description";
    case TimeOrigin::modified:
      return "the modification time of the oldest file";
  }
  return "";
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
