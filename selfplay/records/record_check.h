// What must hold of a game record apart from the legality of its moves.
#pragma once

#include "absl/status/status.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

inline constexpr int kMaxRecordNetworks = 1000;
inline constexpr int kSha256Bytes = 32;

// Numbers in their ranges; networks in rising order of their plies; outcome, end and reason that go
// together. Errors name the field and what was expected.
absl::Status CheckFields(const GameRecord& record);

// An end by the rules: replays the game, whose moves must be legal, and asks the judge. The verdict
// must be the record's, and there must be none before the last ply.
absl::Status Rejudge(const GameRecord& record);

}  // namespace chuhe
