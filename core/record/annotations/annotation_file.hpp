#pragma once
// A process's annotation file, in the format of the PyTorch profiler (Kineto). Text is buffered and written in large
// blocks of complete events, so the file ends with a complete event even if the program is killed. The program may
// close the file's descriptor and reuse its number, so each write first checks that it still refers to the file.
#include <sys/types.h>

#include <cstdint>

#include "core/record/annotations/growing.hpp"

namespace warpscope::annotations {

class AnnotationFile {
 public:
  /// Creates a file in `folder`, or in `folder`/algo-N if the node number N is known. Annotation times are relative to
  /// the time of this call. Returns 0 or an error number. `parent`: the process that this one was forked from, if it
  /// was recording; otherwise 0. If there is a parent, the file is attributed to the parent's rank.
  int open(const char* folder, long parent);
  /// Start of the recording, in ns on the monotonic clock. Times in the file are relative to it.
  [[nodiscard]] std::uint64_t began() const { return began_; }
  [[nodiscard]] bool is_open() const { return file_ >= 0; }
  [[nodiscard]] bool is_empty() const { return empty_; }
  [[nodiscard]] const char* path() const { return path_; }

  void add_thread(long thread, const char* name);
  /// `unclosed`: the program never ended the annotation.
  void add_annotation(long thread, const char* name, std::size_t length, std::uint64_t start, std::uint64_t duration,
                      bool unclosed);
  /// Writes the buffered text and returns 0. On an error, also of an earlier write of a full block, closes the file,
  /// which then contains as many events as could be written, and returns the error number.
  int flush();
  /// Finishes and closes the file. Removes it if it has no annotations, because Warpscope would otherwise show it as
  /// another recording. Returns the same as flush().
  int close();
  /// Closes the file without writing, because it belongs to the parent process.
  void abandon();

 private:
  void add(const char* text);
  void add_number(std::uint64_t number);
  void add_quoted(const char* text, std::size_t length);
  [[nodiscard]] std::size_t end_of_events(std::size_t at) const;
  void write_whole();
  [[nodiscard]] bool holds_file() const;
  [[nodiscard]] int ensure_open();

  int file_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
  int error_ = 0;  // of a write since the last flush()
  long process_ = 0;
  std::uint64_t began_ = 0;
  long long written_ = 0;    // bytes of complete events
  bool empty_ = true;        // has no annotation
  bool incomplete_ = false;  // ran out of memory for some text
  Growing<char> text_;
  std::size_t whole_ = 0;  // total length of the complete events in the text
  long middle_thread_ = -1;
  char middle_[96] = "";  // text between the name and the time of an annotation of that thread
  char path_[4096] = "";
};

}  // namespace warpscope::annotations
