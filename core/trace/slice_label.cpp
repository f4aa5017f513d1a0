#include "core/trace/slice_label.hpp"

#include "core/trace/kernel_label.hpp"

namespace warpscope::trace {

std::string slice_label(Role role, std::string_view name) {
  if (is_kernel(role)) return kernel_label(name);
  if (role != Role::python) return std::string(name);
  constexpr std::string_view kFunction = "): ";
  const std::size_t line = name.find(".py(");
  const std::size_t function = line == std::string_view::npos ? line : name.find(kFunction, line);
  if (function == std::string_view::npos || function + kFunction.size() == name.size()) return std::string(name);
  return std::string(name.substr(function + kFunction.size()));
}

std::string slice_label(const Profile& profile, SliceRef slice) {
  return slice_label(profile.role(slice), profile.name(slice));
}

}  // namespace warpscope::trace
