#include "app/cli/report_command.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <future>
#include <vector>

#include "app/cli/load.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/output_file.hpp"
#include "app/cli/progress_line.hpp"
#include "app/cli/report_page.hpp"
#include "core/analysis/information.hpp"
#include "core/analysis/kernel_class.hpp"
#include "core/base/format.hpp"
#include "core/ingest/text_writer.hpp"

namespace warpscope::cli {
namespace {

using analysis::Analysis;

constexpr std::chrono::milliseconds kLookAgain{100};

std::vector<const Analysis*> analyses_told() {
  std::vector<const Analysis*> told;
  for (const Analysis& each : analysis::analyses())
    if (!each.compares) told.push_back(&each);  // there is one profile
  return told;
}

std::string title_of(const std::string& path) {
  std::filesystem::path name = std::filesystem::path(path).lexically_normal();
  if (!name.has_filename()) name = name.parent_path();
  return name.has_filename() ? name.filename().string() : path;
}

/// All of the page; of no use once cancelled.
std::string make_page(const ReportOptions& options, const std::string& kernel_rules, const Loaded& loaded,
                      const CancelToken& cancel, std::atomic<std::size_t>& done) {
  const trace::Profile& profile = *loaded.profile;
  ReportPage page(title_of(options.path), options.rows > 0 ? static_cast<std::size_t>(options.rows) : 0);
  std::vector<Table> facts = analysis::information_tables(profile);
  std::vector<Table> diagnostics;
  for (Table& table : facts)
    if (table.id == "diagnostics") diagnostics.push_back(std::move(table));
  std::erase_if(facts, [](const Table& table) { return table.id == "diagnostics" || table.columns().empty(); });
  page.add_part("profile", "What is in it", facts);
  page.add_part("diagnostics", "Diagnostics", diagnostics);
  const auto events = loaded.loader->events();
  for (const Analysis* each : analyses_told()) {
    if (cancel.cancelled()) return {};
    std::vector<analysis::Setting> settings;
    if (analysis::has_parameter(*each, analysis::kKernelClassParameter.name))
      analysis::append_kernel_rules(settings, kernel_rules);
    page.add({each, analysis::run_analysis(*each, profile, {}, settings, &cancel, nullptr, events.get())});
    done.fetch_add(1);
  }
  return page.text();
}

Failure write_page(const std::string& file, std::string_view text, std::filesystem::perms permissions) {
  auto writer = ingest::TextWriter::create(file, ingest::TextWriter::Packing::none);
  if (!writer) return writer.error();
  if (auto failure = writer->write(text)) return failure;
  if (auto failure = writer->finish()) return failure;
  std::error_code ignored;
  std::filesystem::permissions(file, permissions, ignored);
  return {};
}

ExitStatus write_report(const ReportOptions& options, const std::string& kernel_rules, const std::string& file,
                        std::filesystem::perms permissions, const Loaded& loaded, Interrupts& interrupts) {
  CancelToken cancel;
  std::atomic<std::size_t> done{0};
  auto page = std::async(std::launch::async, [&] { return make_page(options, kernel_rules, loaded, cancel, done); });
  {
    ProgressLine line;
    while (page.wait_for(kLookAgain) == std::future_status::timeout) {
      if (interrupts.came()) cancel.cancel();
      line.show(fmt::format("report: {} of {} analyses", done.load(), analyses_told().size()));
    }
  }
  const std::string text = page.get();
  if (interrupts.came()) return kNotWritten;
  if (const Failure failure = write_page(file, text, permissions)) {
    print_error(*failure);
    return kNotWritten;
  }
  print_message(fmt::format("wrote {}: {} analyses in {}", options.html, analyses_told().size(),
                            format_bytes(static_cast<std::int64_t>(text.size()))));
  return kDone;
}

}  // namespace

ExitStatus run_report(const ReportOptions& options) {
  const settings::LoadSettings saved = saved_settings();
  const auto load_with = load_options(options.load, saved);
  if (!load_with) {
    print_error(load_with.error());
    return kUsage;
  }
  if (const Failure failure = unreachable_output(options.html)) {
    print_error(*failure);
    return kNotWritten;
  }
  const auto file = output_file(options.html, Replaces::report);
  if (!file) {
    print_error(file.error());
    return kUsage;
  }
  const std::filesystem::perms permissions = usual_permissions();
  return load_and_write(options.path, *load_with, options.load.save_store,
                        [&](const Loaded& loaded, Interrupts& interrupts) {
                          return write_report(options, saved.kernel_class, *file, permissions, loaded, interrupts);
                        });
}

}  // namespace warpscope::cli
