#include "tests/tracegen/output.hpp"

#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

namespace warpscope::tracegen {
namespace {

constexpr std::size_t kBlock = 256U << 10U;

class FileSink final : public ByteSink {
 public:
  explicit FileSink(std::filesystem::path path)
      : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wb"), &std::fclose) {
    if (!file_) fail();
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  }
  void write(std::string_view bytes) override {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail();
  }
  void close() override {
    if (std::fclose(file_.release()) != 0) fail();
  }

 private:
  [[noreturn]] void fail() const {
    throw std::runtime_error(fmt::format("{}: {}", path_.string(), std::strerror(errno)));
  }

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
};

class StringSink final : public ByteSink {
 public:
  explicit StringSink(std::string& target) : target_(target) {}
  void write(std::string_view bytes) override { target_.append(bytes); }
  void close() override {}

 private:
  std::string& target_;
};

class GzipSink final : public ByteSink {
 public:
  explicit GzipSink(std::unique_ptr<ByteSink> inner) : inner_(std::move(inner)), block_(kBlock) {
    constexpr int kLevel = 4;
    constexpr int kGzipWindow = 15 + 16;
    if (deflateInit2(&stream_, kLevel, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::runtime_error("zlib: no memory to compress with");
    }
  }
  ~GzipSink() override { deflateEnd(&stream_); }
  void write(std::string_view bytes) override { run(bytes, Z_NO_FLUSH); }
  void close() override {
    run({}, Z_FINISH);
    inner_->close();
  }

 private:
  void run(std::string_view bytes, int flush) {
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream_.avail_in = static_cast<uInt>(bytes.size());
    do {
      stream_.next_out = reinterpret_cast<Bytef*>(block_.data());
      stream_.avail_out = static_cast<uInt>(block_.size());
      deflate(&stream_, flush);
      inner_->write({block_.data(), block_.size() - stream_.avail_out});
    } while (stream_.avail_out == 0);
  }

  std::unique_ptr<ByteSink> inner_;
  std::vector<char> block_;
  z_stream stream_{};
};

class ZstdSink final : public ByteSink {
 public:
  explicit ZstdSink(std::unique_ptr<ByteSink> inner)
      : inner_(std::move(inner)), block_(kBlock), context_(ZSTD_createCCtx(), &ZSTD_freeCCtx) {
    if (!context_) throw std::runtime_error("zstd: no memory to compress with");
  }
  void write(std::string_view bytes) override { run(bytes, ZSTD_e_continue); }
  void close() override {
    run({}, ZSTD_e_end);
    inner_->close();
  }

 private:
  void run(std::string_view bytes, ZSTD_EndDirective end) {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    bool done = false;
    while (!done) {
      ZSTD_outBuffer out{block_.data(), block_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(context_.get(), &out, &in, end);
      if (ZSTD_isError(left) != 0) throw std::runtime_error(fmt::format("zstd: {}", ZSTD_getErrorName(left)));
      inner_->write({block_.data(), out.pos});
      done = end == ZSTD_e_end ? left == 0 : in.pos == in.size;
    }
  }

  std::unique_ptr<ByteSink> inner_;
  std::vector<char> block_;
  std::unique_ptr<ZSTD_CCtx, std::size_t (*)(ZSTD_CCtx*)> context_;
};

class ShorteningSink final : public ByteSink {
 public:
  explicit ShorteningSink(std::unique_ptr<ByteSink> inner) : inner_(std::move(inner)) {}
  void write(std::string_view bytes) override { held_.append(bytes); }
  void close() override {
    inner_->write(std::string_view(held_).substr(0, held_.size() / 3 * 2));
    inner_->close();
  }

 private:
  std::unique_ptr<ByteSink> inner_;
  std::string held_;
};

}  // namespace

OpenFile files_under(std::filesystem::path folder) {
  return [folder = std::move(folder)](const std::filesystem::path& relative) -> std::unique_ptr<ByteSink> {
    std::filesystem::create_directories((folder / relative).parent_path());
    return std::make_unique<FileSink>(folder / relative);
  };
}

std::unique_ptr<ByteSink> append_to(std::string& target) { return std::make_unique<StringSink>(target); }

std::unique_ptr<ByteSink> compressed(Format format, std::unique_ptr<ByteSink> inner) {
  switch (format) {
    case Format::gz:
      return std::make_unique<GzipSink>(std::move(inner));
    case Format::zst:
      return std::make_unique<ZstdSink>(std::move(inner));
    case Format::json:
      break;
  }
  return inner;
}

std::unique_ptr<ByteSink> without_last_third(std::unique_ptr<ByteSink> inner) {
  return std::make_unique<ShorteningSink>(std::move(inner));
}

std::string_view file_ending(Format format) {
  switch (format) {
    case Format::gz:
      return ".pt.trace.json.gz";
    case Format::zst:
      return ".pt.trace.json.zst";
    case Format::json:
      break;
  }
  return ".pt.trace.json";
}

}  // namespace warpscope::tracegen
