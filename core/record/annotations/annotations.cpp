// Records this process and handles forks and program exit. A writer thread writes the records of all threads to the
// file. Locks are taken only by the writer, on a thread's first annotation, and on start and stop.
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>

#include "core/record/annotations/annotation_file.hpp"
#include "core/record/annotations/thread_records.hpp"
#pragma GCC visibility push(default)  // everything else is hidden
#include "core/record/annotations/warpscope_annotations.h"
#pragma GCC visibility pop

namespace warpscope::annotations {

namespace {

// A killed program loses at most the annotations of the last 200 ms: they wait at most 100 ms for the writer, which
// then needs about 80 ms for all records that may wait.
constexpr long kPause = 100'000'000;                // ns between writes
constexpr std::uint64_t kLongestWork = 80'000'000;  // ns; with more records, threads write them themselves
constexpr std::size_t kMostChunks = 512;            // 32 MiB; the same
constexpr std::size_t kWakeChunks = 8;              // with as many full chunks, the writer starts immediately
constexpr std::size_t kRound = 16;                  // chunks of a thread written before others get the lock

struct OpenAnnotation {
  std::uint64_t start;
  std::size_t name;  // offset of its name in Thread::names
};

struct Thread {
  ThreadRecords records;
  std::atomic<bool> ended{false};
  // Used by the writer only.
  Thread* next = nullptr;
  long id = 0;
  char name[17] = "";
  unsigned named_in = 0;  // number of the last recording that its name was written to
  Growing<OpenAnnotation> open;
  Growing<char> names;  // of open annotations, concatenated
};

std::atomic<bool> recording{false};
std::atomic<std::uint64_t> lost{0};                 // records lost because of insufficient memory
std::atomic<std::size_t> most_chunks{kMostChunks};  // that can be written in kLongestWork at the present speed
thread_local Thread* own_thread __attribute__((tls_model("initial-exec"))) = nullptr;

// Held while a recording starts or stops; taken before the lock.
pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;
bool has_writer = false;  // the writer must be joined
pthread_t writer;
pthread_key_t thread_end;
bool prepared = false;  // the key and the fork handlers exist

// Guarded by the lock.
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t wake_writer;
Thread* threads = nullptr;
AnnotationFile* file = nullptr;
bool writing = false;  // the writer should keep running
bool started = false;  // since the last stop, even if nothing could be recorded
unsigned recordings = 0;
long parent = 0;                 // process id of the recording process that this one was forked from
std::uint64_t began = 0;         // of the recording
std::uint64_t unmatched = 0;     // ends without a start
std::uint64_t worked_until = 0;  // end of the previous round of writing if records were left; otherwise 0

class Locked {
 public:
  explicit Locked(pthread_mutex_t& mutex = lock) : mutex_(mutex) { ::pthread_mutex_lock(&mutex_); }
  ~Locked() { ::pthread_mutex_unlock(&mutex_); }
  Locked(const Locked&) = delete;
  Locked& operator=(const Locked&) = delete;

 private:
  pthread_mutex_t& mutex_;
};

std::uint64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

void print_problem(const char* path, int error) {
  std::fprintf(stderr, "warpscope: cannot write to %s: %s; the recording ends here\n", path, std::strerror(error));
}

/// Adds an annotation of a thread to the file, preceded by the thread's name if it is the thread's first.
void write_annotation(Thread& thread, std::uint64_t start, std::uint64_t end, const char* name, std::size_t length,
                      bool unclosed) {
  if (thread.named_in != recordings) {
    thread.named_in = recordings;
    file->add_thread(thread.id, thread.name);
  }
  file->add_annotation(thread.id, name, length, start - began, end > start ? end - start : 0, unclosed);
}

/// Ends the most recently started open annotation. `unclosed`: its thread or the recording is ending.
void close_last(Thread& thread, std::uint64_t end, bool unclosed = false) {
  const OpenAnnotation last = thread.open.back();
  write_annotation(thread, last.start, end, thread.names.data() + last.name, thread.names.size() - last.name, unclosed);
  thread.names.shrink(last.name);
  thread.open.shrink(thread.open.size() - 1);
}

bool take_records(Thread& thread, std::size_t& chunks) {
  return thread.records.take(chunks, [&](const Record& record) {
    if (!file->is_open() || record.time < began) return;  // of an earlier recording
    if (record.start) {
      const OpenAnnotation fresh{record.time, thread.names.size()};
      if (!thread.names.append(record.name, record.length) || !thread.open.append(fresh)) ++lost;
    } else if (thread.open.size() > 0) {
      close_last(thread, record.time);
    } else {
      ++unmatched;
    }
  });
}

/// Takes the records of all threads and frees threads that have ended. Stops the recording if the file cannot be
/// written. Returns false if a thread has more records than are written at once.
bool write_records() {
  const std::uint64_t since = worked_until > 0 ? worked_until : now_ns();
  std::size_t written = 0;  // chunks
  bool all = true;
  for (Thread** at = &threads; *at != nullptr;) {
    Thread& thread = **at;
    const bool ended = thread.ended.load(std::memory_order_acquire);  // read before its last records are taken
    std::size_t chunks = kRound;
    const bool taken = take_records(thread, chunks);
    written += kRound - chunks;
    all = all && taken;
    if (!ended || !taken) {
      at = &thread.next;
      continue;
    }
    while (thread.open.size() > 0 && file->is_open()) close_last(thread, now_ns(), true);
    *at = thread.next;
    thread.~Thread();
    std::free(&thread);
  }
  if (const int error = file->flush()) {
    recording.store(false, std::memory_order_relaxed);
    print_problem(file->path(), error);
  }
  const std::uint64_t now = now_ns();
  if (written >= kWakeChunks) {
    // Averaged, because the speed varies if the machine is busy.
    const std::size_t measured = kLongestWork * written / (now - since + 1);
    std::size_t most = (3 * most_chunks.load(std::memory_order_relaxed) + measured) / 4;
    most = most < kWakeChunks ? kWakeChunks : most > kMostChunks ? kMostChunks : most;
    most_chunks.store(most, std::memory_order_relaxed);
  }
  worked_until = all ? 0 : now;
  return all;
}

void* run_writer(void* /*unused*/) {
  ::prctl(PR_SET_NAME, "warpscope");
  const Locked locked;
  while (writing) {
    timespec until{};
    ::clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += kPause;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    ::pthread_cond_timedwait(&wake_writer, &lock, &until);
    while (writing && !write_records()) {
      ::pthread_mutex_unlock(&lock);
      ::sched_yield();
      ::pthread_mutex_lock(&lock);
    }
  }
  return nullptr;
}

void init_condition() {
  pthread_condattr_t attributes;
  ::pthread_condattr_init(&attributes);
  ::pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  ::pthread_cond_init(&wake_writer, &attributes);
  ::pthread_condattr_destroy(&attributes);
}

void start_writer() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);  // signals are for the program
  ::pthread_sigmask(SIG_BLOCK, &all, &before);
  writing = true;
  has_writer = ::pthread_create(&writer, nullptr, run_writer, nullptr) == 0;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  // Without a writer, threads with many records write them themselves, and all other records are written at the end.
}

void before_fork() {
  ::pthread_mutex_lock(&control);
  ::pthread_mutex_lock(&lock);
}
void after_fork_in_parent() {
  ::pthread_mutex_unlock(&lock);
  ::pthread_mutex_unlock(&control);
}

/// The recording, its writer and the other threads belong to the parent.
void after_fork_in_child() {
  control = PTHREAD_MUTEX_INITIALIZER;
  lock = PTHREAD_MUTEX_INITIALIZER;
  init_condition();
  if (recording.exchange(false, std::memory_order_relaxed) && parent == 0) parent = ::getppid();
  if (file != nullptr) file->abandon();
  threads = nullptr;  // not freed, because their memory may have been in use during the fork
  ThreadRecords::forget_all();
  own_thread = nullptr;
  ::pthread_setspecific(thread_end, nullptr);
  writing = false;
  started = false;
  has_writer = false;
}

void thread_ended(void* thread) {
  own_thread = nullptr;
  static_cast<Thread*>(thread)->ended.store(true, std::memory_order_release);
}

/// Registers and returns the calling thread; null if out of memory.
Thread* new_thread() {
  void* const memory = std::aligned_alloc(alignof(Thread), sizeof(Thread));
  if (memory == nullptr) return nullptr;
  Thread* const thread = new (memory) Thread;
  thread->id = ::syscall(SYS_gettid);
  ::prctl(PR_GET_NAME, thread->name);
  const Locked locked;
  if (::pthread_setspecific(thread_end, thread) != 0) {
    thread->~Thread();
    std::free(memory);
    return nullptr;
  }
  thread->next = threads;
  threads = thread;
  own_thread = thread;
  return thread;
}

void check_backlog() {
  if (ThreadRecords::waiting() == kWakeChunks) ::pthread_cond_signal(&wake_writer);
  const auto too_many = [] { return ThreadRecords::waiting() >= most_chunks.load(std::memory_order_relaxed); };
  if (!too_many()) return;
  const Locked locked;
  if (file != nullptr && too_many()) write_records();
}

bool prepare() {
  if (prepared) return true;
  init_condition();
  if (file == nullptr) {
    void* const memory = std::malloc(sizeof(AnnotationFile));
    if (memory == nullptr) return false;
    file = new (memory) AnnotationFile;
  }
  prepared = ::pthread_key_create(&thread_end, thread_ended) == 0 &&
             ::pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child) == 0;
  return prepared;
}

int start(const char* folder) {
  if (folder == nullptr || *folder == '\0') folder = std::getenv("WARPSCOPE_OUT");
  if (folder == nullptr || *folder == '\0') folder = "traces";
  const Locked alone(control);
  const Locked locked;
  if (recording.load(std::memory_order_relaxed)) {
    std::fputs("warpscope: warpscope_annotations_start() was called while a recording was running\n", stderr);
    return EALREADY;
  }
  started = true;
  const int error = prepare() ? file->open(folder, parent) : ENOMEM;
  if (error != 0) {
    std::fprintf(stderr, "warpscope: cannot write to %s: %s; nothing is recorded\n", folder, std::strerror(error));
    return error;
  }
  ++recordings;
  began = file->began();
  unmatched = 0;
  lost.store(0, std::memory_order_relaxed);
  for (Thread* thread = threads; thread != nullptr; thread = thread->next) {
    thread->open.shrink(0);
    thread->names.shrink(0);
  }
  start_writer();
  recording.store(true, std::memory_order_release);
  return 0;
}

void stop(bool at_exit) {
  const Locked alone(control);
  {
    const Locked locked;
    const bool was_recording = recording.exchange(false, std::memory_order_relaxed);
    if (!was_recording && !started && !at_exit)
      std::fputs("warpscope: warpscope_annotations_stop() was called, but no recording is running\n", stderr);
    started = false;
    writing = false;
    if (has_writer) ::pthread_cond_signal(&wake_writer);
    if (was_recording) {
      while (!write_records()) continue;
      const std::uint64_t end = now_ns();
      unsigned long long unclosed = 0;
      for (Thread* thread = threads; thread != nullptr; thread = thread->next)
        for (; thread->open.size() > 0 && file->is_open(); ++unclosed) close_last(*thread, end, true);
      if (unclosed > 0)
        std::fprintf(stderr, "warpscope: %llu open annotation%s ended with the recording\n", unclosed,
                     unclosed == 1 ? "" : "s");
      const bool nothing = file->is_open() && file->is_empty();
      if (const int error = file->close())
        print_problem(file->path(), error);
      else if (nothing)
        std::fputs("warpscope: nothing was annotated, so no file is written\n", stderr);
      char times[32] = "once";
      if (unmatched > 1) std::snprintf(times, sizeof times, "%llu times", static_cast<unsigned long long>(unmatched));
      if (unmatched > 0)
        std::fprintf(stderr, "warpscope: warpscope_annotation_end() was called %s without an open annotation\n", times);
      if (lost.load(std::memory_order_relaxed) > 0)
        std::fprintf(stderr, "warpscope: out of memory: %llu annotation starts and ends were lost\n",
                     static_cast<unsigned long long>(lost.load(std::memory_order_relaxed)));
    }
  }
  if (has_writer) ::pthread_join(writer, nullptr);
  has_writer = false;
}

__attribute__((destructor)) void stop_at_exit() { stop(true); }

}  // namespace

}  // namespace warpscope::annotations

using namespace warpscope::annotations;

extern "C" {

int warpscope_annotations_start(const char* folder) { return start(folder); }

void warpscope_annotations_stop() { stop(false); }

void warpscope_annotation_begin(const char* name) {
  if (!recording.load(std::memory_order_relaxed)) return;
  Thread* const thread = own_thread != nullptr ? own_thread : new_thread();
  if (name == nullptr) name = "(null)";
  std::size_t length = ::strnlen(name, kLongestName + 1);
  if (length > kLongestName) {
    length = kLongestName;
    while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80) --length;  // whole characters
  }
  if (thread == nullptr || !thread->records.add_start(now_ns(), name, length)) {
    lost.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  if (thread->records.filled_chunk()) check_backlog();
}

void warpscope_annotation_end() {
  if (!recording.load(std::memory_order_relaxed)) return;
  const std::uint64_t now = now_ns();
  Thread* const thread = own_thread != nullptr ? own_thread : new_thread();
  if (thread == nullptr || !thread->records.add_end(now)) lost.fetch_add(1, std::memory_order_relaxed);
}

}  // extern "C"
