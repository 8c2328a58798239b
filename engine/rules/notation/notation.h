// Moves as people and programs write them: the list of notations, and writing in each.
//
// docs/notation.md says which school is written and what is read. Reading: move_text.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/board/position.h"
#include "engine/board/types.h"

namespace chuhe {

enum class Notation : uint8_t {
  kIccs,         // H2-E2
  kUci,          // h2e2, ranks 0–9
  kFairy,        // h3e3, ranks 1–10
  kWxf,          // C2.5
  kChinese,      // 炮二平五
  kTraditional,  // 炮二平五 with 車 馬 帥 將 進 後
};

// iccs, uci, fairy, wxf, chinese, traditional, in the order of the enum.
std::span<const std::string_view> NotationNames();
std::optional<Notation> NotationNamed(std::string_view name);

// The move must be legal in the position (more exactly, a man of the side to move must stand on its
// first square).
std::string WriteMove(const Position& position, Move move, Notation notation);
void AppendMove(const Position& position, Move move, Notation notation, std::string* text);

// The moves one after the other from the position, separated by blanks.
std::string WriteMoves(const Position& start, std::span<const Move> moves, Notation notation);

}  // namespace chuhe
