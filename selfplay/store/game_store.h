// Where finished games go: from those who play them to those who learn from them.
#pragma once

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "selfplay/records/record_bytes.h"

namespace chuhe {

// The player's side of a game store.
class GameStore {
 public:
  virtual ~GameStore() = default;

  // Hands over a record (EncodeGame). Blocks until it cannot be lost any more; the answer, the name
  // of the game, is the receipt. Putting a game again does nothing: games are kept once. After an
  // error it is not known whether the game was kept: put it again. Thread-safe.
  virtual absl::StatusOr<GameId> Put(absl::string_view record_bytes) = 0;
};

}  // namespace chuhe
