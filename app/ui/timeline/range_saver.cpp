#include "app/ui/timeline/range_saver.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <vector>

#include "app/ui/model/session.hpp"
#include "app/ui/widgets/messages.hpp"
#include "core/base/counted.hpp"
#include "core/ingest/write/rank_file.hpp"
#include "core/ingest/write/trace_writer.hpp"

namespace warpscope::ui {

namespace {

namespace fs = std::filesystem;

std::vector<std::uint32_t> ranks_of(const trace::Profile& profile, const SelectedRange& range) {
  std::vector<std::uint32_t> ranks;
  for (const LaneRef& lane : range.lanes)
    if (ranks.empty() || ranks.back() != lane.rank) ranks.push_back(lane.rank);
  if (range.all_lanes)
    for (std::uint32_t r = 0; r < profile.ranks.size(); ++r) ranks.push_back(r);
  return ranks;
}

struct Save {
  std::shared_ptr<const trace::Profile> profile;
  std::shared_ptr<const ingest::EventLookup> events;
  std::vector<std::uint32_t> ranks;
  Interval time;
  bool anonymize = false;
  fs::path out;
};

/// Returns the message about the result.
Result<std::string> write(const Save& save, const CancelToken& cancel) {
  const trace::Profile& profile = *save.profile;
  const bool one = save.ranks.size() == 1;
  std::error_code failed;
  if (!one) fs::create_directories(save.out, failed);
  if (failed) return Error{save.out.string(), "cannot be created: " + failed.message(), "choose another folder"};
  const std::vector<std::string> names = ingest::rank_file_names(profile, save.ranks, save.anonymize);
  ingest::Anonymizer anonymizer;
  std::uint64_t slices = 0;
  for (std::size_t i = 0; i < save.ranks.size(); ++i) {
    const ingest::TracePart part{save.ranks[i], save.time, save.anonymize ? &anonymizer : nullptr};
    const fs::path file = one ? save.out : save.out / (names[i] + ".json.gz");
    if (fs::exists(file, failed)) return Error{file.string(), "already exists", "choose another name"};
    const auto written =
        ingest::write_rank_file(profile, part.rank, file.string(), cancel, [&](ingest::TextWriter& writer) -> Failure {
          const auto count = ingest::write_trace(profile, part, *save.events, writer, cancel);
          if (!count) return count.error();
          slices += *count;
          return {};
        });
    if (!written) return written.error();
  }
  return fmt::format("Saved {} in {}", counted(slices, "slice", "slices"), save.out.string());
}

}  // namespace

void RangeSaver::ask(const PanelContext& context) {
  if (context.range == nullptr || writing()) return;
  const std::vector<std::uint32_t> ranks = ranks_of(*context.profile, *context.range);
  const bool one = ranks.size() == 1;
  const std::int64_t ms = (context.range->time.begin - context.profile->span.begin) / 1'000'000;
  const std::string name = fmt::format("part-at-{}ms{}", ms, one ? ".json.gz" : "");
  std::error_code failed;
  dialog_.ask(fs::current_path(failed),
              one ? std::string("Save the range as a trace")
                  : fmt::format("Save the range of {} ranks as traces in a folder", ranks.size()),
              "Save", name, {"Hide the names of files, hosts and users", &anonymize_});
}

void RangeSaver::draw(PanelContext& context) {
  if (const auto result = work_.take()) {
    if (*result)
      context.app.messages.info(**result, context.app.now);
    else
      context.app.messages.error(result->error());
  }
  const auto out = dialog_.draw(context.app);
  if (!out || context.range == nullptr) return;
  Save save{context.profile,
            context.app.session.events(),
            ranks_of(*context.profile, *context.range),
            context.range->time,
            anonymize_,
            *out};
  if (!save.events) save.events = std::make_shared<const ingest::EventLookup>();
  work_.start([save = std::move(save)](const CancelToken& cancel) { return write(save, cancel); }, context.app.wake);
}

void RangeSaver::stop() {
  dialog_.close();
  work_.stop();
}

}  // namespace warpscope::ui
