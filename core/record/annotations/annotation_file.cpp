#include "core/record/annotations/annotation_file.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <initializer_list>

namespace warpscope::annotations {

namespace {

constexpr unsigned char kFirstPrintable = 0x20;

/// Rank and node of this process; -1 if unknown.
struct Place {
  long rank = -1;
  long ranks = -1;
  long node = -1;  // counted from 1: the number in "algo-1"
};

long number_of(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || *text == '\0' || std::strspn(text, "0123456789") != std::strlen(text)) return -1;
  return std::strlen(text) > 9 ? -1 : std::atol(text);
}

/// Returns the number in "algo-3"; -1 for other values.
long node_in(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr || std::strncmp(text, "algo-", 5) != 0) return -1;
  const long number = std::atol(text + 5);
  return number > 0 && std::strspn(text + 5, "0123456789") == std::strlen(text + 5) ? number : -1;
}

/// Reads the environment as smprof and `warpscope record` do.
Place place_of_process() {
  static constexpr const char* kRanks[][2]{
      {"RANK", "WORLD_SIZE"},           {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
      {"PMI_RANK", "PMI_SIZE"},         {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
      {"HOROVOD_RANK", "HOROVOD_SIZE"}, {"SLURM_PROCID", "SLURM_NTASKS"},
  };
  Place place;
  for (const auto& [rank, ranks] : kRanks) {
    if (place.rank >= 0) break;
    place.rank = number_of(rank);
    place.ranks = number_of(ranks);
  }
  for (const char* variable : {"WARPSCOPE_NODE", "SM_CURRENT_HOST"})
    if (place.node < 0) place.node = node_in(variable);
  for (const char* variable : {"GROUP_RANK", "SLURM_NODEID"})
    if (place.node < 0 && number_of(variable) >= 0) place.node = number_of(variable) + 1;
  return place;
}

/// Creates a folder and its parents. Changes `path` temporarily. Returns 0 or an error number.
int create_folders(char* path) {
  for (char* slash = path + 1;; ++slash) {
    const char before = *slash;
    if (before != '/' && before != '\0') continue;
    *slash = '\0';
    const bool failed = ::mkdir(path, 0777) != 0 && errno != EEXIST;
    *slash = before;
    if (before == '\0') return failed ? errno : 0;  // an error in a parent folder makes this one fail as well
  }
}

/// Writes the name of this host to `name`; replaces characters not allowed by the file name pattern.
void host_name(char (&name)[256]) {
  if (::gethostname(name, sizeof name - 1) != 0) std::memcpy(name, "localhost", sizeof "localhost");
  name[sizeof name - 1] = '\0';
  for (char* c = name; *c != '\0'; ++c) {
    const bool plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '.';
    if (!plain) *c = '-';
  }
}

std::uint64_t ns_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

/// The same moment on the wall clock and the monotonic clock. this_moment() takes several readings and uses the least
/// interrupted one; otherwise, the times of different processes on a busy host would differ by milliseconds.
struct Moment {
  std::uint64_t since_epoch = 0;
  std::uint64_t monotonic = 0;
};

Moment this_moment() {
  Moment best;
  std::uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 5; ++i) {
    const std::uint64_t before = ns_of(CLOCK_MONOTONIC);
    const std::uint64_t since_epoch = ns_of(CLOCK_REALTIME);
    const std::uint64_t took = ns_of(CLOCK_MONOTONIC) - before;
    if (took >= shortest) continue;
    shortest = took;
    best = {since_epoch, before + took / 2};
  }
  return best;
}

constexpr std::size_t kBlock = std::size_t{1} << 20;  // bytes of text that are written at once
constexpr std::size_t kEscaped = 6;                   // most bytes of an escaped character
constexpr std::size_t kMostDigits = 20;
constexpr std::size_t kMostOther = 300;  // most bytes of an annotation without its name

// Each writes to `at` and returns the end of what it has written.

char* put(char* at, const char* text) {
  const std::size_t length = std::strlen(text);
  std::memcpy(at, text, length);
  return at + length;
}

char* put_number(char* at, std::uint64_t number) {
  char digits[kMostDigits];
  char* const end = digits + sizeof digits;
  char* first = end;
  do {
    *--first = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  std::memcpy(at, first, static_cast<std::size_t>(end - first));
  return at + (end - first);
}

char* put_microseconds(char* at, std::uint64_t ns) {
  at = put_number(at, ns / 1000);
  const auto rest = static_cast<unsigned>(ns % 1000);
  *at++ = '.';
  *at++ = static_cast<char>('0' + rest / 100);
  *at++ = static_cast<char>('0' + rest / 10 % 10);
  *at++ = static_cast<char>('0' + rest % 10);
  return at;
}

char* put_quoted(char* at, const char* text, std::size_t length) {
  *at++ = '"';
  for (std::size_t i = 0; i < length; ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= kFirstPrintable && c != '"' && c != '\\') {
      *at++ = text[i];
      continue;
    }
    char escaped[kEscaped + 1];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", c);
    at = put(at, escaped);
  }
  *at++ = '"';
  return at;
}

}  // namespace

int AnnotationFile::open(const char* folder, long parent) {
  const Place place = place_of_process();
  const Moment start = this_moment();
  began_ = start.monotonic;
  const std::uint64_t now = start.since_epoch;
  char host[256];
  host_name(host);
  process_ = ::getpid();
  char node[32] = "";
  char rank[32] = "";
  char child[32] = "";
  if (place.node > 0) std::snprintf(node, sizeof node, "/algo-%ld", place.node);
  if (place.rank >= 0) std::snprintf(rank, sizeof rank, "-rank%ld", place.rank);
  if (parent > 0) std::snprintf(child, sizeof child, "-child%ld", process_);
  int length = std::snprintf(path_, sizeof path_, "%s%s", folder, node);
  if (length < 0 || static_cast<std::size_t>(length) + 400 > sizeof path_) return ENAMETOOLONG;
  if (const int error = create_folders(path_)) return error;
  char whole[PATH_MAX];  // the program may change to another folder
  if (::realpath(path_, whole) == nullptr) return errno;
  length = std::snprintf(path_, sizeof path_, "%s", whole);
  if (static_cast<std::size_t>(length) + 400 > sizeof path_) return ENAMETOOLONG;
  char* const name = path_ + length;
  const std::size_t room = sizeof path_ - static_cast<std::size_t>(length);
  for (std::uint64_t ms = now / 1'000'000;; ++ms) {
    std::snprintf(name, room, "/%s_%ld.%llu%s%s.pt.trace.json", host, parent > 0 ? parent : process_,
                  static_cast<unsigned long long>(ms), rank, child);
    file_ = ::open(path_, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ >= 0) break;
    if (errno != EEXIST) return errno;
  }
  struct stat status {};
  if (::fstat(file_, &status) != 0) return errno;
  device_ = status.st_dev;
  inode_ = status.st_ino;
  middle_thread_ = -1;
  error_ = 0;
  written_ = 0;
  empty_ = true;
  incomplete_ = false;
  text_.shrink(0);
  add(R"({"schemaVersion": 1, "deviceProperties": [], "displayTimeUnit": "ms", "host_name": ")");
  add(host);
  add(R"(", )");
  if (place.rank >= 0) {
    add(R"("distributedInfo": {"backend": "", "rank": )");
    add_number(static_cast<std::uint64_t>(place.rank));
    if (place.ranks >= 0) add(R"(, "world_size": )"), add_number(static_cast<std::uint64_t>(place.ranks));
    add("}, ");
  }
  if (parent > 0) {
    add(R"("parentProcess": )");
    add_number(static_cast<std::uint64_t>(parent));
    add(", ");
  }
  add(R"("recordedBy": "warpscope_annotations", "baseTimeNanoseconds": )");
  add_number(now);
  add(R"(, "traceEvents": [)"
      "\n"
      R"({"ph": "M", "name": "process_name", "tid": 0, "args": {"name": )");
  add_quoted(program_invocation_short_name, std::strlen(program_invocation_short_name));
  add(R"(}, "pid": )");
  add_number(static_cast<std::uint64_t>(process_));
  add("}");
  whole_ = text_.size();
  const int error = flush();
  if (error != 0) ::unlink(path_);
  return error;
}

void AnnotationFile::add_thread(long thread, const char* name) {
  add(",\n"
      R"({"ph": "M", "name": "thread_name", "pid": )");
  add_number(static_cast<std::uint64_t>(process_));
  add(R"(, "tid": )");
  add_number(static_cast<std::uint64_t>(thread));
  add(R"(, "args": {"name": )");
  char label[64];
  const int length = std::snprintf(label, sizeof label, "thread %ld (%s)", thread, name);
  add_quoted(label, static_cast<std::size_t>(length));
  add("}}");
  if (!incomplete_) whole_ = text_.size();
}

void AnnotationFile::add_annotation(long thread, const char* name, std::size_t length, std::uint64_t start,
                                    std::uint64_t duration, bool unclosed) {
  empty_ = false;
  if (thread != middle_thread_) {
    middle_thread_ = thread;
    std::snprintf(middle_, sizeof middle_, R"(, "pid": %ld, "tid": %ld, "ts": )", process_, thread);
  }
  char* const begin = text_.room_for(kEscaped * length + kMostOther);
  if (begin == nullptr) {
    incomplete_ = true;
    return;
  }
  char* at = put(begin,
                 ",\n"
                 R"({"ph": "X", "cat": "user_annotation", "name": )");
  at = put_quoted(at, name, length);
  at = put(at, middle_);
  at = put_microseconds(at, start);
  at = put(at, R"(, "dur": )");
  at = put_microseconds(at, duration);
  at = put(at, unclosed ? R"(, "args": {"unclosed": true}})" : "}");
  text_.grow(static_cast<std::size_t>(at - begin));
  if (!incomplete_) whole_ = text_.size();
  if (whole_ >= kBlock) write_whole();
}

int AnnotationFile::flush() {
  write_whole();
  const int error = error_;
  error_ = 0;
  return error;
}

bool AnnotationFile::holds_file() const {
  struct stat status {};
  return file_ >= 0 && ::fstat(file_, &status) == 0 && status.st_dev == device_ && status.st_ino == inode_;
}

/// Opens the file again if the program has closed the descriptor. Returns 0 or an error number, for example because the
/// file was deleted or moved.
int AnnotationFile::ensure_open() {
  if (!holds_file()) file_ = ::open(path_, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file_ < 0) return errno;
  struct stat status {};
  if (::fstat(file_, &status) != 0) return errno;
  if (status.st_dev != device_ || status.st_ino != inode_) {
    ::close(file_);
    file_ = -1;
    return ESTALE;
  }
  if (::stat(path_, &status) != 0) return errno;
  return status.st_dev == device_ && status.st_ino == inode_ ? 0 : ESTALE;
}

void AnnotationFile::write_whole() {
  if (file_ < 0) return;
  int error = ensure_open();
  std::size_t at = 0;
  while (error == 0 && at < whole_) {
    const ssize_t wrote = ::write(file_, text_.data() + at, whole_ - at);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0)
      error = errno;
    else
      at += static_cast<std::size_t>(wrote);
  }
  written_ += static_cast<long long>(at == whole_ ? at : end_of_events(at));
  text_.shrink(0);
  whole_ = 0;
  if (error == 0 && incomplete_) error = ENOMEM;
  if (error == 0) return;
  error_ = error;
  if (holds_file()) static_cast<void>(!::ftruncate(file_, written_));
  abandon();
}

/// Returns the total length of the complete events in the first `at` bytes of the text. An event ends before ",\n" or
/// "\n]".
std::size_t AnnotationFile::end_of_events(std::size_t at) const {
  const char* const text = text_.data();
  const auto ends = [&](std::size_t i) {
    if (i + 1 >= text_.size()) return false;
    return (text[i] == ',' && text[i + 1] == '\n') || (text[i] == '\n' && text[i + 1] == ']');
  };
  while (at > 0 && !ends(at)) --at;
  return at;
}

int AnnotationFile::close() {
  if (file_ < 0) return flush();
  if (empty_) {
    abandon();
    return ::unlink(path_) != 0 ? errno : 0;
  }
  add("\n]}\n");
  if (!incomplete_) whole_ = text_.size();
  const int error = flush();
  abandon();
  return error;
}

void AnnotationFile::abandon() {
  if (holds_file()) ::close(file_);
  file_ = -1;
}

void AnnotationFile::add(const char* text) {
  if (!text_.append(text, std::strlen(text))) incomplete_ = true;
}

void AnnotationFile::add_number(std::uint64_t number) {
  char digits[kMostDigits + 1];
  *put_number(digits, number) = '\0';
  add(digits);
}

void AnnotationFile::add_quoted(const char* text, std::size_t length) {
  char* const at = text_.room_for(kEscaped * length + 2);
  if (at == nullptr)
    incomplete_ = true;
  else
    text_.grow(static_cast<std::size_t>(put_quoted(at, text, length) - at));
}

}  // namespace warpscope::annotations
