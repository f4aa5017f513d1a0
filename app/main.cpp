#include "app/cli/program.hpp"
#include "core/base/heap.hpp"

int main(int argc, char** argv) {
  warpscope::share_one_heap();
  return warpscope::cli::run_program(argc, argv);
}
