#include "tests/engine/rules/notation/shared_files.h"

#include <zstd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "gtest/gtest.h"

namespace chuhe {
namespace {

std::string Decompressed(const std::string& packed) {
  std::string text;
  std::string block(ZSTD_DStreamOutSize(), '\0');
  ZSTD_DStream* stream = ZSTD_createDStream();
  ZSTD_inBuffer in = {packed.data(), packed.size(), 0};
  size_t left = 1;
  while (in.pos < in.size) {
    ZSTD_outBuffer out = {block.data(), block.size(), 0};
    left = ZSTD_decompressStream(stream, &out, &in);
    if (ZSTD_isError(left) != 0) {
      break;
    }
    text.append(block, 0, out.pos);
  }
  ZSTD_freeDStream(stream);
  EXPECT_EQ(left, 0u) << "broken zstd file";
  return text;
}

}  // namespace

std::optional<std::string> SharedFolder() {
  const char* folder = std::getenv("CHUHE_SHARED");
  return folder != nullptr && *folder != '\0' ? std::optional<std::string>(folder) : std::nullopt;
}

std::string ReadSharedFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  std::string content((std::istreambuf_iterator<char>(file)), {});
  return path.ends_with(".zst") ? Decompressed(content) : content;
}

std::string_view NextLine(std::string_view* text) {
  const size_t end = text->find('\n');
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(end == std::string_view::npos ? text->size() : end + 1);
  return line;
}

std::vector<std::string_view> Fields(std::string_view line) {
  std::vector<std::string_view> fields;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

}  // namespace chuhe
