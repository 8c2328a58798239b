// Game records as bytes (FlatBuffers, game_record.fbs), and reading them from sources that nobody
// vouches for.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

inline constexpr size_t kMaxRecordBytes = size_t{4} << 20;
inline constexpr int kMaxRecordPlies = 10'000;

// What a game is known by: XXH3-128 of its bytes, most significant byte first. Not proof against
// forgery, which signatures are for.
struct GameId {
  std::array<uint8_t, 16> bytes{};

  // 32 hex digits.
  std::string Hex() const;
  friend bool operator==(const GameId&, const GameId&) = default;
  friend auto operator<=>(const GameId&, const GameId&) = default;
};
GameId IdOf(absl::string_view record_bytes);

// Equal records are equal bytes. Chances are rounded to 1/10,000 and plies left to whole ones;
// policies lose moves without weight and their order. An error names the ply and what is wrong with
// it: an illegal move, a policy without weight; or the field that is beyond its range.
absl::StatusOr<std::string> EncodeGame(const GameRecord& record);

enum class Judging {
  kTrust,    // the outcome as it is written
  kRejudge,  // an end by the rules must be what the rules say now, and not before the last ply
};

// Nothing is used before it is checked: the form, the start as ParseFen does, every move by replay,
// every policy move, that chances sum to 1, that outcome, end and reason go together. Errors name
// the ply (from 1, where there is one) and what was expected. Takes memory in proportion to the
// bytes.
absl::StatusOr<GameRecord> DecodeGame(absl::string_view bytes, Judging judging = Judging::kTrust);

}  // namespace chuhe
