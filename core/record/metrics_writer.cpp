#include "core/record/metrics_writer.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "core/base/files/new_file.hpp"
#include "core/base/json_writer.hpp"

namespace warpscope::record {

namespace {

namespace fs = std::filesystem;

constexpr Ns kMinute = 60 * kSecond;
constexpr const char* kEndMark = "/training_job_end.ts";

/// Writes all of `text`; returns false with errno set if that fails.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(file, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

std::string hour_of(Ns time) {
  const auto seconds = static_cast<std::time_t>(time / kSecond);
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  return fmt::format("{:04}{:02}{:02}{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour);
}

void append_line(std::string& into, const Sample& sample, const std::string& node, Ns time) {
  into += R"({"Type":)";
  append_json_string(into, sample.type);
  into += R"(,"Name":)";
  append_json_string(into, sample.name);
  into += R"(,"Dimension":)";
  append_json_string(into, sample.dimension);
  fmt::format_to(std::back_inserter(into),
                 R"(,"Value":{:.2f},"NodeId":"{}","Timestamp":{}.{:06}}})"
                 "\n",
                 sample.value, node, time / kSecond, time % kSecond / 1000);
}

/// Returns false if the file ends with an incomplete line, as a crash may leave it.
bool ends_with_line(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  char last = '\n';
  if (file.seekg(-1, std::ios::end)) file.get(last);
  return last == '\n';
}

}  // namespace

MetricsWriter::MetricsWriter(std::string folder, std::string node, Say say)
    : folder_(std::move(folder)), node_(std::move(node)), say_(std::move(say)) {}

Failure MetricsWriter::prepare() {
  const std::string incremental = folder_ + "/incremental";
  std::error_code error;
  fs::create_directories(incremental, error);
  if (error) return Error{incremental, "cannot create the folder: " + error.message(), ""};
  if (::access(incremental.c_str(), W_OK | X_OK) != 0)
    return Error{incremental, std::string("cannot write to the folder: ") + std::strerror(errno), ""};
  if (Failure taken = lock_.take(incremental, node_)) return taken;
  fs::remove(folder_ + kEndMark, error);
  return std::nullopt;
}

void MetricsWriter::report(const std::string& path, const std::string& why) {
  if (said_.insert(why).second) say_(path + ": " + why);
}

void MetricsWriter::lose(const std::string& why) {
  ++lost_;
  report(path_, why + "; samples will be lost until the file is writable");
}

void MetricsWriter::check_file() {
  if (!file_ || file_.is_at(path_.c_str())) return;
  struct stat own {};
  if (::fstat(file_.get(), &own) == 0 && own.st_nlink == 0) {
    written_ -= in_file_;
    lost_ += in_file_;
    report(path_, "was deleted; its samples are lost");
  } else {
    report(path_, "was moved; recording continues in a new file");
  }
  file_ = Descriptor();
}

Failure MetricsWriter::open_minute(Ns minute) {
  check_file();
  if (file_ && minute == minute_) return std::nullopt;
  minute_ = minute;
  const std::string hour = folder_ + "/incremental/" + hour_of(minute);
  path_ = fmt::format("{}/{}.{}.json", hour, minute / kSecond, node_);
  std::error_code ignored;
  fs::create_directories(hour, ignored);  // again for each file, because the folder may have been deleted
  file_ = Descriptor();
  auto file = open_regular(path_, Writing::append);
  if (!file) return file.error();
  file_ = std::move(*file);
  in_file_ = 0;
  if (!ends_with_line(path_)) text_.insert(0, 1, '\n');
  return std::nullopt;
}

void MetricsWriter::write(Ns time, std::span<const Sample> samples) {
  text_.clear();
  for (const Sample& sample : samples)
    if (std::isfinite(sample.value)) append_line(text_, sample, node_, time);
  if (text_.empty()) return;
  if (const Failure failure = open_minute(time - time % kMinute)) return lose(failure->what);
  struct stat before {};
  const bool sized = ::fstat(file_.get(), &before) == 0;
  if (write_all(file_.get(), text_)) {
    ++written_;
    ++in_file_;
    return;
  }
  lose(std::strerror(errno));
  // An incomplete line would corrupt the next one.
  if (sized) static_cast<void>(!::ftruncate(file_.get(), before.st_size));
  file_ = Descriptor();
}

void MetricsWriter::finish() {
  check_file();
  file_ = Descriptor();
  const auto mark = open_regular(folder_ + kEndMark, Writing::append);
  if (!mark) say_(mark.error().where + ": " + mark.error().what);
}

}  // namespace warpscope::record
