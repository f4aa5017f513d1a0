#include <fstream>
#include <system_error>

#include "app/ui/settings.hpp"

namespace warpscope::ui {
namespace {

constexpr std::chrono::milliseconds kSettle{500};

std::filesystem::path beside(const std::filesystem::path& path, std::string_view ending) {
  std::filesystem::path other = path;
  other += ending;
  return other;
}

/// Where it leads if it is a link: who keeps the file elsewhere wants it to stay there.
std::filesystem::path behind_links(const std::filesystem::path& path) {
  std::error_code failed;
  if (!std::filesystem::is_symlink(path, failed)) return path;
  std::filesystem::path whole = std::filesystem::canonical(path, failed);
  return failed ? path : whole;
}

std::optional<Error> write_atomically(const std::filesystem::path& named, const std::string& text) {
  const std::string advice = "make the folder writable; until then settings last for this run only";
  const std::filesystem::path path = behind_links(named);
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) return Error{path.string(), "the settings could not be saved: " + failed.message(), advice};
  const std::filesystem::path fresh = beside(path, ".new");
  {
    std::ofstream file(fresh, std::ios::binary | std::ios::trunc);
    file << text;
    file.close();
    if (!file) return Error{path.string(), "the settings could not be saved", advice};
  }
  std::filesystem::rename(fresh, path, failed);
  if (failed) return Error{path.string(), "the settings could not be saved: " + failed.message(), advice};
  return std::nullopt;
}

/// The defaults if there is no file.
Result<Settings> read_settings(const std::filesystem::path& path) {
  const auto text = settings::read_text(path);
  return text ? parse_settings(*text) : Result<Settings>(text.error());
}

}  // namespace

SettingsFile::SettingsFile(std::filesystem::path path) : path_(std::move(path)) {}

SettingsFile::Loaded SettingsFile::load() {
  Loaded loaded;
  if (Result<Settings> parsed = read_settings(path_)) {
    loaded.settings = std::move(*parsed);
  } else {
    const std::filesystem::path aside = beside(path_, ".damaged");
    std::error_code failed;
    std::filesystem::rename(path_, aside, failed);
    loaded.problem = Error{path_.string(), "the settings were damaged (" + parsed.error().message() + ")",
                           "the defaults are used; the old file is now " + aside.filename().string()};
  }
  saved_ = seen_ = loaded.settings;
  return loaded;
}

Settings SettingsFile::peek() const {
  Result<Settings> parsed = read_settings(path_);
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
  saved_ = settings;  // also when it fails: said once, tried again with the next change
  return write_atomically(path_, print_settings(settings));
}

}  // namespace warpscope::ui
