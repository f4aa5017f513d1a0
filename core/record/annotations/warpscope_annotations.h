/* Annotates programs that do not use a framework, for display in Warpscope:
 *
 *   warpscope_annotations_start(NULL);
 *   for (int i = 0; i < steps; ++i) {
 *     warpscope_annotation_begin("Forward");
 *     ...
 *     warpscope_annotation_end();
 *   }
 *   warpscope_annotations_stop();
 *
 * Each process writes a file in the PyTorch profiler's format (Kineto). Warpscope opens the file alone or together with
 * GPU traces or the output of `warpscope record`. Annotations nest within each thread. Annotations with names such as
 * "step_12" become the profile's steps.
 *
 * Each call takes a few tens of nanoseconds and no locks. A library thread writes to the file ten times per second, so
 * little is lost if the program is killed. Calls outside a recording have no effect. Problems are reported on stderr
 * and never affect the program. All functions may be called from any thread, but not from signal handlers. A child
 * created by fork() does not record, but it can start its own recording, which is then attributed to its parent's rank.
 *
 * Annotations that are still open when their thread or the recording ends are closed at that time and get the argument
 * "unclosed".
 */
#ifndef WARPSCOPE_ANNOTATIONS_H
#define WARPSCOPE_ANNOTATIONS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Starts recording to `folder`, which is created if necessary. NULL means the folder in the environment variable
 * WARPSCOPE_OUT, or "traces" if it is not set. Returns 0, or an error number if no file can be written. */
int warpscope_annotations_start(const char* folder);

/* Ends the recording and completes its file, or removes the file if nothing was annotated. Closes the open annotations
 * of all threads. Called automatically at exit, but not if a signal terminates the program; in that case, the last
 * 200 ms and all open annotations are lost. */
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
