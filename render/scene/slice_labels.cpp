#include "render/scene/slice_labels.hpp"

#include "core/trace/slice_label.hpp"

namespace warpscope::scene {

void SliceLabels::use(const trace::Profile& profile) {
  if (names_ == &profile.names() && categories_ == &profile.categories()) return;
  forget();
  names_ = &profile.names();
  categories_ = &profile.categories();
}

void SliceLabels::forget() { *this = {}; }

std::string_view SliceLabels::of(trace::CategoryId category, NameId name) {
  const std::string_view whole = names_->view(name);
  const trace::Role role = categories_->role(category);
  if (!trace::is_kernel(role) && role != trace::Role::python) return whole;
  const auto [label, fresh] = (trace::is_kernel(role) ? kernels_ : frames_).try_emplace(name);
  if (fresh) label->second = trace::slice_label(role, whole);
  return label->second;
}

}  // namespace warpscope::scene
