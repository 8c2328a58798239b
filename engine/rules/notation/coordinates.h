// Moves as pairs of squares: `h2e2` and `H2-E2` with ranks 0–9, `h3e3` with ranks 1–10.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/board/types.h"

namespace chuhe {

// What Red's home rank is called. UCCI, ICCS and Pikafish say 0; Fairy-Stockfish and the UCI GUIs
// that count like chess say 1.
enum class RankBase : uint8_t { kZero, kOne };

// h2e2, or h3e3 and a10a9 with ranks from one.
std::string FormatUci(Move move, RankBase base = RankBase::kZero);
// H2-E2.
std::string FormatIccs(Move move);
void AppendUci(Move move, RankBase base, std::string* text);
void AppendIccs(Move move, std::string* text);

// The same from the whole of a text: `h2e2`, `H2E2`, `h2-e2`, `H2-E2`; the dash forms have ranks
// 0–9 in any case. Nothing where the text is no such move.
std::optional<Move> ParseUci(std::string_view text, RankBase base = RankBase::kZero);

// Two squares as written, before it is known which ranks are meant.
struct CoordinateMove {
  uint8_t from_file = 0;
  uint8_t from_rank = 0;  // 0–10
  uint8_t to_file = 0;
  uint8_t to_rank = 0;
  bool dashed = false;

  bool HasRank(int rank) const { return from_rank == rank || to_rank == rank; }
  // Nothing where a rank is off the board.
  std::optional<Move> ToMove(RankBase base) const;
};

struct CoordinateReading {
  CoordinateMove move;
  size_t bytes = 0;
};

// Reads the pair of squares that starts at `offset`; nothing where none does.
std::optional<CoordinateReading> ReadCoordinates(std::string_view text, size_t offset);

}  // namespace chuhe
