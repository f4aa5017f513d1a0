#include "app/ui/dashboard/dashboard_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "app/ui/dashboard/panel_spec.hpp"
#include "core/base/parse_number.hpp"

namespace warpscope::ui {
namespace {

constexpr std::size_t kMostMade = 64;

std::vector<std::string_view> split(std::string_view text, char divider) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(divider);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// Percent-encodes separators, whitespace and control characters to fit the text on one line of the settings file.
std::string encode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || c == ';' || c == ',' || c == '=' || c == '%' || byte == 127)
      out += fmt::format("%{:02X}", byte);
    else
      out += c;
  }
  return out;
}

std::string decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned value = 0;
    const char* from = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() && std::from_chars(from, from + 2, value, 16).ptr == from + 2) {
      out += static_cast<char>(value);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

void set(PanelState& panel, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  const std::string_view key = setting.substr(0, equals);
  const std::string value = equals == std::string_view::npos ? "" : decode(setting.substr(equals + 1));
  if (key == "k") {
    if (const auto k = parse_number<std::int64_t>(value); k && *k >= 0) panel.k = *k;
  } else if (key == "choice") {
    panel.choice = parse_number<std::size_t>(value).value_or(0);
  } else if (key == "bin_width") {
    panel.bin_width = std::max<Ns>(0, parse_number<Ns>(value).value_or(0));
  } else if (key == "log_x") {
    panel.log_x = true;
  } else if (key == "log_y") {
    panel.log_y = true;
  } else if (key == "name") {
    panel.annotation = value;
  } else if (key == "side") {
    panel.gpu = value == "gpu";
  } else if (key == "ranks") {
    panel.ranks = value;
  }
}

std::string print(const PanelState& panel) {
  std::string out = (panel.hidden ? "-" : "") + panel.id;
  const auto add = [&out](std::string_view key, std::string_view value) {
    out += fmt::format(",{}={}", key, encode(value));
  };
  if (!panel.annotation.empty()) add("name", panel.annotation);
  if (panel.gpu) add("side", "gpu");
  if (!panel.ranks.empty()) add("ranks", panel.ranks);
  if (panel.k) add("k", std::to_string(*panel.k));
  if (panel.choice > 0) add("choice", std::to_string(panel.choice));
  if (panel.bin_width > 0) add("bin_width", std::to_string(panel.bin_width));
  if (panel.log_x) out += ",log_x";
  if (panel.log_y) out += ",log_y";
  return out;
}

}  // namespace

DashboardLayout::DashboardLayout() {
  for (const PanelSpec& spec : panel_specs()) panels_.push_back({.id = std::string(spec.id)});
}

DashboardLayout DashboardLayout::parse(std::string_view line) {
  DashboardLayout layout;
  std::vector<PanelState> named;
  for (std::string_view word : split(line, ';')) {
    const bool hidden = word.starts_with('-');
    if (hidden) word.remove_prefix(1);
    const std::vector<std::string_view> parts = split(word, ',');
    PanelState panel{.id = std::string(parts.front()), .hidden = hidden};
    for (std::size_t i = 1; i < parts.size(); ++i) set(panel, parts[i]);
    const bool known = panel.made() ? !panel.annotation.empty() : find_panel_spec(panel.id) != nullptr;
    const bool again = !panel.made() && std::ranges::find(named, panel.id, &PanelState::id) != named.end();
    if (!known || again || named.size() >= layout.panels_.size() + kMostMade) continue;
    if (const PanelSpec* spec = find_panel_spec(panel.id); spec != nullptr && panel.choice >= spec->choices.size())
      panel.choice = 0;
    named.push_back(std::move(panel));
  }
  // Insert a panel missing from the line after its predecessor in the default order.
  for (std::size_t i = 0; i < layout.panels_.size(); ++i) {
    const std::string& id = layout.panels_[i].id;
    if (std::ranges::find(named, id, &PanelState::id) != named.end()) continue;
    auto place = named.begin();
    if (i > 0) place = std::ranges::find(named, layout.panels_[i - 1].id, &PanelState::id) + 1;
    named.insert(place, layout.panels_[i]);
  }
  layout.panels_ = std::move(named);
  return layout;
}

std::string DashboardLayout::print() const {
  std::string line;
  for (const PanelState& panel : panels_) line += (line.empty() ? "" : ";") + ui::print(panel);
  return line;
}

std::vector<std::size_t> DashboardLayout::shown() const {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < panels_.size(); ++i)
    if (!panels_[i].hidden) shown.push_back(i);
  return shown;
}

std::optional<std::size_t> DashboardLayout::find(std::string_view id) const {
  const auto found = std::ranges::find(panels_, id, &PanelState::id);
  if (found == panels_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - panels_.begin());
}

bool DashboardLayout::move(std::size_t index, int direction, const std::vector<std::size_t>& order) {
  const auto at = std::ranges::find(order, index);
  if (at == order.end()) return false;
  const auto to = (at - order.begin()) + direction;
  if (to < 0 || to >= static_cast<std::ptrdiff_t>(order.size())) return false;
  place(index, order[static_cast<std::size_t>(to)]);
  return true;
}

void DashboardLayout::place(std::size_t index, std::size_t before) {
  if (index >= panels_.size() || before >= panels_.size() || index == before) return;
  const auto from = panels_.begin() + static_cast<std::ptrdiff_t>(index);
  const auto to = panels_.begin() + static_cast<std::ptrdiff_t>(before);
  if (index < before)
    std::rotate(from, from + 1, to + 1);
  else
    std::rotate(to, from, from + 1);
}

std::size_t DashboardLayout::add_histogram(std::string annotation, bool gpu, std::string ranks) {
  for (std::size_t i = 0; i < panels_.size(); ++i) {
    PanelState& panel = panels_[i];
    if (!panel.made() || panel.annotation != annotation || panel.gpu != gpu || panel.ranks != ranks) continue;
    panel.hidden = false;
    return i;
  }
  PanelState panel{.id = std::string(PanelState::kMadeHistogram)};
  panel.annotation = std::move(annotation);
  panel.gpu = gpu;
  panel.ranks = std::move(ranks);
  panels_.push_back(std::move(panel));
  return panels_.size() - 1;
}

void DashboardLayout::remove(std::size_t index) {
  if (index < panels_.size() && panels_[index].made())
    panels_.erase(panels_.begin() + static_cast<std::ptrdiff_t>(index));
}

DashboardLayout remembered_layout(const RememberedLayouts& layouts, std::string_view path) {
  const auto found = std::ranges::find(layouts, path, &RememberedLayouts::value_type::first);
  return found == layouts.end() ? DashboardLayout() : DashboardLayout::parse(found->second);
}

void remember_layout(RememberedLayouts& layouts, std::string_view path, const DashboardLayout& layout) {
  std::erase_if(layouts, [path](const auto& item) { return item.first == path; });
  if (path.empty() || layout == DashboardLayout()) return;
  layouts.insert(layouts.begin(), {std::string(path), layout.print()});
  if (layouts.size() > kMaxDashboards) layouts.resize(kMaxDashboards);
}

}  // namespace warpscope::ui
