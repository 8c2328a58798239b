// Capture threats as the repetition rules see them: which unit chases which.
#pragma once

#include <array>
#include <cstdint>

#include "engine/board/position.h"
#include "engine/board/types.h"

namespace chuhe {

// A set of (attacker, victim) pairs of one attacking side.
struct PairSet {
  std::array<UnitSet, kUnitsPerSide> victims_of{};  // by attacker, counted within its side

  void Add(Unit attacker, Unit victim) { victims_of[attacker % kUnitsPerSide] |= UnitBit(victim); }
  bool Contains(Unit attacker, Unit victim) const {
    return (victims_of[attacker % kUnitsPerSide] & UnitBit(victim)) != 0;
  }
  UnitSet victims() const;
  // Attackers of any of the victims.
  UnitSet AttackersOf(UnitSet victims, Color attacking_side) const;
  friend PairSet operator-(const PairSet& a, const PairSet& b);
  friend PairSet operator&(const PairSet& a, const PairSet& b);
};

// The threats of one side in one position, as if it were that side's move.
struct Threats {
  // Captures that add no attacker on the own king, by rooks, knights, cannons, advisors and
  // bishops. A check that stands already is tolerated. Kings and pawns may threaten for ever, and
  // neither kings nor pawns that have not crossed the river are objects.
  PairSet captures;
  // Those of them that are chases: of a unit that is not protected by a legal recapture, or of one
  // that is worth more (a rook by knight or cannon; rook, knight or cannon by advisor or bishop).
  // Men of a kind that may take each other do not chase.
  PairSet chases;
};

Threats FindThreats(const Position& position, Color side);

// Whether taking with `attacker` on `square` leaves no attacker on the own king that was not
// there before. `board` has the attacker's side to move and is left as it was.
bool IsBareCapture(Position* board, Unit attacker, Square square, UnitSet attackers_before);

// Whether the victim could legally take its attacker, were it its side's move.
bool MayTakeBack(const Position& position, Unit victim, Unit attacker);

// Whether the side to move of `board` can legally take on `square`.
bool CanLegallyTake(Position* board, Square square);

// Whether a unit is an object of chases where it stands.
bool IsObject(const Position& position, Unit unit);

}  // namespace chuhe
