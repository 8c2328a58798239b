// The entries of the journal of games under way, as bytes.
//
//   entry    size u32 | check u32 | payload             check: of the payload, the start of
//   XXH3-128 payload  kind u8 | number u64 | …                   all numbers little-endian
//
// docs/selfplay.md lists what follows for each kind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "selfplay/records/game_record.h"

namespace chuhe {

enum class JournalKind : uint8_t {
  kNext = 0,      // the number that the next game will have
  kGame = 1,      // a game as it stands: a record
  kPly = 2,       // another ply of it
  kFinished = 3,  // its final record
  kStored = 4,    // the store has it
};

struct JournalEntry {
  JournalKind kind = JournalKind::kNext;
  int64_t number = 0;
  std::string record;       // of kGame and kFinished
  int ply = 0;              // of kPly: its place, from 0
  PlyRecord played;         // of kPly
  int64_t evaluations = 0;  // of kPly: of the game so far
};

void AppendEntry(const JournalEntry& entry, std::string* bytes);
void AppendPlyEntry(int64_t number, int ply, const PlyRecord& played, int64_t evaluations,
                    std::string* bytes);

// Takes an entry from the front of `bytes`; none if what is there is no whole entry.
std::optional<JournalEntry> TakeEntry(absl::string_view* bytes);

}  // namespace chuhe
