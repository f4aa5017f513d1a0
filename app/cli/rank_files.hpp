#pragma once
// Writes one JSON file per rank, plain or gzip: a file if one rank is selected, otherwise a folder. Existing files are
// never replaced; an interrupt leaves no partial file.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/exit_status.hpp"
#include "app/cli/load.hpp"
#include "core/base/result.hpp"
#include "core/ingest/bytes/text_writer.hpp"

namespace warpscope::cli {

struct RankFile {
  std::uint32_t rank = 0;  ///< index
  std::string file;
};

struct RankFiles {
  std::string out;          ///< as given
  std::string ranks;        ///< "0,3-5"; empty: all
  const char* suffix = "";  ///< of files in a folder, without ".json.gz": NAME + suffix
  bool numbered = false;    ///< files in a folder are named after the rank, not after its trace
};

using WriteRank = std::function<Failure(const RankFile& file, ingest::TextWriter& writer, const CancelToken& cancel)>;
/// Returns "wrote FILES, SIZE" for the message about the result.
using DescribeFiles = std::function<std::string(const std::string& wrote)>;
/// Writes the files, shows progress and prints the result. Errors of `write` whose `where`
/// is the file are write errors.
ExitStatus write_rank_files(Loaded& loaded, const RankFiles& files, Interrupts& interrupts, const WriteRank& write,
                            const DescribeFiles& describe);

}  // namespace warpscope::cli
