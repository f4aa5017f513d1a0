#include "app/cli/load_flags.hpp"

#include "app/cli/messages.hpp"
#include "app/settings/settings_text.hpp"
#include "core/analysis/ranks/rank_comparison.hpp"
#include "core/base/format.hpp"
#include "core/base/user_folders.hpp"

namespace warpscope::cli {

void add_load_flags(Arguments& arguments, LoadFlags& flags, StoreWriting writing) {
  arguments.text("--memory", flags.memory,
                 "Memory limit for loaded traces (8G, 512M, none); ranks that do not fit stay on disk. Prints a "
                 "warning if loading itself needs more. Default: the limit in the settings");
  arguments.flag("--no-store", flags.no_store, "Do not read or write stores");
  if (writing == StoreWriting::by_settings) return;
  arguments.flag("--save-store", flags.save_store, "Save a store so the profile opens instantly next time");
  arguments.exclude("--save-store", "--no-store");
}

void add_clocks_option(Arguments& arguments, std::string& clocks) {
  arguments.choice("--clocks", clocks, analysis::kClockDisplays,
                   "Rank clocks: aligned at the ends of collectives where safe, or as recorded. "
                   "Default: aligned");
}

namespace {

Result<std::uint64_t> memory_limit(const std::string& text) {
  if (text == "none") return std::uint64_t{0};
  const auto limit = parse_bytes(text);
  if (limit && *limit >= ingest::kLeastMemoryLimit) return *limit;
  return Error{"--memory " + (text.empty() ? "\"\"" : text),
               limit ? "is too small to show anything" : limit.error().what,
               "use a number with a unit, at least " + std::to_string(ingest::kLeastMemoryLimit >> 20) +
                   "M, such as 8G or 512M"};
}

}  // namespace

void add_rank_option(Arguments& arguments, std::string& ranks) {
  arguments.text("--rank", ranks, "Only these ranks: 0,3-5");
}

Result<analysis::Scope> scope_of(const trace::Profile& profile, const std::string& ranks) {
  analysis::Scope scope;
  if (ranks.empty()) return scope;
  auto parsed = analysis::parse_ranks(profile, ranks);
  if (!parsed) return parsed.error();
  scope.ranks = std::move(*parsed);
  return scope;
}

Result<std::optional<Ns>> parse_time_option(const char* option, const std::string& text) {
  if (text.empty()) return std::optional<Ns>();
  const auto time = parse_time(text);
  if (time) return std::optional(*time);
  return Error{std::string(option) + " " + text, time.error().what, time.error().advice};
}

Result<std::optional<Interval>> range_option(const trace::Profile& profile, const std::string& from,
                                             const std::string& to) {
  if (from.empty() && to.empty()) return std::optional<Interval>();
  const auto first = parse_time_option("--from", from);
  if (!first) return first.error();
  const auto last = parse_time_option("--to", to);
  if (!last) return last.error();
  const Interval range{saturating_add(profile.span.begin, first->value_or(0)),
                       *last ? saturating_add(profile.span.begin, **last) : profile.span.end};
  const std::string ends = "the profile ends at " + format_duration(profile.span.length());
  if (range.begin >= profile.span.end && *first) return Error{"--from " + from, "is after the end", ends};
  if (range.begin >= range.end) return Error{"--from and --to", "select an empty range", "use a later --to; " + ends};
  return std::optional(range);
}

settings::UserRules user_rules() {
  settings::UserRules user = settings::read_user_rules(user_config_folder());
  for (const Error& problem : user.problems) print_error(problem);
  return user;
}

settings::LoadSettings saved_settings() {
  const std::filesystem::path path = settings::default_settings_path();
  std::vector<Error> wrong;
  const auto saved = settings::read_load_settings(path, &wrong);
  for (Error& error : wrong) {
    error.where = path.string() + ", " + error.where;
    print_error(error);
  }
  if (saved) return *saved;
  print_error({path.string(), "cannot read the settings (" + saved.error().message() + ")", "using the defaults"});
  return {};
}

Result<ingest::LoadOptions> load_options(const LoadFlags& flags, const settings::LoadSettings& saved) {
  ingest::LoadOptions options;
  options.store.folder = settings::store_folder(saved);
  options.store.use = !flags.no_store;
  options.share = flags.share;
  options.store.limit = saved.store_limit;
  options.memory_limit = saved.memory_limit;
  if (!flags.memory) return options;
  const auto limit = memory_limit(*flags.memory);
  if (!limit) return limit.error();
  options.memory_limit = *limit;
  return options;
}

}  // namespace warpscope::cli
