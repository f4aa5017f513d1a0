#include "core/ingest/formats/pevents/timeline_name.hpp"

#include <algorithm>
#include <array>

#include "core/base/ascii.hpp"
#include "core/base/file_group.hpp"
#include "core/base/json_writer.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::ingest::pevents {

namespace {

constexpr std::array<std::string_view, 4> kTimelineKinds = {"pythontimeline", "model_timeline", "horovod_timeline",
                                                            "smdataparallel_timeline"};
constexpr std::string_view kTimelineEnding = "timeline.json";  // of all kinds
constexpr std::size_t kMicrosecondDigits = 16;

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

std::string folder_of_job(std::string_view path) {
  constexpr std::string_view kFolder = "/pevents/";
  const std::size_t pevents = path.rfind(kFolder);
  if (pevents != std::string_view::npos) return std::string(path.substr(0, pevents));
  const std::size_t slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? "." : path.substr(0, slash));
}

}  // namespace

std::optional<TimelineName> timeline_name(std::string_view path) {
  constexpr std::string_view kJson = ".json";
  std::string_view name = last_part(path);
  if (is_open_file(name)) name.remove_suffix(name.size() - name.rfind('.'));
  if (!name.ends_with(kJson)) return std::nullopt;
  name.remove_suffix(kJson.size());
  const auto kind = std::ranges::find_if(kTimelineKinds, [&](std::string_view one) {
    return name.size() > one.size() && name.ends_with(one) && name[name.size() - one.size() - 1] == '_';
  });
  if (kind == kTimelineKinds.end()) return std::nullopt;
  name.remove_suffix(kind->size() + 1);
  const std::size_t digits = digits_at(name, 0);
  if (digits >= kMicrosecondDigits && digits < name.size() && name[digits] == '_') name.remove_prefix(digits + 1);
  name = name.substr(0, name.find('_'));
  if (name.empty()) return std::nullopt;
  return TimelineName{folder_of_job(path), std::string(name), std::string(*kind)};
}

std::string group_of_writer(const TimelineName& name) { return group_path(name.folder, name.writer, kTimelineEnding); }

bool is_timeline_group(std::string_view path) { return is_group(path) && path.ends_with(kTimelineEnding); }

Writer writer_of(std::string_view writer) {
  Writer result;
  result.label = writer;
  const std::size_t digits = digits_at(writer, 0);
  const bool whole = digits == writer.size();
  if (whole || writer[digits] == '-') result.number = parse_number<std::int64_t>(writer.substr(0, digits));
  if (!result.number) {
    result.host = writer;
    return result;
  }
  if (whole) return result;
  result.host = writer.substr(digits + 1);
  if (result.host.starts_with("algo")) result.label = result.host + "-" + std::string(writer.substr(0, digits));
  return result;
}

void describe_writer(PendingRank& pending, const Writer& writer) {
  const auto put = [&](const char* key, std::string_view value) {
    if (!value.empty()) append_json_string(pending.metadata[key] = {}, value);
  };
  put("process name", writer.label);
  put("hostname", writer.host);
}

Writer writer_in_path(std::string_view path) {
  if (!is_group(path)) {
    const auto name = timeline_name(path);
    return name ? writer_of(name->writer) : Writer();
  }
  std::string_view name = last_part(path);  // "*_905-algo-1_*timeline.json"
  name.remove_prefix(std::min<std::size_t>(2, name.size()));
  return writer_of(name.substr(0, name.rfind("_*")));
}

}  // namespace warpscope::ingest::pevents
