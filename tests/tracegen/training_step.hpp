#pragma once
// The parts of a training step from which programs are composed.
#include <algorithm>
#include <string_view>
#include <vector>

#include "tests/tracegen/program_builder.hpp"
#include "tests/tracegen/transformer.hpp"

namespace warpscope::tracegen {

class Step {
 public:
  explicit Step(const Options& options)
      : options_(options),
        b_(options.python, options.python_depth / kModelDepth - 1),
        model_(b_),
        bucket_(std::max(1, (options.layers + kBuckets - 1) / kBuckets)) {}

  Program program() {
    {
      const auto profiler = b_.numbered_annotation("ProfilerStep#");
      run();
    }
    return b_.take();
  }
  /// The program of a pipeline stage.
  Program program_of_stage(int stage);

 private:
  [[nodiscard]] bool distributed() const { return options_.world() > 1; }

  static constexpr int kBuckets = 4;

  void run();
  // In a pipeline stage.
  void forward_microbatch(Transformer& model, int stage);
  void backward_microbatch(Transformer& model, int stage, bool last);
  void reduce_within_layer();
  void exchange(Group direction, bool send);
  void reduce_over_replicas();
  void load();
  void forward();
  void backward();
  void clip_gradients();
  void optimize();
  void item();
  void report();
  void gather(int first_layer);
  void reduce(int layers);
  void exchange_tokens();
  void communicate(std::string_view op, const Collective& collective, int stream = kNcclStream);
  void copy_to(std::string_view op, Copy kind, std::int64_t bytes, int stream);

  const Options& options_;
  ProgramBuilder b_;
  Transformer model_;
  int bucket_;
  std::vector<std::int32_t> gathered_;  // event slots by bucket
  std::vector<std::int32_t> reduced_;
};

}  // namespace warpscope::tracegen
