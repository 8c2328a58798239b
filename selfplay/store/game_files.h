// The games of whatever files hold games: shards, folders of them, tables, PGN.
#pragma once

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "selfplay/records/game_record.h"
#include "selfplay/records/record_bytes.h"

namespace chuhe {

// Gets a game and where it is from (`FILE: game 3`), or what is wrong there. The error of a game
// that cannot be read names its place, and may stand for several games of one file. False: no more
// games.
using GameVisitor =
    std::function<bool(const std::string& place, const absl::StatusOr<GameRecord>& game)>;

// Shows the games of a path in order: of a file *.games, *.tsv or *.pgn, the last two also with
// .zst behind, or of all files *.games in and below a folder, but for those in quarantine. A game
// that is in several shards, as it is while it moves from one to the other, is shown once. An
// error, before any game is shown, if the path is none of these or cannot be read.
absl::Status VisitGames(const std::string& path, Judging judging, const GameVisitor& visitor);

}  // namespace chuhe
