#pragma once
// Queue of a thread's annotations waiting for the writer. The thread is the only producer; the holder of the writer's
// lock is the only consumer. The queue is a list of chunks: the producer fills the last chunk and publishes its fill
// level, so neither side waits for the other.
//
// Each record is a word that contains the time (in ns, on the monotonic clock); the lowest bit is set for starts.
// Starts have a second word with the length of the name, followed by the name, padded to whole words.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace warpscope::annotations {

inline constexpr std::size_t kLongestName = 1000;  // bytes

struct Record {
  bool start = false;
  std::uint64_t time = 0;
  const char* name = nullptr;  ///< of a start; not null-terminated
  std::size_t length = 0;
};

class ThreadRecords {
 public:
  ThreadRecords() = default;
  ~ThreadRecords() {
    if (first_ == nullptr) first_ = begin_.load(std::memory_order_acquire);
    while (first_ != nullptr) drop_first();
  }
  ThreadRecords(const ThreadRecords&) = delete;
  ThreadRecords& operator=(const ThreadRecords&) = delete;

  /// For the producer: returns false and adds no record if out of memory.
  bool add_start(std::uint64_t time, const char* name, std::size_t length) {
    const std::size_t words = 2 + (length + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
    std::uint64_t* const at = room_for(words);
    if (at == nullptr) return false;
    at[0] = time << 1 | 1;
    at[1] = length;
    std::memcpy(at + 2, name, length);
    publish(words);
    return true;
  }
  bool add_end(std::uint64_t time) {
    std::uint64_t* const at = room_for(1);
    if (at == nullptr) return false;
    at[0] = time << 1;
    publish(1);
    return true;
  }
  /// For the producer: returns true if it has filled a chunk since the last call.
  [[nodiscard]] bool filled_chunk() { return std::exchange(filled_chunk_, false); }
  /// Number of full chunks of all threads that wait for the consumer.
  [[nodiscard]] static std::size_t waiting() { return waiting_.load(std::memory_order_relaxed); }
  /// For a forked process, where no thread has records yet.
  static void forget_all() { waiting_.store(0, std::memory_order_relaxed); }

  /// For the consumer: calls take(record) for the records of at most `chunks` chunks and removes them. Subtracts the
  /// chunks removed. Returns true if it has taken all records.
  template <class Take>
  bool take(std::size_t& chunks, const Take& take) {
    for (; chunks > 0; --chunks) {
      if (first_ == nullptr) first_ = begin_.load(std::memory_order_acquire);
      if (first_ == nullptr) return true;
      // Once there is a next chunk, the producer is done with this one.
      Chunk* const next = first_->next.load(std::memory_order_acquire);
      const std::size_t end = first_->used.load(std::memory_order_acquire);
      while (read_ < end) {
        const std::uint64_t* const at = first_->words + read_;
        Record record;
        record.start = (at[0] & 1) != 0;
        record.time = at[0] >> 1;
        ++read_;
        if (record.start) {
          record.length = at[1];
          record.name = reinterpret_cast<const char*>(at + 2);
          read_ += 1 + (record.length + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);
        }
        take(record);
      }
      if (next == nullptr) return true;
      drop_first();
    }
    return false;
  }

 private:
  static constexpr std::size_t kWords = 8000;

  struct Chunk {
    std::atomic<Chunk*> next{nullptr};
    std::atomic<std::size_t> used{0};  // words
    std::uint64_t words[kWords];
  };

  std::uint64_t* room_for(std::size_t words) {
    if (last_ == nullptr || filled_ + words > kWords) {
      void* const memory = std::malloc(sizeof(Chunk));
      if (memory == nullptr) return nullptr;
      Chunk* const fresh = new (memory) Chunk;
      filled_chunk_ = last_ != nullptr;
      if (filled_chunk_) waiting_.fetch_add(1, std::memory_order_relaxed);
      (last_ == nullptr ? begin_ : last_->next).store(fresh, std::memory_order_release);
      last_ = fresh;
      filled_ = 0;
    }
    return last_->words + filled_;
  }
  void publish(std::size_t words) {
    filled_ += words;
    last_->used.store(filled_, std::memory_order_release);
  }

  void drop_first() {
    Chunk* const next = first_->next.load(std::memory_order_acquire);
    std::free(first_);
    first_ = next;
    read_ = 0;
    if (next != nullptr) waiting_.fetch_sub(1, std::memory_order_relaxed);
  }

  static inline std::atomic<std::size_t> waiting_{0};

  // Used by the producer.
  Chunk* last_ = nullptr;
  std::size_t filled_ = 0;
  bool filled_chunk_ = false;
  std::atomic<Chunk*> begin_{nullptr};  // first chunk ever allocated
  // Used by the consumer.
  alignas(64) Chunk* first_ = nullptr;
  std::size_t read_ = 0;  // words read from it
};

}  // namespace warpscope::annotations
