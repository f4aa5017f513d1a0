#include <system_error>

#include "app/ui/model/settings.hpp"
#include "core/base/counted.hpp"
#include "core/base/files/new_file.hpp"

namespace warpscope::ui {
namespace {

constexpr std::chrono::milliseconds kSettle{500};

Failure save(const std::filesystem::path& path, const std::string& text) {
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  Failure failure =
      failed ? Error{path.string(), "cannot be written: " + failed.message(), ""} : replace_file(path, text);
  if (failure) failure->advice = "make the folder writable; otherwise settings apply only to this run";
  return failure;
}

constexpr const char* kNotSaved = "settings are not saved in this run; fix or remove the file";

}  // namespace

SettingsFile::SettingsFile(std::filesystem::path path) : path_(std::move(path)) {}

SettingsFile::Loaded SettingsFile::load() {
  Loaded loaded;
  const auto text = settings::read_text(path_);
  std::vector<Error> wrong;
  auto parsed = text ? parse_settings(*text, &wrong) : Result<Settings>(text.error());
  if (!parsed) {
    loaded.problem = Error{path_.string(), "the settings file is corrupt (" + parsed.error().message() + ")",
                           std::string("using defaults; ") + kNotSaved};
  } else if (!wrong.empty()) {
    const std::string more =
        wrong.size() > 1 ? " (" + counted(wrong.size() - 1, "more line is", "more lines are") + " also invalid)" : "";
    loaded.problem = Error{path_.string(), wrong.front().message() + more, kNotSaved};
  }
  if (loaded.problem) path_.clear();
  if (parsed) loaded.settings = std::move(*parsed);
  saved_ = seen_ = loaded.settings;
  return loaded;
}

Settings SettingsFile::peek() const {
  const auto text = settings::read_text(path_);
  auto parsed = text ? parse_settings(*text) : Result<Settings>(text.error());
  return parsed ? std::move(*parsed) : Settings{};
}

std::optional<Error> SettingsFile::update(const Settings& settings, Clock::time_point now) {
  if (path_.empty()) return std::nullopt;
  if (!(settings == seen_)) {
    seen_ = settings;
    changed_at_ = now;
  }
  if (!changed_at_ || now - *changed_at_ < kSettle) return std::nullopt;
  return flush(settings);
}

std::optional<double> SettingsFile::due_in(Clock::time_point now) const {
  if (!changed_at_) return std::nullopt;
  return std::max(0.0, std::chrono::duration<double>(*changed_at_ + kSettle - now).count());
}

std::optional<Error> SettingsFile::flush(const Settings& settings) {
  changed_at_.reset();
  seen_ = settings;
  if (path_.empty() || settings == saved_) return std::nullopt;
  saved_ = settings;  // even on failure: report it once and retry with the next change
  return save(path_, print_settings(settings));
}

}  // namespace warpscope::ui
