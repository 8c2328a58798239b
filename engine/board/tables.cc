#include "engine/board/tables.h"

namespace chuhe {
namespace {

struct Step {
  int file;
  int rank;
};

bool OnBoard(int file, int rank) {
  return file >= 0 && file < kFiles && rank >= 0 && rank < kRanks;
}

bool InPalace(int file, int rank) {
  return file >= 3 && file <= 5 && (rank <= 2 || rank >= 7) && OnBoard(file, rank);
}

void Add(Bitboard* set, int file, int rank) { *set |= Bitboard::Of(MakeSquare(file, rank)); }

LineReach ReachOnLine(int point, int men) {
  LineReach reach;
  for (const int step : {-1, 1}) {
    int met = 0;
    for (int p = point + step; p >= 0 && p < kLineLength && met < 2; p += step) {
      const int bit = 1 << p;
      const bool man = (men & bit) != 0;
      if (met == 0) reach.rook = static_cast<uint16_t>(reach.rook | bit);
      if (met == 1 && man) reach.cannon = static_cast<uint16_t>(reach.cannon | bit);
      if (man) ++met;
    }
  }
  return reach;
}

void FillLines(BoardTables* tables) {
  for (int men = 0; men < kLineStates; ++men) {
    for (int point = 0; point < kLineLength; ++point) {
      tables->line[point][men] = ReachOnLine(point, men);
    }
    int count = 0;
    for (int p = 0; p < kLineLength; ++p) {
      if ((men >> p & 1) != 0) tables->line_bits[men][count++] = static_cast<uint8_t>(p);
    }
  }
}

void FillKnight(BoardTables* tables, int file, int rank) {
  constexpr Step kLegs[4] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
  const Square from = MakeSquare(file, rank);
  for (int direction = 0; direction < 4; ++direction) {
    const Step leg = kLegs[direction];
    for (const int side : {-1, 1}) {
      const int to_file = file + 2 * leg.file + (leg.file == 0 ? side : 0);
      const int to_rank = rank + 2 * leg.rank + (leg.rank == 0 ? side : 0);
      if (!OnBoard(to_file, to_rank)) continue;
      tables->knight_leg[from][MakeSquare(to_file, to_rank)] =
          MakeSquare(file + leg.file, rank + leg.rank);
      for (int legs = 0; legs < 16; ++legs) {
        if ((legs >> direction & 1) != 0) Add(&tables->knight[from][legs], to_file, to_rank);
      }
    }
  }
}

void FillBishop(BoardTables* tables, int file, int rank) {
  constexpr Step kEyes[4] = {{-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
  for (int direction = 0; direction < 4; ++direction) {
    const int to_file = file + 2 * kEyes[direction].file;
    const int to_rank = rank + 2 * kEyes[direction].rank;
    if (!OnBoard(to_file, to_rank) || (rank <= 4) != (to_rank <= 4)) continue;
    for (int eyes = 0; eyes < 16; ++eyes) {
      if ((eyes >> direction & 1) == 0) continue;
      Add(&tables->bishop[MakeSquare(file, rank)][eyes], to_file, to_rank);
    }
  }
}

void FillPalace(BoardTables* tables, int file, int rank) {
  if (!InPalace(file, rank)) return;
  const Square from = MakeSquare(file, rank);
  for (int file_step = -1; file_step <= 1; ++file_step) {
    for (int rank_step = -1; rank_step <= 1; ++rank_step) {
      const int length = (file_step != 0) + (rank_step != 0);
      if (length == 0 || !InPalace(file + file_step, rank + rank_step)) continue;
      Add(length == 1 ? &tables->king[from] : &tables->advisor[from], file + file_step,
          rank + rank_step);
    }
  }
}

void FillPawn(BoardTables* tables, Color color, int file, int rank) {
  const Square from = MakeSquare(file, rank);
  const int forward = color == Color::kRed ? 1 : -1;
  constexpr int kSideways[2] = {-1, 1};
  Bitboard* targets = &tables->pawn[Index(color)][from];
  if (OnBoard(file, rank + forward)) Add(targets, file, rank + forward);
  if (IsAcrossRiver(color, from)) {
    for (const int step : kSideways) {
      if (OnBoard(file + step, rank)) Add(targets, file + step, rank);
    }
  }
  ForEachSquare(*targets,
                [&](Square to) { Add(&tables->pawn_attackers[Index(color)][to], file, rank); });
}

void FillBetween(BoardTables* tables, int file, int rank) {
  const Square from = MakeSquare(file, rank);
  constexpr Step kSteps[4] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
  for (const Step step : kSteps) {
    Bitboard passed;
    for (int f = file + step.file, r = rank + step.rank; OnBoard(f, r);
         f += step.file, r += step.rank) {
      tables->between[from][MakeSquare(f, r)] = passed;
      Add(&passed, f, r);
    }
  }
}

BoardTables Build() {
  BoardTables tables{};
  FillLines(&tables);
  for (auto& row : tables.knight_leg) {
    for (uint8_t& leg : row) leg = kNoSquare;
  }
  for (int rank = 0; rank < kRanks; ++rank) {
    for (int file = 0; file < kFiles; ++file) {
      FillKnight(&tables, file, rank);
      FillBishop(&tables, file, rank);
      FillPalace(&tables, file, rank);
      FillPawn(&tables, Color::kRed, file, rank);
      FillPawn(&tables, Color::kBlack, file, rank);
      FillBetween(&tables, file, rank);
    }
  }
  return tables;
}

}  // namespace

const BoardTables kTables = Build();

}  // namespace chuhe
