#include "core/ingest/remote/questions.hpp"

#include <zstd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/threads/caught.hpp"

namespace warpscope::ingest {

namespace {

constexpr std::size_t kMostQuestions = 64;
constexpr std::uint64_t kMostAnswer = std::uint64_t{4} << 30;
constexpr int kLevel = 3;

bool ended(const std::future<trace::HostAnswer>& future) {
  return !future.valid() || future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

}  // namespace

Questions::~Questions() {
  for (auto& [id, question] : open_) question->cancel.cancel();
}

bool Questions::ask(std::span<const std::uint8_t> content) {
  store::StreamReader reader(content);
  const std::uint64_t id = reader.number();
  std::string question(reader.text());
  const std::string_view about = reader.text();
  std::erase_if(dropped_, [](const auto& each) { return ended(each->future); });
  if (!reader.ok() || open_.contains(id) || open_.size() >= kMostQuestions) return false;
  if (dropped_.size() >= kMostQuestions) {  // they end soon
    dropped_.front()->future.wait();
    dropped_.erase(dropped_.begin());
  }
  auto fresh = std::make_unique<Question>();
  fresh->future = std::async(std::launch::async,
                             [this, asked = fresh.get(), question = std::move(question),
                              about = std::vector<std::uint8_t>(about.begin(), about.end())]() -> trace::HostAnswer {
                               try {
                                 trace::HostAnswer answer = answer_(question, about, asked->cancel);
                                 if (answer && *answer) **answer = pack_answer(**answer);
                                 return answer;
                               } catch (...) {
                                 return caught(question);
                               }
                             });
  open_.emplace(id, std::move(fresh));
  return true;
}

bool Questions::fetch(const Wire& wire, std::span<const std::uint8_t> content) {
  store::StreamReader reader(content);
  const std::uint64_t id = reader.number();
  const std::uint64_t offset = reader.number();
  const auto found = open_.find(id);
  if (!reader.ok() || found == open_.end()) return false;
  Question& question = *found->second;
  if (!question.answer) {
    if (!ended(question.future)) return wire.send(Message::pending, std::span<const std::uint8_t>());
    question.answer = question.future.get();
  }
  store::StreamWriter sent;
  if (!*question.answer) {
    const Error& error = question.answer->error();
    sent.fields(error.where, error.what, error.advice);
    open_.erase(found);
    return wire.send(Message::failed, sent);
  }
  const auto& bytes = **question.answer;
  if (!bytes) {
    open_.erase(found);
    return wire.send(Message::declined, sent);
  }
  if (offset > bytes->size()) return false;
  const auto part = std::span(*bytes).subspan(offset);
  const std::string text(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(std::min(part.size(), kMostBytes)));
  sent.fields(static_cast<std::uint64_t>(bytes->size()), text);
  if (text.size() == part.size()) open_.erase(found);
  return wire.send(Message::part, sent);
}

bool Questions::drop(std::span<const std::uint8_t> content) {
  store::StreamReader reader(content);
  const auto found = open_.find(reader.number());
  if (found != open_.end()) {
    found->second->cancel.cancel();
    dropped_.push_back(std::move(found->second));
    open_.erase(found);
  }
  return reader.ok();
}

std::vector<std::uint8_t> pack_answer(std::span<const std::uint8_t> content) {
  std::vector<std::uint8_t> packed(ZSTD_compressBound(content.size()));
  packed.resize(ZSTD_compress(packed.data(), packed.size(), content.data(), content.size(), kLevel));
  return packed;
}

std::optional<std::vector<std::uint8_t>> unpack_answer(std::span<const std::uint8_t> packed) {
  const unsigned long long size = ZSTD_getFrameContentSize(packed.data(), packed.size());
  if (size > kMostAnswer) return std::nullopt;  // or unknown
  std::vector<std::uint8_t> content(size);
  if (ZSTD_decompress(content.data(), content.size(), packed.data(), packed.size()) != size) return std::nullopt;
  return content;
}

}  // namespace warpscope::ingest
