#include "engine/rules/notation/notation.h"

#include <cassert>

#include "engine/rules/notation/chinese.h"
#include "engine/rules/notation/coordinates.h"
#include "engine/rules/notation/wxf.h"

namespace chuhe {
namespace {

constexpr std::string_view kNames[] = {"iccs", "uci", "fairy", "wxf", "chinese", "traditional"};

}  // namespace

std::span<const std::string_view> NotationNames() { return kNames; }

std::optional<Notation> NotationNamed(std::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) {
      return static_cast<Notation>(i);
    }
  }
  return std::nullopt;
}

void AppendMove(const Position& position, Move move, Notation notation, std::string* text) {
  assert(position.unit_at(move.from()) != kNoUnit &&
         ColorOf(position.unit_at(move.from())) == position.side_to_move());
  switch (notation) {
    case Notation::kIccs:
      AppendIccs(move, text);
      break;
    case Notation::kUci:
      AppendUci(move, RankBase::kZero, text);
      break;
    case Notation::kFairy:
      AppendUci(move, RankBase::kOne, text);
      break;
    case Notation::kWxf:
      AppendWxf(position, move, text);
      break;
    case Notation::kChinese:
    case Notation::kTraditional:
      AppendChinese(position, move, notation == Notation::kTraditional, text);
      break;
  }
}

std::string WriteMove(const Position& position, Move move, Notation notation) {
  std::string text;
  AppendMove(position, move, notation, &text);
  return text;
}

std::string WriteMoves(const Position& start, std::span<const Move> moves, Notation notation) {
  std::string text;
  Position position = start;
  for (const Move move : moves) {
    if (!text.empty()) {
      text.push_back(' ');
    }
    AppendMove(position, move, notation, &text);
    position.Make(move);
  }
  return text;
}

}  // namespace chuhe
