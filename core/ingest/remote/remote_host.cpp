#include "core/ingest/remote/remote_host.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <utility>

#include "core/ingest/remote/questions.hpp"
#include "core/store/format.hpp"

namespace warpscope::ingest {

namespace {

// Requests under way at once: their frames fit into any pipe, so neither side waits for the other.
constexpr std::size_t kBatch = 128;
constexpr std::array<std::chrono::seconds, 3> kPauses{std::chrono::seconds(0), std::chrono::seconds(1),
                                                      std::chrono::seconds(4)};
// Reads after a failed attempt fail at once for this long, because there may be thousands of them.
constexpr std::chrono::seconds kGiveUp{30};
constexpr std::chrono::milliseconds kLook{100};
constexpr std::chrono::milliseconds kFirstPause{5};  // before looking for an answer again

}  // namespace

Result<std::shared_ptr<RemoteHost>> RemoteHost::connect(RemotePath remote, const Notice& notice,
                                                        const std::function<bool()>& stopped) {
  const std::shared_ptr<RemoteHost> host(new RemoteHost(std::move(remote)));
  const MutexLock lock(host->mutex_);
  if (Failure failure = host->open(notice, stopped)) return *failure;
  return host;
}

Failure RemoteHost::open(const Notice& notice, const std::function<bool()>& stopped) {
  notice({"Connecting to " + remote_.host});
  auto process = RemoteProcess::start(remote_);
  if (!process) return process.error();
  process_ = std::move(*process);
  wire_ = std::make_unique<Wire>(process_->stream(), process_->stream());
  Failure failure = await_files(notice, [&, process = process_.get()] { return stopped() || process->ended(); });
  if (!failure) {
    ++connection_;
    return {};
  }
  wire_.reset();
  if (failure->what.empty()) failure = process_->why(remote_);
  process_.reset();
  return failure;
}

/// The Error is empty if the connection ended.
Failure RemoteHost::await_files(const Notice& notice, const std::function<bool()>& stopped) {
  if (!wire_->await_greeting(stopped)) return Error{};
  for (;;) {
    const auto message = wire_->receive(stopped);
    if (!message) return Error{};
    store::StreamReader content(message->content);
    if (message->kind == Message::hello) {
      const std::string version(content.text());
      const std::uint64_t wire = content.number();
      const std::uint64_t format = content.number();
      if (wire != kWireVersion || format != store::kVersion)
        return Error{remote_.host, "Warpscope " + version + " there uses a different store format",
                     "install the same version on both machines"};
    } else if (message->kind == Message::progress) {
      RemoteProgress progress;
      progress.what = remote_.host + ": " + std::string(content.text());
      progress.done = content.number();
      progress.total = content.number();
      notice(progress);
    } else if (message->kind == Message::failed) {
      Error error;
      content.fields(error.where, error.what, error.advice);
      error.where = remote_.host + ":" + error.where;
      return error;
    } else if (message->kind == Message::files) {
      return take_files(message->content);
    } else {
      return Error{};
    }
  }
}

Failure RemoteHost::take_files(std::span<const std::uint8_t> bytes) {
  store::StreamReader content(bytes);
  std::vector<File> files;
  const bool shards = content.flag();
  content.each(files, [&](File& file) { content.fields(file.path, file.size, file.key); });
  if (!content.ok() || files.empty()) return Error{};
  if (files_.empty()) {
    files_ = std::move(files);
    shards_ = shards;
  } else if (files != files_) {
    return Error{remote_.host, "the profile has changed there", "reload the profile"};
  }
  return {};
}

Failure RemoteHost::connect_again() {
  using Clock = std::chrono::steady_clock;
  if (lost_ && Clock::now() < lost_at_ + kGiveUp) return lost_;
  lost_.reset();
  Failure failure;
  const auto stopped = [this] { return closed_.load(); };
  for (const auto pause : kPauses) {
    const auto until = Clock::now() + pause;
    while (!closed_ && Clock::now() < until) std::this_thread::sleep_for(kLook);
    if (closed_) return Error{remote_.host, "the profile was closed", ""};
    failure = open([](const RemoteProgress& /*progress*/) {}, stopped);
    if (!failure) return {};
  }
  lost_ = Error{"", "the connection to " + remote_.host + " was lost: " + failure->what, "reload the profile"};
  lost_at_ = Clock::now();
  return lost_;
}

RemoteHost::Asked RemoteHost::request(std::size_t file, std::span<const store::ByteRange> ranges, const Take& take) {
  const auto stopped = [this, process = process_.get()] { return closed_ || process->ended(); };
  for (std::size_t first = 0; first < ranges.size(); first += kBatch) {
    const auto batch = ranges.subspan(first, std::min(kBatch, ranges.size() - first));
    for (const store::ByteRange& range : batch) {
      store::StreamWriter request;
      request.fields(file, range.offset, range.size);
      if (!wire_->send(Message::read, request)) return Asked::broken;
    }
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto answer = wire_->receive(stopped);
      if (!answer) return Asked::broken;
      if (answer->kind != Message::bytes || answer->content.size() != batch[i].size ||
          !take(first + i, answer->content)) {
        disconnect();  // later answers would be taken for those of the next request
        return Asked::refused;
      }
    }
  }
  return Asked::done;
}

Failure RemoteHost::read(std::size_t file, std::span<const store::ByteRange> ranges, const Take& take) {
  const MutexLock lock(mutex_);
  for (int round = 0; round < 2; ++round) {
    if (closed_) break;
    if (!wire_)
      if (Failure failure = connect_again()) return failure;
    const Asked asked = request(file, ranges, take);
    if (asked == Asked::done) return {};
    if (asked == Asked::refused)
      return Error{remote_.host + ":" + files_[file].path, "cannot be read there, or not kept here",
                   "check the file, and the disk of the cache"};
    disconnect();
  }
  return lost();
}

Error RemoteHost::lost() const {
  return {"", closed_ ? "the profile was closed" : "the connection to " + remote_.host + " was lost",
          "reload the profile"};
}

void RemoteHost::disconnect() {
  wire_.reset();
  process_.reset();
}

trace::HostAnswer RemoteHost::ask(std::string_view question, std::span<const std::uint8_t> content,
                                  const CancelToken* cancel) {
  const std::string text(content.begin(), content.end());
  std::vector<std::uint8_t> packed;
  std::uint64_t id = 0;
  std::uint64_t asked_on = 0;  // connection
  int broken = 0;
  const auto stopped = [&] { return closed_.load() || (cancel != nullptr && cancel->cancelled()); };
  for (auto pause = kFirstPause;; pause = std::min(2 * pause, kLook)) {
    {
      const MutexLock lock(mutex_);
      if (stopped()) {
        store::StreamWriter dropped;
        dropped.fields(id);
        if (wire_ && asked_on == connection_) static_cast<void>(wire_->send(Message::drop, dropped));
        return lost();
      }
      if (!wire_)
        if (Failure failure = connect_again()) return *failure;
      store::StreamWriter fetch;
      if (asked_on != connection_) {
        asked_on = connection_;
        id = ++questions_;
        packed.clear();
        store::StreamWriter asked;
        asked.fields(id, std::string(question), text);
        static_cast<void>(wire_->send(Message::ask, asked));  // fails again below
      }
      fetch.fields(id, static_cast<std::uint64_t>(packed.size()));
      std::optional<Wire::Received> answer;
      if (wire_->send(Message::fetch, fetch))
        answer = wire_->receive([this, process = process_.get()] { return closed_ || process->ended(); });
      if (!answer) {
        disconnect();
        if (++broken == 2) return lost();
        continue;
      }
      store::StreamReader reader(answer->content);
      if (answer->kind == Message::declined) return std::optional<std::vector<std::uint8_t>>();
      if (answer->kind == Message::failed) {
        Error error;
        reader.fields(error.where, error.what, error.advice);
        return error;
      }
      if (answer->kind == Message::part) {
        const std::uint64_t size = reader.number();
        const std::string_view part = reader.text();
        packed.insert(packed.end(), part.begin(), part.end());
        if (packed.size() < size && !part.empty()) continue;
        auto unpacked = unpack_answer(packed);
        if (packed.size() != size || !unpacked) return Error{remote_.host, "sent an invalid answer", ""};
        return unpacked;
      }
      if (answer->kind != Message::pending) {
        disconnect();
        return Error{remote_.host, "sent an invalid answer", ""};
      }
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace warpscope::ingest
