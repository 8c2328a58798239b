#include "train/replay_chunk.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "nlohmann/json.hpp"
#include "train/sealed_file.h"

namespace chuhe {
namespace {

using Json = nlohmann::ordered_json;

constexpr char kMagic[] = "CHUHECH1";

// False if it is not there or no such number.
template <typename Number>
bool Get(const Json& json, const char* key, Number* to) {
  const auto entry = json.find(key);
  if (entry == json.end() || !entry->is_number()) return false;
  *to = entry->get<Number>();
  return true;
}

}  // namespace

absl::Status WriteReplayChunk(const ReplayChunk& chunk, const std::string& path) {
  const Json json = {{"first_step", chunk.first_step},
                     {"end_step", chunk.end_step},
                     {"first_game", chunk.window.first_game},
                     {"end_game", chunk.window.end_game},
                     {"total_positions", chunk.window.total_positions},
                     {"samples_paid", chunk.samples_paid}};
  return WriteSealedFile(path, kMagic, json.dump());
}

absl::StatusOr<std::optional<ReplayChunk>> ReadReplayChunk(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return std::nullopt;
  CHUHE_ASSIGN_OR_RETURN(const std::string content, ReadSealedFile(path, kMagic));
  const Json json = Json::parse(content, nullptr, /*allow_exceptions=*/false);
  ReplayChunk chunk;
  const bool is_whole = json.is_object() && Get(json, "first_step", &chunk.first_step) &&
                        Get(json, "end_step", &chunk.end_step) &&
                        Get(json, "first_game", &chunk.window.first_game) &&
                        Get(json, "end_game", &chunk.window.end_game) &&
                        Get(json, "total_positions", &chunk.window.total_positions) &&
                        Get(json, "samples_paid", &chunk.samples_paid);
  if (!is_whole || chunk.first_step > chunk.end_step ||
      chunk.window.first_game > chunk.window.end_game) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": expected steps and games of a chunk, found ", content));
  }
  return chunk;
}

}  // namespace chuhe
