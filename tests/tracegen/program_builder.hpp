#pragma once
// Builds a program from nested scopes, so that the code has the structure of the step that it describes.
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "tests/tracegen/kernels.hpp"
#include "tests/tracegen/program.hpp"

namespace warpscope::tracegen {

class ProgramBuilder {
 public:
  /// Closes on destruction the scope that its creator opened. Empty scopes (frames that were not requested) close
  /// nothing.
  class [[nodiscard]] Scope {
   public:
    explicit Scope(ProgramBuilder* builder, int opened = 1) : builder_(builder), opened_(opened) {}
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
      for (int i = 0; builder_ != nullptr && i < opened_; ++i) builder_->add(Code::close);
    }

   private:
    ProgramBuilder* builder_;
    int opened_;
  };

  /// Passed to op() for operators without a sequence number or without shapes.
  static constexpr std::int32_t kNoSequence = -1;
  static constexpr std::int32_t kNoShape = -1;

  /// `wrappers`: frames of the framework around each frame, at most 8.
  explicit ProgramBuilder(bool frames, int wrappers = 0) : frames_(frames), wrappers_(wrappers) {
    program_.kernels = kernel_types();
  }

  Scope annotation(std::string_view name) { return open(Code::open_annotation, name); }
  /// Opens an annotation with the step's number appended to its name.
  Scope numbered_annotation(std::string_view name);
  /// `host_ns` is the operator's own time before its first child.
  Scope op(std::string_view name, std::int64_t host_ns = 900, std::int32_t shape = kNoShape,
           std::int32_t sequence = kNoSequence);
  Scope frame(std::string_view name);
  /// Opens the host-side record of the next collective.
  Scope collective_record();
  /// Adds an operator without children.
  void leaf(std::string_view name, std::int64_t host_ns = 700, std::int32_t shape = kNoShape) {
    const Scope scope = op(name, host_ns, shape);
  }

  void launch(Kernel kernel);
  void copy(Copy kind, std::int64_t bytes, int stream);
  void call(RuntimeApi api) { add(Code::call).api = api; }
  void work(std::int64_t ns) { add(Code::work).host_ns = ns; }
  void stall() { add(Code::stall); }
  void pause() { add(Code::pause); }
  void memory(std::int64_t bytes) { add(Code::memory).value = bytes; }
  void synchronize(int stream) { add(Code::synchronize).stream = stream; }
  void graph(bool begin) { add(begin ? Code::graph_begin : Code::graph_end); }
  void run_collective(const Collective& collective, int stream = kNcclStream);
  /// Records an event on `stream`; returns its slot for wait().
  std::int32_t record(int stream);
  void wait(int stream, std::int32_t slot);

  /// Puts the following instructions on the autograd thread, or back on the main thread.
  void on_autograd_thread(bool backward) { backward_ = backward; }
  /// Limits the following instructions to even steps.
  void in_even_steps(bool even) { even_steps_ = even; }

  std::int32_t next_sequence() { return program_.sequences++; }
  std::int32_t shape(ArgumentShapes shapes);
  std::int32_t name(std::string_view text);
  [[nodiscard]] Program take() { return std::move(program_); }
  void set_odd_op(std::string_view text) { program_.odd_op = name(text); }

 private:
  Instruction& add(Code code);
  Scope open(Code code, std::string_view name);

  Program program_;
  std::unordered_map<std::string, std::int32_t> names_;
  bool frames_;
  int wrappers_;
  bool backward_ = false;
  bool even_steps_ = false;
};

}  // namespace warpscope::tracegen
