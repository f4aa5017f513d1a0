#include "core/trace/category.hpp"

#include <array>
#include <utility>

#include "core/base/word_at.hpp"

namespace warpscope::trace {

namespace {

struct KnownCategory {
  std::string_view name;
  Role role;
};

// Categories written by Kineto since torch 1.8, then shorter names from earlier exporters.
constexpr std::array kKnownCategories = {
    KnownCategory{"kernel", Role::kernel},
    KnownCategory{"Kernel", Role::kernel},
    KnownCategory{"gpu_memcpy", Role::memory_copy},
    KnownCategory{"Memcpy", Role::memory_copy},
    KnownCategory{"gpu_memset", Role::memory_set},
    KnownCategory{"Memset", Role::memory_set},
    KnownCategory{"mtia_ccp_events", Role::job},
    KnownCategory{"cuda_runtime", Role::launch},
    KnownCategory{"cuda_driver", Role::launch},
    KnownCategory{"Runtime", Role::launch},
    KnownCategory{"cpu_op", Role::op},
    KnownCategory{"Operator", Role::op},
    KnownCategory{"hpu_op", Role::op},
    KnownCategory{"user_annotation", Role::annotation},
    KnownCategory{"gpu_user_annotation", Role::gpu_annotation},
    KnownCategory{"cuda_sync", Role::sync},
    KnownCategory{"xpu_sync", Role::sync},
    KnownCategory{"graph_host_node", Role::host_node},
    KnownCategory{"graph_event_node", Role::event_node},
    KnownCategory{"python_function", Role::python},
    KnownCategory{"overhead", Role::overhead},
    KnownCategory{"Trace", Role::span},
    KnownCategory{"cpu_instant_event", Role::instant},
};

}  // namespace

std::string_view to_string(Family family) {
  static constexpr std::array<std::string_view, 8> kWords{"computation", "communication", "memory", "synchronization",
                                                          "runtime",     "operator",      "python", "annotation"};
  return word_at(kWords, family);
}

Role role_of_category(std::string_view category) {
  for (const KnownCategory& known : kKnownCategories)
    if (known.name == category) return known.role;
  // Runtimes of other vendors follow this pattern: xpu_runtime, mtia_runtime, privateuse1_driver …
  if (category.ends_with("_runtime") || category.ends_with("_driver")) return Role::launch;
  return Role::other;
}

bool is_transfer_name(std::string_view name) { return name.starts_with("dma"); }

Family family_of(Role role, bool communication) {
  switch (role) {
    case Role::kernel:
    case Role::job:
      return communication ? Family::communication : Family::computation;
    case Role::memory_copy:
    case Role::memory_set:
      return Family::memory;
    case Role::launch:
    case Role::overhead:
    case Role::host_node:
      return Family::runtime;
    case Role::op:
      return Family::op;
    case Role::annotation:
    case Role::gpu_annotation:
    case Role::span:
      return Family::annotation;
    case Role::sync:
    case Role::event_node:
      return Family::sync;
    case Role::python:
      return Family::python;
    case Role::instant:
      return Family::memory;
    case Role::other:
      return Family::op;
  }
  return Family::op;
}

Categories::Categories() {
  names_[kOverflow] = "(other categories)";
  roles_[kOverflow] = Role::other;
  intern("");
}

CategoryId Categories::intern(std::string_view name) {
  const MutexLock lock(mutex_);
  for (std::size_t id = 0; id < size_; ++id)
    if (names_[id] == name) return static_cast<CategoryId>(id);
  if (size_ == kOverflow) return kOverflow;
  names_[size_] = name;
  roles_[size_] = role_of_category(name);
  return static_cast<CategoryId>(size_++);
}

std::size_t Categories::size() const {
  const MutexLock lock(mutex_);
  return size_;
}

}  // namespace warpscope::trace
