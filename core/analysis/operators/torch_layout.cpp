#include "core/analysis/operators/torch_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "core/base/parse_number.hpp"

namespace warpscope::analysis {

namespace {

constexpr std::size_t kWidestName = 55;
constexpr std::size_t kWidestShapes = 80;
constexpr std::size_t kWidestSource = 75;
constexpr std::size_t kColumn = 12;
constexpr std::size_t kPad = 4;  // wider than the longest string
constexpr std::size_t kEllipsis = 3;

std::string time_text(Ns time, double divisor = 1) {
  const double us = static_cast<double>(time) / 1000 / divisor;
  if (us >= 1e6) return fmt::format("{:.3f}s", us / 1e6);
  if (us >= 1e3) return fmt::format("{:.3f}ms", us / 1e3);
  return fmt::format("{:.3f}us", us);
}

std::string share_text(Ns part, Ns whole) {
  if (whole == 0) return "NaN";
  return fmt::format("{:.2f}%", static_cast<double>(part) * 100 / static_cast<double>(whole));
}

std::string memory_text(std::int64_t bytes) {
  const double size = static_cast<double>(bytes);
  const double magnitude = std::abs(size);
  if (magnitude >= 1024. * 1024 * 1024) return fmt::format("{:.2f} Gb", size / (1024. * 1024 * 1024));
  if (magnitude >= 1024. * 1024) return fmt::format("{:.2f} Mb", size / (1024. * 1024));
  if (magnitude >= 1024) return fmt::format("{:.2f} Kb", size / 1024);
  return fmt::format("{} b", bytes);
}

std::string shortened(std::string_view text, std::size_t width) {
  if (text.size() < width - kEllipsis) return std::string(text);
  return std::string(text.substr(0, width - kEllipsis)) + "...";
}

/// Source locations are truncated at the start.
std::string shortened_source(std::string_view text) {
  if (text.size() <= kWidestSource) return std::string(text);
  return "..." + std::string(text.substr(text.size() - (kWidestSource - kEllipsis)));
}

std::vector<std::string> frames_in(std::string_view stack) {
  std::vector<std::string> frames;
  for (const std::string_view frame : parts_of(stack, ";")) frames.push_back(shortened_source(frame));
  return frames;
}

class Layout {
 public:
  Layout(const OperatorRows& found, const std::vector<std::uint32_t>& order, const Grouping& grouping)
      : found_(found), order_(order), by_(grouping.by) {
    device_ = std::ranges::any_of(found.rows, [](const OperatorRow& row) { return row.self_device > 0; });
    device_memory_ = std::ranges::any_of(found.rows, [](const OperatorRow& row) { return row.self_device_memory > 0; });
  }

  std::string text() {
    std::size_t longest = 0;
    std::size_t longest_key = 0;
    for (const OperatorRow& row : found_.rows) {
      longest = std::max(longest, row.name.size());
      if (by_ == Grouping::By::stack)
        for (const std::string& frame : frames_in(row.key)) longest_key = std::max(longest_key, frame.size());
      else
        longest_key = std::max(longest_key, row.key.size());
    }
    name_width_ = std::min(longest + kPad, kWidestName);
    headers_ = {"Name", "Self CPU %", "Self CPU", "CPU total %", "CPU total", "CPU time avg"};
    if (device_) headers_.insert(headers_.end(), {"Self CUDA", "Self CUDA %", "CUDA total", "CUDA time avg"});
    if (found_.with_memory) headers_.insert(headers_.end(), {"CPU Mem", "Self CPU Mem"});
    if (found_.with_memory && device_memory_) headers_.insert(headers_.end(), {"CUDA Mem", "Self CUDA Mem"});
    headers_.emplace_back("# of Calls");
    widths_.assign(headers_.size(), kColumn);
    widths_.front() = name_width_;
    if (by_ != Grouping::By::name) {
      headers_.emplace_back(by_ == Grouping::By::shape    ? "Input Shapes"
                            : by_ == Grouping::By::module ? "Module Hierarchy"
                                                          : "Source Location");
      key_width_ = std::min(longest_key + kPad, by_ == Grouping::By::stack ? kWidestSource : kWidestShapes);
      widths_.push_back(key_width_);
    }
    rule();
    line(headers_);
    rule();
    for (const std::uint32_t i : order_) add(found_.rows[i]);
    rule();
    text_ += "Self CPU time total: " + time_text(found_.self_cpu) + "\n";
    if (device_) text_ += "Self CUDA time total: " + time_text(found_.self_device) + "\n";
    return std::move(text_);
  }

 private:
  void rule() {
    for (const std::size_t width : widths_) text_ += std::string(width, '-') + "  ";
    text_ += '\n';
  }

  void line(const std::vector<std::string>& cells) {
    for (std::size_t c = 0; c < cells.size(); ++c) text_ += fmt::format("{:>{}}  ", cells[c], widths_[c]);
    text_ += '\n';
  }

  void add(const OperatorRow& row) {
    const auto calls = static_cast<double>(row.calls);
    std::vector<std::string> cells{shortened(row.name, kWidestName), share_text(row.self_cpu, found_.self_cpu),
                                   time_text(row.self_cpu),          share_text(row.cpu_total, found_.self_cpu),
                                   time_text(row.cpu_total),         time_text(row.cpu_total, calls)};
    if (device_) {
      cells.push_back(time_text(row.self_device));
      cells.push_back(share_text(row.self_device, found_.self_device));
      cells.push_back(time_text(row.device_total));
      cells.push_back(time_text(row.device_total, calls));
    }
    if (found_.with_memory) {
      cells.push_back(memory_text(row.cpu_memory));
      cells.push_back(memory_text(row.self_cpu_memory));
      if (device_memory_) {
        cells.push_back(memory_text(row.device_memory));
        cells.push_back(memory_text(row.self_device_memory));
      }
    }
    cells.push_back(std::to_string(row.calls));
    if (by_ == Grouping::By::stack) return add_with_source(std::move(cells), frames_in(row.key));
    if (by_ != Grouping::By::name) cells.push_back(shortened(row.key, kWidestShapes));
    line(cells);
  }

  /// One frame per line, then an empty line.
  void add_with_source(std::vector<std::string> cells, const std::vector<std::string>& frames) {
    cells.push_back(frames.empty() ? "" : frames.front());
    line(cells);
    std::vector<std::string> rest(headers_.size());
    for (std::size_t f = 1; f < frames.size(); ++f) {
      rest.back() = frames[f];
      line(rest);
    }
    rest.back().clear();
    line(rest);
  }

  const OperatorRows& found_;
  const std::vector<std::uint32_t>& order_;
  Grouping::By by_;
  bool device_ = false;
  bool device_memory_ = false;
  std::size_t name_width_ = 0;
  std::size_t key_width_ = 0;
  std::vector<std::string> headers_;
  std::vector<std::size_t> widths_;
  std::string text_;
};

}  // namespace

std::string torch_layout(const OperatorRows& found, const std::vector<std::uint32_t>& order, const Grouping& grouping) {
  return Layout(found, order, grouping).text();
}

}  // namespace warpscope::analysis
