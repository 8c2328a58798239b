// Positions with several men of a kind on a file, and the same from the other side of the board: a
// text means the turned move there.
#pragma once

#include <string>
#include <string_view>

#include "engine/board/position.h"

namespace chuhe {

// The board turned, the colours exchanged.
Position TurnedPosition(const Position& position);
std::string TurnedMove(std::string_view squares);

inline constexpr char kRooks[] = "3k5/9/2R6/9/9/2R6/9/9/9/4K4 w";
inline constexpr char kKnights[] = "3k5/9/9/2N6/9/9/2N6/9/9/4K4 w";
inline constexpr char kCannons[] = "3k5/9/9/2C6/9/9/2C6/9/9/4K4 w";
inline constexpr char kPawnsAndOne[] = "3k5/9/2P6/2P3P2/9/9/9/9/9/4K4 w";
inline constexpr char kThree[] = "3k5/9/2P6/2P6/2P6/9/9/9/9/4K4 w";
inline constexpr char kThreeAndOne[] = "3k5/9/2P6/2P6/2P6/6P2/9/9/9/4K4 w";
inline constexpr char kFour[] = "3k5/2P6/2P6/2P6/2P6/9/9/9/9/4K4 w";
inline constexpr char kFive[] = "2P2k3/2P6/2P6/2P6/2P6/9/9/9/9/4K4 w";
inline constexpr char kTwoAndTwo[] = "3k5/9/2P3P2/2P3P2/9/9/9/9/9/4K4 w";
inline constexpr char kTwoAndTwoAndOne[] = "3k5/9/2P3P2/2P3P2/9/P8/9/9/9/4K4 w";
inline constexpr char kTwoRightThreeLeft[] = "3k5/9/2P3P2/2P3P2/2P6/9/9/9/9/4K4 w";
inline constexpr char kThreeRightTwoLeft[] = "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/4K4 w";
inline constexpr char kAdvisors[] = "3k5/9/9/9/9/9/9/3A5/9/3AK4 w";
inline constexpr char kBishops[] = "3k5/9/9/9/9/2B6/9/9/9/2B1K4 w";

}  // namespace chuhe
