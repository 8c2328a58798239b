#include "engine/protocol/move_list.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/board/movegen.h"
#include "engine/rules/notation/move_error.h"

namespace chuhe {
namespace {

RankBase Other(RankBase base) { return base == RankBase::kZero ? RankBase::kOne : RankBase::kZero; }

MoveListReading ReadSequence(const Position& start, std::span<const std::string> words,
                             RankBase base) {
  MoveListReading reading{.moves = {}, .base = base, .fault = {}};
  Position position = start;
  for (const std::string& word : words) {
    const std::optional<Move> move = ParseUci(word, base);
    if (!move || !IsLegal(position, *move)) {
      reading.fault = "move " + std::to_string(reading.moves.size() + 1) + " " + QuotedText(word) +
                      (move ? " is illegal: " + WhyIllegal(position, *move) : " is no move");
      break;
    }
    position.Make(*move);
    reading.moves.push_back(*move);
  }
  return reading;
}

std::vector<Move> LegalOnes(const Position& position, std::span<const std::string> words,
                            RankBase base) {
  std::vector<Move> moves;
  for (const std::string& word : words) {
    const std::optional<Move> move = ParseUci(word, base);
    const bool is_new = move && std::find(moves.begin(), moves.end(), *move) == moves.end();
    if (is_new && IsLegal(position, *move)) {
      moves.push_back(*move);
    }
  }
  return moves;
}

}  // namespace

MoveListReading ReadMoveList(const Position& start, std::span<const std::string> words,
                             RankBase preferred) {
  MoveListReading reading = ReadSequence(start, words, preferred);
  if (reading.fault.empty()) {
    return reading;
  }
  MoveListReading other = ReadSequence(start, words, Other(preferred));
  return other.moves.size() > reading.moves.size() ? std::move(other) : std::move(reading);
}

std::vector<Move> ReadAlternatives(const Position& position, std::span<const std::string> words,
                                   RankBase preferred) {
  std::vector<Move> moves = LegalOnes(position, words, preferred);
  if (moves.size() == words.size()) {
    return moves;
  }
  std::vector<Move> others = LegalOnes(position, words, Other(preferred));
  return others.size() > moves.size() ? std::move(others) : std::move(moves);
}

}  // namespace chuhe
