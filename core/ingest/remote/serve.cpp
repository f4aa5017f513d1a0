#include "core/ingest/remote/serve.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <span>
#include <utility>

#include "core/store/format.hpp"
#include "core/store/store_bytes.hpp"

namespace warpscope::ingest {

namespace {

using Files = std::vector<std::shared_ptr<const store::FileBytes>>;

/// Returns a hash of the header and the trailer, which contains one of the directory.
std::uint64_t key_of(const store::FileBytes& file) {
  std::array<std::uint8_t, store::kHeaderBytes> head{};
  std::array<std::uint8_t, store::kTrailerBytes> tail{};
  if (file.size() < head.size() + tail.size() || !file.read(0, head) || !file.read(file.size() - tail.size(), tail))
    return 0;
  return store::fnv1a(tail, store::fnv1a(head));
}

bool send_bytes(const Wire& wire, const Files& files, std::span<const std::uint8_t> request,
                std::vector<std::uint8_t>& bytes) {
  store::StreamReader content(request);
  const std::uint64_t file = content.number();
  const std::uint64_t offset = content.number();
  const std::uint64_t size = content.number();
  if (!content.ok() || file >= files.size() || size > kMostBytes) return false;
  bytes.resize(size);
  return files[file]->read(offset, bytes) ? wire.send(Message::bytes, bytes)
                                          : wire.send(Message::unreadable, std::span<const std::uint8_t>());
}

}  // namespace

bool send_hello(const Wire& wire, const std::string& version) {
  store::StreamWriter hello;
  hello.fields(version, kWireVersion, store::kVersion);
  return wire.greet() && wire.send(Message::hello, hello);
}

bool send_progress(const Wire& wire, const std::string& what, std::uint64_t done, std::uint64_t total) {
  store::StreamWriter progress;
  progress.fields(what, done, total);
  return wire.send(Message::progress, progress);
}

void send_failure(const Wire& wire, const Error& error) {
  store::StreamWriter failed;
  failed.fields(error.where, error.what, error.advice);
  static_cast<void>(wire.send(Message::failed, failed));
}

void serve_files(Wire& wire, const std::vector<std::string>& files, bool shards, AnswerQuestion answer) {
  Files opened;
  for (const std::string& path : files) {
    auto file = store::open_file_bytes(path);
    if (!file) return send_failure(wire, file.error());
    opened.push_back(std::move(*file));
  }
  store::StreamWriter list;
  list.byte(shards ? 1 : 0);
  list.each(opened, [&](const auto& file) { list.fields(file->name(), file->size(), key_of(*file)); });
  if (!wire.send(Message::files, list)) return;
  std::vector<std::uint8_t> bytes;
  Questions questions(std::move(answer));
  const auto reply = [&](const Wire::Received& request) {
    switch (request.kind) {
      case Message::read:
        return send_bytes(wire, opened, request.content, bytes);
      case Message::ask:
        return questions.ask(request.content);
      case Message::fetch:
        return questions.fetch(wire, request.content);
      case Message::drop:
        return questions.drop(request.content);
      default:
        return false;
    }
  };
  while (const auto request = wire.receive({}))
    if (!reply(*request)) return;
}

}  // namespace warpscope::ingest
