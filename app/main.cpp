#include "app/cli/program.hpp"

int main(int argc, char** argv) { return warpscope::cli::run_program(argc, argv); }
