#include "engine/eval/question_key.h"

#include <algorithm>
#include <array>

#include "engine/base/random.h"
#include "engine/board/tables.h"

namespace chuhe {
namespace {

constexpr int kMaxOccurrences = 3;
constexpr int kMaxNoCapturePlies = 120;
constexpr size_t kKinds = size_t{2} * kPieceTypes;

// A number for each kind of man on each point, other ones than in the board's own key; 0 off the
// board.
constexpr auto kSecondKeys = [] {
  std::array<std::array<uint64_t, kSquares + 1>, kKinds> keys{};
  uint64_t state = StreamId("second key of a question");
  for (auto& of_kind : keys) {
    for (int square = 0; square < kSquares; ++square) of_kind[square] = SplitMix64(state);
  }
  return keys;
}();

uint64_t SecondBoardKey(const Position& position) {
  uint64_t key = 0;
  for (int unit = 0; unit < kUnits; ++unit) {
    key += kSecondKeys[kKindOfUnit[unit]][position.square_of(static_cast<Unit>(unit))];
  }
  return key;
}

// Takes a word into both halves, mixed differently; either way one-to-one for given halves.
void Absorb(uint64_t word, QuestionKey* key) {
  uint64_t state = key->low ^ word;
  key->low = SplitMix64(state);
  state = (key->high + word) * 0xd6e8feb86659fd93;
  key->high = SplitMix64(state);
}

// The small numbers of a question in one word, each in bits of its own.
uint64_t CountersOf(const EvaluationRequest& request) {
  static_assert(kMaxChecksInARow < 16 && kMaxOccurrences < 4 && kMaxNoCapturePlies < 128);
  uint64_t word = static_cast<uint64_t>(std::min(request.occurrences, kMaxOccurrences));
  word = word << 7 | static_cast<uint64_t>(std::min(request.no_capture_plies, kMaxNoCapturePlies));
  for (const int checks : request.checks_in_a_row) word = word << 4 | static_cast<uint64_t>(checks);
  return word << 1 | static_cast<uint64_t>(Index(request.position.side_to_move()));
}

}  // namespace

QuestionKey SaltOf(std::string_view text) {
  QuestionKey salt;
  for (const char c : text) Absorb(static_cast<unsigned char>(c), &salt);
  Absorb(text.size(), &salt);
  return salt;
}

QuestionKey KeyOf(const EvaluationRequest& request, const QuestionKey& salt) {
  // Does not compile when a request gets another member: the key must then take it in.
  [[maybe_unused]] const auto& [position, occurrences, no_capture_plies, recent, checks, moves,
                                priors, wdl, plies_left] = request;
  QuestionKey key = {salt.low ^ position.key(), salt.high + SecondBoardKey(position)};
  Absorb(CountersOf(request), &key);
  uint64_t word = 0;  // four moves
  for (int i = 0; i < kRecentPlies; ++i) {
    word = word << 16 | recent[i].bits();
    if (i % 4 == 3 || i == kRecentPlies - 1) {
      Absorb(word, &key);
      word = 0;
    }
  }
  return key;
}

}  // namespace chuhe
