#include "core/analysis/diff/differing_setup.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "core/analysis/information/information.hpp"
#include "core/analysis/shared/kernel_totals.hpp"
#include "core/analysis/shared/precision.hpp"

namespace warpscope::analysis {

namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;  // name → value; "": a device

std::string joined(const std::set<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : "/") + value;
  return text;
}

std::string models_of(const trace::Profile& profile) {
  std::set<std::string> models;
  for (const auto& rank : profile.ranks)
    for (const trace::Device& device : rank->devices)
      if (!device.model.empty()) models.insert(device.model);
  return joined(models);
}

std::string world_size_of(const trace::Profile& profile) {
  std::int64_t size = 0;
  for (const auto& rank : profile.ranks) size = std::max(size, rank->world_size);
  return size > 0 ? std::to_string(size) : "";
}

/// Returns the precision with the most kernel time, inferred from kernel names.
std::string main_precision(const trace::Profile& profile) {
  std::array<Ns, kPrecisions> times{};
  for (const KernelTotal& kernel : kernel_totals(profile, {}).kernels) {
    Ns& time = times[static_cast<std::size_t>(kernel_precision(profile.names().view(kernel.name)))];
    time = saturating_add(time, kernel.total);
  }
  times[static_cast<std::size_t>(Precision::unknown)] = 0;
  const auto most = std::ranges::max_element(times);
  return *most > 0 ? std::string(to_string(static_cast<Precision>(most - times.begin()))) : "";
}

Facts setup_of(const trace::Profile& profile) {
  Facts facts{{"", models_of(profile)}, {"world size ", world_size_of(profile)}, {"mostly ", main_precision(profile)}};
  const Table software = software_table(profile);
  std::map<std::string, std::set<std::string>> versions;
  for (std::size_t row = 0; row < software.rows(); ++row)
    versions[std::string(software.at(row, 0).text())].insert(std::string(software.at(row, 1).text()));
  for (const auto& [what, values] : versions) facts.emplace_back(what + " ", joined(values));
  return facts;
}

}  // namespace

std::string differing_setup(const trace::Profile& control, const trace::Profile& test) {
  const Facts after = setup_of(test);
  std::string text;
  for (const auto& [what, value] : setup_of(control)) {
    const auto other = std::ranges::find(after, what, [](const auto& fact) { return fact.first; });
    if (other == after.end() || other->second == value || value.empty() || other->second.empty()) continue;
    text += (text.empty() ? "" : ", ") + what + value + " → " + other->second;
  }
  return text;
}

}  // namespace warpscope::analysis
