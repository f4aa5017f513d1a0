#include "core/ingest/listing/profile_listing_facts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "core/base/counted.hpp"
#include "core/base/format.hpp"
#include "core/base/word_at.hpp"
#include "core/ingest/formats/format_list.hpp"
#include "core/ingest/listing/job_documents.hpp"
#include "core/store/reader.hpp"
#include "core/trace/missing_ranks.hpp"
#include "core/trace/partial_ranks.hpp"
#include "core/trace/profile.hpp"

namespace warpscope::ingest {

namespace {

constexpr Ns kSecond = 1'000'000'000;

std::optional<ListedKind> kind_of(ListedRole role) {
  if (role == ListedRole::converted) return ListedKind::converted;
  if (role == ListedRole::report) return ListedKind::profiler_report;
  if (role == ListedRole::sealed) return ListedKind::sealed;
  return std::nullopt;
}

/// Returns the folder name such as "algo-2" in the file's path; "" if there is none.
std::string sagemaker_folder(const std::string& path, const std::string& root) {
  for (const auto& part : std::filesystem::path(path).parent_path().lexically_relative(root)) {
    const std::string folder = part.string();
    if (folder.starts_with("algo-") && names_a_part(folder)) return folder;
  }
  return {};
}

struct TraceFacts {
  std::set<std::int64_t> ranks;
  std::size_t unnumbered = 0;  // files with unknown rank
  std::int64_t world = 0;
  std::set<std::string> hosts;
  std::size_t without_host = 0;
  std::set<std::int64_t> quotients;  // rank / devices: machines, if each process sees all devices of a machine
  bool devices_told = true;
  std::size_t gpus = 0;
  std::size_t truncated = 0;
  bool merged = false;  // a file has several ranks

  [[nodiscard]] std::size_t count() const { return ranks.size() + unnumbered; }
};

TraceFacts facts_of_traces(const std::string& root, std::span<const ListedFile> files) {
  TraceFacts facts;
  for (const ListedFile& file : files) {
    if (file.role != ListedRole::trace) continue;
    facts.truncated += file.truncated ? 1 : 0;
    facts.merged |= file.merged;
    facts.world = std::max(facts.world, file.world_size);
    const std::string folder = sagemaker_folder(file.path, root);
    const std::string& host = folder.empty() ? file.node : folder;
    if (host.empty())
      ++facts.without_host;
    else
      facts.hosts.insert(host);
    const bool fresh = file.rank ? facts.ranks.insert(*file.rank).second : true;
    facts.unnumbered += file.rank ? 0 : 1;
    if (!fresh) continue;
    // Each process of a distributed job drives one of the devices visible to it.
    const std::size_t devices = file.devices.value_or(file.device_backend ? 1 : 0);
    if (devices > 1 && !file.distributed)
      facts.devices_told = false;
    else if (devices > 0)
      ++facts.gpus;
    else if (!file.devices)
      facts.devices_told = false;
    if (file.rank && devices > 1) facts.quotients.insert(*file.rank / static_cast<std::int64_t>(devices));
  }
  return facts;
}

/// Returns, for each node and format, the earliest file recognized by its name, with facts from its start. Files are
/// ordered by the time in their name or, without one, by modification time.
std::vector<ListedFile> firsts_of_nodes(std::span<const ListedFile> files) {
  std::map<std::pair<const TraceFormat*, std::string>, const ListedFile*> first;
  for (const ListedFile& file : files) {
    if (file.role != ListedRole::named || file.begin) continue;
    const ListedFile*& one = first[{file.format, file.node}];
    if (one == nullptr || file.in_name.value_or(file.modified) < one->in_name.value_or(one->modified)) one = &file;
  }
  std::vector<ListedFile> chosen;
  for (const auto& [node, file] : first) chosen.push_back(*file);
  for (ListedFile& file : chosen) look_at_begin(file);
  return chosen;
}

void take_earlier(std::optional<Ns>& earliest, const std::optional<Ns>& time) {
  if (time && (!earliest || *time < *earliest)) earliest = time;
}

/// Returns the first time in traces with times relative to a base at the end of the file; reads only the trace that
/// starts first. `named`: a file name also contains a time, so only the cheap check is worthwhile.
std::optional<Ns> begin_by_base(std::span<const ListedFile> files, bool named, UnpackBudget& budget) {
  const ListedFile* first = nullptr;
  for (const ListedFile& file : files)
    if (file.role == ListedRole::trace && file.offset && (first == nullptr || *file.offset < *first->offset))
      first = &file;
  if (first == nullptr) return std::nullopt;
  const std::uint64_t most = named ? 0 : std::min(budget.file, budget.all);
  const auto begin = begin_by_tail(*first, most, budget.cancel);
  if (first->bytes <= most) budget.all -= first->bytes;
  return begin;
}

/// Returns the describe-training-job response saved in `file`, if any.
std::optional<trace::JobDocument> training_job_in(const ListedFile& file) {
  auto document = read_job_document({file.path, file.bytes, file.modified, 0, 0});
  if (!document || document->kind != trace::JobDocumentKind::training_job || document->job_name.empty())
    return std::nullopt;
  return std::move(*document);
}

std::optional<Ns> began(const trace::JobDocument& job) {
  for (const std::optional<std::int64_t>& time : {job.started_ns, job.created_ns})
    if (time && plausible_time(*time)) return time;
  return std::nullopt;
}

std::optional<ProfileStatus> status_of_service(std::string_view word) {
  static constexpr std::array<std::string_view, 5> kWords{"InProgress", "Completed", "Failed", "Stopped", "Stopping"};
  return value_of<ProfileStatus>(kWords, word);
}

void find_status(FoundProfile& profile, std::span<const ListedFile> files, const TraceFacts& traces,
                 const std::optional<trace::JobDocument>& job, Ns now, const ListingLimits& limits) {
  const auto any = [&](ListedRole role) { return std::ranges::find(files, role, &ListedFile::role) != files.end(); };
  Ns newest = 0;
  for (const ListedFile& file : files) newest = std::max(newest, file.modified);
  const bool written = newest > now - static_cast<Ns>(limits.longest_wait_s) * kSecond;

  std::string faults;
  const auto fault = [&faults](const std::string& words) { faults += (faults.empty() ? "" : "; ") + words; };
  if (traces.unnumbered == 0 && !traces.merged)
    if (const std::string missing = missing_text(traces.ranks, traces.world); !missing.empty()) fault(missing);
  if (traces.truncated > 0)
    fault(counted(traces.truncated, "file is", "files are") + " truncated" +
          (written ? " or still being written" : ""));

  if (job) {
    if (const auto known = status_of_service(job->status)) {
      profile.status = *known;
      const std::string_view reason = job->value("FailureReason");
      profile.reason = reason.empty() ? faults : std::string(reason);
      return;
    }
  }
  const ProfileStatus short_of = traces.truncated > 0 ? ProfileStatus::partial : ProfileStatus::incomplete;
  if (any(ListedRole::end_marker)) {
    profile.status = faults.empty() ? ProfileStatus::completed : short_of;
  } else if (profile.marks_end && written) {
    profile.status = ProfileStatus::in_progress;
    if (faults.empty()) faults = "no end marker yet";
  } else if (profile.marks_end) {
    profile.status = ProfileStatus::incomplete;
    fault("no end marker: the job was killed, or its files were copied while it ran");
  } else if (traces.truncated > 0 && written) {
    profile.status = ProfileStatus::in_progress;
  } else if (!faults.empty()) {
    profile.status = short_of;
  }
  profile.reason = faults;
}

std::string name_of_folder(const std::string& path) {
  std::filesystem::path folder(path);
  for (const std::string_view inner : {"incremental", "system", "framework", "profiler-output", "rule-output"})
    if (folder.filename() == inner && folder.parent_path().has_filename()) folder = folder.parent_path();
  return folder.has_filename() ? folder.filename().string() : folder.string();
}

/// Host names and SageMaker's node names may refer to the same machines (ip-10-0-16-11 is algo-1), but no file maps one
/// to the other.
std::size_t count_nodes(std::set<std::string> named, const std::set<std::string>& hosts) {
  const bool apart = std::ranges::none_of(hosts, [&](const std::string& host) { return named.contains(host); });
  if (apart) return std::max(named.size(), hosts.size());
  named.insert(hosts.begin(), hosts.end());
  return named.size();
}

}  // namespace

std::string missing_text(const std::set<std::int64_t>& present, std::int64_t world) {
  const trace::MissingRanks missing = trace::missing_ranks(present, world);
  if (missing.count == 0) return {};
  return (missing.count == 1 ? "rank " : "ranks ") + missing.text +
         (missing.count == 1 ? " is missing" : " are missing");
}

FoundProfile sum_up(const std::string& path, std::span<const ListedFile> files, Ns now, const ListingLimits& limits,
                    UnpackBudget& budget) {
  FoundProfile profile;
  profile.path = path;
  std::optional<trace::JobDocument> job;
  std::optional<Ns> in_name;
  std::optional<Ns> modified;
  std::set<const TraceFormat*> formats;
  std::set<std::string> nodes;  // of all files except traces
  for (const ListedFile& file : files) {
    if (file.role == ListedRole::description && !job) job = training_job_in(file);
    const auto kind = kind_of(file.role);
    if (!kind && file.role != ListedRole::trace && file.role != ListedRole::named) continue;
    if (kind) profile.kinds |= 1u << static_cast<unsigned>(*kind);
    if (file.format != nullptr) formats.insert(file.format);
    profile.marks_end |= file.marks_end;
    ++profile.files;
    profile.bytes += file.bytes;
    take_earlier(modified, file.modified);
    if (kind == ListedKind::profiler_report || kind == ListedKind::sealed) continue;
    take_earlier(in_name, file.in_name);
    take_earlier(profile.created, file.begin);
    if (file.role != ListedRole::trace && !file.node.empty()) nodes.insert(file.node);
  }
  profile.name = job ? job->job_name : name_of_folder(path);

  for (const TraceFormat* format : trace_formats())
    if (formats.contains(format)) profile.formats.push_back(format->name());

  std::size_t sampled = 0;  // GPUs
  for (const ListedFile& file : firsts_of_nodes(files)) {
    take_earlier(profile.created, file.begin);
    sampled += file.devices.value_or(0);
  }
  if (!profile.created) profile.created = begin_by_base(files, in_name.has_value(), budget);
  const auto take_time = [&profile](const std::optional<Ns>& time, TimeOrigin origin) {
    if (profile.created_from != TimeOrigin::unknown || !time) return;
    profile.created = time;
    profile.created_from = origin;
  };
  take_time(profile.created, TimeOrigin::content);
  take_time(in_name, TimeOrigin::name);
  if (job) take_time(began(*job), TimeOrigin::description);
  take_time(modified, TimeOrigin::modified);

  const TraceFacts traces = facts_of_traces(path, files);
  // A merged file's rank count is only known after loading.
  if (traces.count() > 0 && !traces.merged) profile.ranks = traces.count();
  if (traces.count() > 0 && traces.devices_told && !traces.merged)
    profile.gpus = traces.gpus;
  else if (sampled > 0)
    profile.gpus = sampled;
  std::set<std::string> hosts;
  if (!traces.hosts.empty() && traces.without_host == 0)
    hosts.insert(traces.hosts.begin(), traces.hosts.end());
  else if (traces.count() > 0 && nodes.empty() && traces.without_host > 0)
    for (const std::int64_t quotient : traces.quotients) hosts.insert("node " + std::to_string(quotient));
  if (traces.count() == 1 && nodes.empty() && hosts.empty() && !traces.merged) hosts.insert("the one");
  if (const std::size_t count = count_nodes(std::move(nodes), hosts); count > 0)
    profile.nodes = count;
  else if (job && job->instance_count > 0)
    profile.nodes = static_cast<std::size_t>(job->instance_count);
  find_status(profile, files, traces, job, now, limits);
  return profile;
}

FoundProfile sum_up_converted(const ListedFile& file) {
  FoundProfile profile;
  profile.path = file.path;
  profile.name = std::filesystem::path(file.path).stem().string();
  profile.kinds = 1u << static_cast<unsigned>(ListedKind::converted);
  profile.files = 1;
  profile.bytes = file.bytes;
  profile.created = file.modified;
  profile.created_from = TimeOrigin::modified;
  const auto opened = store::open_store(file.path);
  const auto dictionary = std::make_shared<trace::Dictionary>();
  std::vector<std::shared_ptr<const trace::Rank>> ranks;
  Failure wrong = opened ? Failure() : opened.error();
  for (auto& each : opened ? opened->each_rank(dictionary, 1) : std::vector<store::StoreFile::OpenedRank>())
    if (each.rank)
      ranks.push_back(std::move(*each.rank));
    else if (!wrong)
      wrong = each.rank.error();
  if (wrong) {
    profile.status = ProfileStatus::incomplete;
    profile.reason = wrong->what;
    return profile;
  }
  std::optional<Ns> begin;
  std::set<std::int64_t> numbers;
  std::int64_t world = 0;
  for (const auto& rank : ranks) {
    if (plausible_time(rank->span.begin)) take_earlier(begin, rank->span.begin);
    numbers.insert(rank->number);
    world = std::max(world, rank->world_size);
  }
  if (begin) {
    profile.created = begin;
    profile.created_from = TimeOrigin::content;
  }
  const auto whole = trace::assemble_profile(file.path, dictionary, ranks, Diagnostics(), true);
  profile.ranks = ranks.size();
  if (!whole->nodes.empty()) profile.nodes = whole->nodes.size();
  profile.gpus = whole->gpus;
  if (const std::string missing = missing_text(numbers, world); !missing.empty()) {
    profile.status = ProfileStatus::incomplete;
    profile.reason = missing;
  }
  if (const std::size_t partial = trace::CoveredTime(*whole).partial().size(); partial > 0) {
    profile.status = ProfileStatus::partial;
    profile.reason += (profile.reason.empty() ? "" : "; ") + counted(partial, "trace is", "traces are") + " truncated";
  }
  return profile;
}

}  // namespace warpscope::ingest
