// Games of a match as PGN that other programs read.
#pragma once

#include <string>

#include "engine/rules/notation/notation.h"
#include "selfplay/match/match.h"

namespace chuhe {

struct PgnStyle {
  Notation notation = Notation::kIccs;  // kIccs, kWxf or kChinese
  bool comments = true;                 // {score/depth seconds} behind each move of play
  std::string event = "Match";
  std::string date = "????.??.??";
};

std::string FormatPgn(const MatchOptions& options, const PlayedGame& played, const PgnStyle& style);

}  // namespace chuhe
