/* Annotates programs that use no framework, for Warpscope:
 *
 *   warpscope_annotations_start(NULL);
 *   for (int i = 0; i < steps; ++i) {
 *     warpscope_annotation_begin("Forward");
 *     ...
 *     warpscope_annotation_end();
 *   }
 *   warpscope_annotations_stop();
 *
 * Each process writes a file in the PyTorch profiler's format (Kineto), which Warpscope opens alone, next to GPU
 * traces, or next to the output of `warpscope record`. Annotations nest within each thread. Names of the form "step_12"
 * are the steps of the profile.
 *
 * A call takes a few tens of nanoseconds and no lock; a thread of the library writes the file five times a second, so a
 * killed program loses little. Without a recording, calls do nothing. Problems are reported on stderr and never affect
 * the program. All functions may be called from any thread, but not from signal handlers. The child of fork() does not
 * record; it may start its own recording, which then belongs to the rank of its parent.
 *
 * Annotations that are still open when their thread or the recording ends are closed at that time and get the argument
 * "unclosed".
 */
#ifndef WARPSCOPE_ANNOTATIONS_H
#define WARPSCOPE_ANNOTATIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Starts a recording into `folder`, which is created if necessary. NULL: the environment variable WARPSCOPE_OUT, else
 * "traces". Returns 0, or the error number if no file can be written. */
int warpscope_annotations_start(const char* folder);

/* Ends the recording and completes its file, or removes it if nothing was annotated. Open annotations of all threads
 * are closed. Also happens at exit, but not if a signal ends the program; in that case, the last 200 ms and open
 * annotations are missing. */
void warpscope_annotations_stop(void);

/* Starts an annotation on the calling thread. Copies at most 1000 bytes of `name` (UTF-8). */
void warpscope_annotation_begin(const char* name);

/* Ends the calling thread's most recently started annotation. */
void warpscope_annotation_end(void);

#ifdef __cplusplus
}

namespace warpscope {

/* Annotates the time until the end of the scope: warpscope::Annotation annotation("Forward"); */
class Annotation {
 public:
  explicit Annotation(const char* name) { warpscope_annotation_begin(name); }
  template <class Text>  // std::string
  explicit Annotation(const Text& name) {
    warpscope_annotation_begin(name.c_str());
  }
  ~Annotation() { warpscope_annotation_end(); }
  Annotation(const Annotation&) = delete;
  Annotation& operator=(const Annotation&) = delete;
};

}  // namespace warpscope
#endif

#endif
