#pragma once
// The server side of RemoteHost, on the machine with the traces.
#include <string>
#include <vector>

#include "core/base/result.hpp"
#include "core/ingest/remote/questions.hpp"
#include "core/ingest/remote/wire.hpp"

namespace warpscope::ingest {

/// Begins the conversation. Returns false if the client is gone.
[[nodiscard]] bool send_hello(const Wire& wire, const std::string& version);
[[nodiscard]] bool send_progress(const Wire& wire, const std::string& what, std::uint64_t done, std::uint64_t total);
void send_failure(const Wire& wire, const Error& error);

/// Offers the stores at `files`, the shards of a job if `shards`, and answers reads and questions until the other end
/// is closed.
void serve_files(Wire& wire, const std::vector<std::string>& files, bool shards, AnswerQuestion answer);

}  // namespace warpscope::ingest
