#include "engine/search/book_searcher.h"

#include <utility>
#include <vector>

namespace chuhe {

BookSearcher::BookSearcher(OpeningBook book, uint64_t seed, std::unique_ptr<Searcher> searcher)
    : book_(std::move(book)),
      random_(seed, StreamId("book")),
      searcher_(std::move(searcher)),
      game_(Position::Start()) {}

void BookSearcher::SetGame(const Game& game) {
  game_ = game;
  searcher_->SetGame(game);
}

Move BookSearcher::DrawBookMove() {
  // A move that repeats the position is the book's no longer: the game has left what it knows.
  if (game_.PliesSinceOccurrence() != 0) return Move();
  const std::vector<BookMove> moves = book_.MovesOf(game_.position());
  uint64_t sum = 0;
  for (const BookMove& move : moves) sum += static_cast<uint64_t>(move.weight);
  if (sum == 0) return Move();
  uint64_t left = random_.Below(sum);
  for (const BookMove& move : moves) {
    if (left < static_cast<uint64_t>(move.weight)) return move.move;
    left -= static_cast<uint64_t>(move.weight);
  }
  return Move();
}

SearchResult BookSearcher::Search(const SearchLimits& limits, const SearchSignal& signal,
                                  const ProgressSink& sink) {
  const bool is_plain = !limits.infinite && !limits.ponder && limits.multipv == 1 &&
                        limits.search_moves.empty() && limits.banned_moves.empty();
  if (is_plain) {
    if (const Move move = DrawBookMove()) {
      SearchResult result;
      result.best_move = move;
      return result;
    }
  }
  return searcher_->Search(limits, signal, sink);
}

}  // namespace chuhe
