#include <string>

#include "selfplay/match/openings.h"

namespace chuhe {
namespace {

// Made by `chuhe match --make-openings` (docs/match.md says from what); the most frequent ones
// first.
constexpr const char* kLines[] = {
    "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0a2 g6g5", "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 b0c2 i8d8",
    "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 g3g4 b7e7", "h2e2 h7e7 i0i1 h9g7 h0g2 i9h9 i1d1 h9h5",
    "h2e2 h7e7 h0g2 h9g7 i0h0 g6g5 b0c2 b9c7", "c3c4 b7c7 h2e2 c9e7 h0g2 c6c5 b0a2 c5c4",
    "h2e2 h9g7 h0g2 i9h9 c3c4 h7i7 b0c2 h9h4", "c3c4 g6g5 h2g2 g9e7 h0i2 h9g7 i0h0 i9h9",
    "g0e2 b9c7 g3g4 c6c5 h0g2 g9e7 b0a2 a9a8", "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 g3g4 i8d8",
    "c3c4 b7c7 b2e2 h7e7 h0g2 h9g7 i0h0 c6c5", "h2e2 b9c7 h0g2 h7f7 i0h0 h9g7 b0a2 g6g5",
    "h2e2 h7e7 h0g2 h9g7 i0h0 g6g5 c3c4 b9c7", "h2e2 b9c7 h0g2 h7f7 g3g4 c6c5 b0a2 g9e7",
    "g0e2 b7d7 a0a1 b9c7 a1d1 h9g7 b0a2 a9b9", "h2d2 h9g7 h0g2 i9h9 g3g4 h7i7 b0c2 c6c5",
    "h2e2 h7e7 h0g2 h9g7 i0h0 g6g5 c3c4 b7b3", "h2e2 h9g7 h0g2 g6g5 i0h0 i9h9 c3c4 h7h3",
    "h2e2 h7e7 h0g2 h9g7 i0h0 g6g5 b0a2 b9c7", "c3c4 b7c7 h2e2 h7e7 h0g2 h9g7 i0h0 b9a7",
    "h2f2 b7e7 b0c2 b9c7 h0g2 h9i7 a0b0 a9b9", "g3g4 h7g7 b2e2 g9e7 f0e1 c6c5 b0c2 b9c7",
    "g0e2 h7d7 h0g2 h9g7 i0h0 g6g5 h2i2 c9e7", "c3c4 b7c7 h2e2 c9e7 b0a2 h9g7 h0g2 g6g5",
    "h2f2 b7e7 b0c2 b9c7 h0g2 h9i7 i0h0 i9h9", "b0c2 c6c5 g3g4 b9c7 h0g2 a9a8 a0a1 a8g8",
    "c3c4 b7c7 h2e2 c9e7 d0e1 h9g7 h0g2 i9h9", "b0c2 c6c5 g3g4 b9c7 h0g2 a9a8 h2i2 h9g7",
    "g0e2 h7d7 h0g2 g6g5 i0h0 h9g7 c3c4 i9h9", "h2e2 h9g7 h0g2 i9h9 c3c4 h7i7 b0c2 c9e7",
    "f0e1 h7e7 h2d2 h9g7 h0g2 i9h9 g0e2 b9c7", "h2d2 h9g7 h0g2 i9h9 c3c4 g6g5 b0c2 b9a7",
    "c3c4 g6g5 h2g2 c9e7 h0i2 h9g7 i0h0 i9h9", "h2e2 b9c7 h0g2 h7f7 i0h0 h9g7 b2d2 g6g5",
    "g0e2 h7d7 h0g2 h9g7 i0h0 g6g5 c3c4 i9i8", "c3c4 g6g5 h2g2 h7e7 b0c2 h9g7 c0e2 i9h9",
    "h2e2 h9g7 h0g2 i9h9 b0c2 c6c5 i0i1 b9c7", "g0e2 c6c5 b2c2 c9e7 b0a2 b9c7 a0b0 a9b9",
    "h2d2 h7e7 h0g2 h9g7 i0h0 b9c7 c3c4 i9i8", "g0e2 b7d7 g3g4 b9c7 b0c2 a9b9 a0b0 c6c5",
    "h2e2 h7e7 h0g2 h9g7 i0h0 g6g5 b0a2 i9i8", "b0c2 c6c5 g3g4 b9c7 h0g2 a9a8 a0a1 g9e7",
    "c3c4 b7c7 h2e2 c9e7 b0a2 h9g7 h0g2 i9h9", "c3c4 g6g5 h2g2 h7e7 b0c2 h9g7 c0e2 g7f5",
    "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 f0e1 i8d8", "h2d2 h7e7 h0g2 h9g7 i0h0 i9i8 h0h6 i8d8",
    "b0c2 c6c5 g3g4 b9c7 h0g2 a9a8 i0i1 g9e7", "h2e2 b9c7 c3c4 g6g5 h0g2 h7f7 i0i1 h9g7",
    "c3c4 b7c7 h2e2 h7e7 h0g2 b9a7 b0c2 a9b9", "g0e2 g6g5 c3c4 h9g7 b0c2 c9e7 h0f1 b9d8",
    "g0e2 h7e7 b0c2 h9g7 h0g2 i9h9 i0h0 g6g5", "h2e2 h9g7 h0g2 g6g5 b2d2 b9c7 i0h0 i9h9",
    "h0g2 g6g5 c3c4 h9g7 b0c2 i9i8 h2i2 g7h5", "h2e2 h9g7 h0g2 b9c7 c3c4 g6g5 b0c2 b7b3",
    "h2e2 h7e7 h0g2 i9i8 i0h0 h9g7 b2d2 i8d8", "h2e2 h7e7 h0g2 h9g7 i0h0 g6g5 b0c2 i9i8",
    "h2e2 b9c7 h0g2 h7f7 g3g4 h9g7 b0a2 i9h9", "c3c4 h9g7 g3g4 h7i7 h0g2 i9h9 i0h0 h9h5",
    "g0e2 h7d7 h0g2 h9g7 i0h0 g6g5 c3c4 b7c7", "g0e2 b9c7 g3g4 c6c5 h0g2 h9i7 b0a2 c9e7",
    "h2e2 h7e7 h0g2 h9g7 i0h0 b9c7 b0a2 i9i8", "g0e2 b9c7 c3c4 h7e7 h0g2 h9g7 i0h0 i9h9",
    "h2e2 h7e7 h0g2 h9g7 g3g4 i9i8 b0c2 i8d8", "c3c4 h7e7 h0g2 h9g7 i0h0 i9h9 b0c2 h9h5",
    "g0e2 h7f7 h0g2 g6g5 c3c4 h9g7 b0c2 i9h9", "b0c2 c6c5 g3g4 b9c7 h0g2 a9a8 h2i2 a8g8",
    "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 h0h4 i8d8", "h2e2 h9g7 h0g2 g6g5 c3c4 b9c7 b0c2 g9e7",
    "h2e2 h9g7 h0g2 i9h9 c3c4 h7i7 b0c2 h9h5", "h2e2 h9g7 h0g2 i9h9 g3g4 h7i7 b0c2 b9c7",
    "h2f2 g6g5 h0i2 h9g7 i0h0 i9h9 h0h6 h7i7", "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 b0a2 h7h3",
    "h2e2 b9c7 h0g2 h7f7 g3g4 h9g7 b0a2 i9i8", "h2e2 h9g7 h0g2 i9h9 b0c2 c6c5 b2a2 b9c7",
    "b0c2 c6c5 h2f2 h9i7 h0g2 b9c7 i0h0 h7g7", "b0c2 c6c5 h2f2 b9c7 h0g2 h7d7 i0h0 h9g7",
    "g0e2 b7d7 b0c2 c6c5 g3g4 b9c7 h0g2 a9b9", "c3c4 h9g7 b0c2 g6g5 a0a1 c9e7 g0e2 i9i8",
    "h2d2 h7e7 h0g2 h9g7 i0h0 i9i8 b0c2 i8d8", "g0e2 b9c7 c3c4 h7e7 b0c2 h9g7 h0g2 i9h9",
    "h2d2 h7e7 h0g2 h9g7 i0h0 i9i8 h0h4 i8d8", "g0e2 h7f7 c3c4 h9g7 h0g2 i9h9 i0h0 g6g5",
    "c0e2 b7e7 b0c2 b9c7 a0b0 a9b9 h0g2 h7f7", "g0e2 h9g7 g3g4 c6c5 h0g2 b9c7 b0a2 g9e7",
    "h2e2 b9c7 h0g2 h7f7 i0h0 h9g7 b2d2 i9i8", "h2e2 h9g7 g3g4 i9h9 h0g2 b7e7 b0c2 b9c7",
    "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 b0a2 i8d8", "h2e2 b9c7 h0g2 h9g7 c3c4 g6g5 b0c2 g7h5",
    "c3c4 g6g5 b0c2 h9g7 b2a2 b7f7 a0b0 b9c7", "c3c4 g6g5 h2g2 b7e7 b0c2 b9c7 a0b0 a9b9",
    "h2e2 b9c7 h0g2 h7f7 g3g4 c6c5 b0a2 c9e7", "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 b0c2 g6g5",
    "g0e2 b9c7 g3g4 c6c5 h0g2 c7d5 f0e1 h7d7", "g0e2 h7e7 h0g2 h9g7 g3g4 i9h9 i0h0 h9h3",
    "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 b0c2 b7e7", "g0e2 h7d7 h0g2 h9g7 i0h0 g6g5 c3c4 c9e7",
    "g0e2 b7d7 g3g4 b9c7 b0a2 a9b9 a0b0 h7e7", "h2e2 h9g7 h0g2 i9h9 c3c4 h7i7 b0c2 b9c7",
    "b0c2 c6c5 g3g4 b9c7 h2e2 h9g7 h0g2 i9h9", "h2e2 h7e7 i0i1 h9g7 h0g2 i9h9 b0c2 b9c7",
    "h0g2 g6g5 b2d2 b9c7 b0c2 a9b9 c3c4 b7a7", "g0e2 h7e7 b0c2 h9g7 h2f2 i9h9 h0g2 c6c5",
    "g0e2 b7d7 b0c2 c6c5 a0b0 b9c7 b2a2 h9g7", "c3c4 b7c7 h2e2 h7e7 h0g2 h9g7 i0h0 i9i8",
    "c3c4 c9e7 b2e2 g6g5 h0i2 h9g7 h2g2 i9h9", "c3c4 h7e7 h0g2 h9g7 i0h0 g6g5 b0c2 i9h9",
    "g3g4 c6c5 b2c2 h7e7 h0g2 h9g7 i0h0 b9c7", "h2d2 g6g5 h0g2 h9g7 i0h0 i9h9 h0h4 h7i7",
    "h2e2 h9g7 h0g2 b9c7 b0c2 g6g5 i0i1 i9h9", "h2e2 h7e7 h0g2 i9i8 i0h0 h9g7 b0a2 a6a5",
    "g0e2 h7e7 h0g2 h9g7 i0h0 i9h9 g3g4 b7d7", "g0e2 h7d7 h0g2 g6g5 i0h0 h9g7 h2i2 b9a7",
    "h0g2 g6g5 b2e2 b9c7 b0c2 a9b9 a0a1 b7a7", "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 c3c4 i8d8",
    "g0e2 h7d7 h0g2 h9g7 i0h0 g6g5 h2i2 b9c7", "h2d2 h7e7 h0g2 h9g7 f0e1 i9h9 g0e2 h9h5",
    "g3g4 c6c5 h0g2 b9c7 g0e2 h9g7 b0a2 a6a5", "h0g2 g6g5 b2e2 b9c7 b0c2 a9b9 a0b0 b7b3",
    "b0c2 c6c5 g3g4 b9c7 h0g2 h9g7 b2b6 c7b5", "h0g2 g6g5 c3c4 h9g7 b0c2 i9i8 h2i2 c9e7",
    "b0c2 c6c5 g3g4 b9c7 h0g2 g9e7 h2i2 h9g7", "g0e2 h7e7 h0g2 h9g7 b0c2 b9a7 g3g4 i9h9",
    "h2e2 h9g7 g3g4 i9h9 h0g2 h7i7 b0c2 c9e7", "h2e2 h7e7 h0g2 h9g7 i0h0 g6g5 c3c4 i9i8",
    "c3c4 c9e7 b0c2 h9g7 h2d2 g6g5 h0g2 i9h9", "c3c4 c9e7 b0c2 g6g5 g0e2 h9g7 h0f1 i9i8",
    "c3c4 h7e7 h0g2 h9g7 i0h0 i9h9 h2h6 b7c7", "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 b0a2 h7h3",
    "h0g2 g6g5 b2d2 b9c7 b0c2 a9b9 c3c4 h9g7", "h2e2 h9g7 g3g4 b7e7 h0g2 b9c7 b0c2 a9b9",
    "g3g4 g9e7 h2e2 b9c7 h0g2 c6c5 i0h0 h9f8", "c3c4 h9g7 b2e2 g6g5 b0c2 c9e7 h0i2 b9d8",
    "h2e2 h9g7 h0g2 i9h9 i0h0 h7h3 c3c4 b7e7", "g0e2 b7f7 c3c4 b9c7 b2d2 a9b9 b0c2 h9g7",
    "c3c4 h9g7 g3g4 b7c7 g0e2 b9a7 b0c2 a9b9", "g0e2 h7d7 g3g4 h9g7 h2f2 i9h9 h0g2 c6c5",
    "b0c2 c6c5 g3g4 b9c7 h0g2 a9a8 i0i1 a8g8", "b0c2 c6c5 g3g4 b9c7 h0g2 h9i7 c0e2 i9i8",
    "c3c4 b7c7 g0e2 b9a7 b0c2 a9b9 c2d4 h9g7", "c3c4 b7c7 h2e2 h7e7 h0g2 b9a7 b2d2 h9g7",
    "g0e2 h7d7 c3c4 h9g7 h0i2 i9h9 i0h0 h9h5", "c3c4 c9e7 b2d2 g6g5 b0c2 h9g7 a0b0 b9d8",
    "g0e2 g6g5 b0a2 h9g7 a0a1 g9e7 a1g1 b9a7", "h2e2 b9c7 h0g2 h7f7 i0h0 h9g7 e3e4 f7e7",
    "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 b2d2 h7h3", "c3c4 b7e7 b0c2 b9c7 h0g2 g6g5 a0b0 h9g7",
    "h2d2 i9i8 h0g2 i8d8 f0e1 h7e7 i0h0 h9g7", "g0e2 c6c5 b2c2 g9e7 b0a2 b9c7 a0b0 a9b9",
    "h2e2 h9g7 g3g4 i9h9 h0g2 h7i7 b0c2 h9h5", "g0e2 b7d7 b0a2 a6a5 a0b0 b9a7 b2d2 g9e7",
    "h0g2 g6g5 c3c4 h9g7 b0c2 i9i8 g0e2 c6c5", "b0c2 c6c5 g3g4 b9c7 h0g2 a9a8 h2i2 g9e7",
};

}  // namespace

std::vector<Opening> BuiltinOpenings() {
  std::vector<Opening> openings;
  for (const char* const line : kLines) {
    openings.push_back(*ParseOpening(std::string("startpos moves ") + line));
  }
  return openings;
}

}  // namespace chuhe
