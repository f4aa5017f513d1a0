#pragma once
// Compresses text with the original libraries.
#include <zlib.h>
#include <zstd.h>

#include <string>
#include <string_view>

namespace warpscope::tests {

/// One gzip member.
inline std::string gzip(std::string_view text) {
  z_stream state{};
  deflateInit2(&state, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&state, text.size()) + 64, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(out.data());
  state.avail_out = static_cast<uInt>(out.size());
  deflate(&state, Z_FINISH);
  out.resize(state.total_out);
  deflateEnd(&state);
  return out;
}

/// One zstd frame with a checksum, like the command line tool.
inline std::string zstd(std::string_view text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  out.resize(ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size()));
  ZSTD_freeCCtx(context);
  return out;
}

/// A zstd frame that decoders skip.
inline std::string zstd_skippable(std::string_view content) {
  std::string out("\x52\x2a\x4d\x18", 4);
  for (unsigned i = 0; i < 4; ++i) out += static_cast<char>(content.size() >> (8 * i) & 0xffU);
  return out + std::string(content);
}

}  // namespace warpscope::tests
