// The shared files of real games that tests read where CHUHE_SHARED names their folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace chuhe {

// The folder in CHUHE_SHARED; nothing when it is not set.
std::optional<std::string> SharedFolder();

// The content of a file, with `.zst` decompressed. A file that cannot be read fails the test.
std::string ReadSharedFile(const std::string& path);

// The next line of `text`, which is cut off, without its end.
std::string_view NextLine(std::string_view* text);

std::vector<std::string_view> Fields(std::string_view line);

}  // namespace chuhe
