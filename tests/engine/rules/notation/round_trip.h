// Writes every legal move of a position in every notation and reads it back.
#pragma once

#include "engine/base/random.h"
#include "engine/board/position.h"

namespace chuhe {

// Fails the test with the FEN where a text reads back as another move, or not at all. That also
// shows that no two moves of the position are written alike.
void ExpectRoundTrips(const Position& position);

// As many positions of random play from the start position, in games of up to 150 plies.
void ExpectRoundTripsInRandomPlay(uint64_t seed, int positions);

// As many composed positions, full of tandems: pawns crowded on one to three files, pairs of other
// men on a file.
void ExpectRoundTripsInComposedPositions(uint64_t seed, int positions);

}  // namespace chuhe
