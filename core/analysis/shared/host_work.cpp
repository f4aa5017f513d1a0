#include "core/analysis/shared/host_work.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "core/base/ascii.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::array<std::string_view, 15> kWaits{"cudaStreamSynchronize", "cudaDeviceSynchronize",
                                                  "cudaEventSynchronize",  "cuStreamSynchronize",
                                                  "cuCtxSynchronize",      "cuEventSynchronize",
                                                  "hipStreamSynchronize",  "hipDeviceSynchronize",
                                                  "hipEventSynchronize",   "cudaMemcpy",
                                                  "cudaMemcpy2D",          "cudaMemcpyToSymbol",
                                                  "cudaMemcpyFromSymbol",  "hipMemcpy",
                                                  "hipMemcpyWithStream"};
constexpr std::array<std::string_view, 13> kAllocations{
    "cudaMalloc", "cudaFree",     "cudaHostAlloc", "cudaMallocHost", "cudaFreeHost",  "cuMemCreate", "cuMemMap",
    "cuMemUnmap", "cuMemRelease", "hipMalloc",     "hipFree",        "hipHostMalloc", "hipHostFree"};
// Parts of names in lower case.
constexpr std::array<std::string_view, 6> kLoaders{"dataloader", "data_loader", "next_batch",
                                                   "get_batch",  "load_batch",  "fetch_batch"};
constexpr std::array<std::string_view, 4> kCompilations{"(dynamo_timed)", "backend_compile", "xlacompile", "::compile"};
constexpr std::array<std::string_view, 4> kCollections{"python gc", "gc.collect", "garbage collect", "garbage_collect"};
constexpr std::array<std::string_view, 5> kCheckpoints{"save_checkpoint", "checkpoint_save", "save checkpoint",
                                                       "torch.save", "torch/serialization.py"};

// Bits of by_name_: the kind for operators and annotations, for runtime calls, and for Python functions.
constexpr std::uint8_t kNone = 0;
constexpr std::uint8_t kLoader = 1;
constexpr std::uint8_t kPythonLoader = 2;
constexpr std::uint8_t kCompile = 3;
constexpr std::uint8_t kAllocate = 4;
constexpr std::uint8_t kCollect = 5;
constexpr std::uint8_t kSave = 6;
constexpr std::uint8_t kBlocks = 7;

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

bool has_part(std::string_view name, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

std::uint8_t named_kind(std::string_view name) {
  if (is_one_of(name, kAllocations)) return kAllocate;
  if (is_wait(name)) return kBlocks;
  const std::string text = lower(std::string(name));
  if (has_part(text, kCollections)) return kCollect;
  if (has_part(text, kCompilations)) return kCompile;
  if (has_part(text, kCheckpoints)) return kSave;
  // A Python function of a loop over batches may also have such a name, so only the one that fetches a batch counts.
  if (text.find("dataloader.py") != std::string::npos)
    return text.find("__next__") != std::string::npos ? kPythonLoader : kNone;
  return has_part(text, kLoaders) ? kLoader : kNone;
}

}  // namespace

bool is_wait(std::string_view name) { return is_one_of(name, kWaits); }

TimeLabel label_of(HostWork work, Ns length) {
  constexpr Ns kShort = 1'000'000;
  switch (work) {
    case HostWork::data_loader:
      return TimeLabel::data_loader;
    case HostWork::compilation:
      return TimeLabel::compilation;
    case HostWork::allocation:
      return TimeLabel::allocation;
    case HostWork::collection:
      return TimeLabel::collection;
    case HostWork::checkpoint:
      return TimeLabel::checkpoint;
    case HostWork::wait:
      return TimeLabel::sync;
    case HostWork::stall:
      return TimeLabel::stall;
    default:
      return length < kShort ? TimeLabel::launch : TimeLabel::host;
  }
}

HostWorkNames::HostWorkNames(const trace::Profile& profile) {
  const StringTable& names = profile.names();
  by_name_.resize(names.size());
  for (NameId id = 0; id < by_name_.size(); ++id) by_name_[id] = named_kind(names.view(id));
}

HostWork HostWorkNames::of(NameId name, trace::Role role) const {
  const std::uint8_t kind = by_name_[name];
  const bool runtime = role == trace::Role::launch;
  const bool python = role == trace::Role::python;
  switch (kind) {
    case kLoader:
      if (!runtime && !python) return HostWork::data_loader;
      break;
    case kPythonLoader:
      if (!runtime) return HostWork::data_loader;
      break;
    case kCompile:
      if (!python) return HostWork::compilation;
      break;
    case kAllocate:
      if (runtime) return HostWork::allocation;
      break;
    case kCollect:
      return HostWork::collection;
    case kSave:
      if (!runtime) return HostWork::checkpoint;
      break;
    case kBlocks:
      if (runtime) return HostWork::wait;
      break;
    default:
      break;
  }
  if (runtime) return HostWork::runtime;
  if (python) return HostWork::python;
  return role == trace::Role::op ? HostWork::framework : HostWork::annotation;
}

}  // namespace warpscope::analysis
