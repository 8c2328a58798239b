#include "engine/search/mate_search.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "engine/board/attacks.h"
#include "engine/rules/material.h"
#include "engine/search/king_points.h"
#include "engine/search/stalemate_guard.h"

namespace chuhe {
namespace {

// By the length of mates looked for: the longer, the more positions there are to remember.
constexpr int kTableBits[] = {0, 0, 12, 14, 16, 18};
// In plies: nothing recurs earlier.
constexpr int kShortestLoop = 4;
// With more men on the board no draw is given by material.
constexpr int kMostMenForDraw = 12;

// Moves `move` to the place `place`, where it stands at or behind that.
bool BringForward(Move move, int place, MoveList* moves) {
  Move* const begin = moves->moves + place;
  Move* const end = moves->moves + moves->size;
  Move* const found = std::find(begin, end, move);
  if (found == end) return false;
  std::rotate(begin, found, found + 1);
  return true;
}

}  // namespace

void MateSearch::SetRoot(const Game& game, std::span<const Move> allowed) {
  position_ = game.position();
  allowed_.assign(allowed.begin(), allowed.end());
  const bool had_judged = !judged_.empty();
  judged_.clear();
  if (game.reversible_plies() >= kShortestLoop) {
    Game past = game;
    for (int back = game.reversible_plies(); back >= kShortestLoop; --back) {
      if (past.PliesSinceOccurrence() != 0) judged_.push_back(past.position().key());
      past.Unmake();
    }
  }
  if (had_judged || !judged_.empty()) table_.Clear();
  // A mate in n is there after 2n − 1 plies; one ply before, the limits must not be reached.
  int most_plies = 2 * kMostMoves;
  const GameOptions& options = game.options();
  most_plies = std::min(most_plies, NoCaptureLimit(options.rules) - game.no_capture_plies());
  if (options.ply_cap > 0) most_plies = std::min(most_plies, options.ply_cap - game.plies());
  most_moves_ = std::max(0, most_plies) / 2;
  is_done_ = false;
  mate_in_ = 0;
  line_.clear();
  steps_ = 0;
  frames_.clear();
  std::fill_n(&refutations_[0][0], 4 * kMostMoves, Move());
  excluded_ = allowed_.empty() ? table_.Find(position_.key()).excluded : 0;
}

void MateSearch::Run(int64_t steps) {
  const int64_t end = steps_ + steps;
  while (!is_done_ && steps_ < end) {
    if (frames_.empty()) {
      BeginIteration();
    } else {
      Step();
    }
  }
}

void MateSearch::BeginIteration() {
  const int mate_moves = excluded_ + 1;
  if (mate_moves > most_moves_) {
    is_done_ = true;
    return;
  }
  table_.Reserve(
      kTableBits[std::min<size_t>(static_cast<size_t>(mate_moves), std::size(kTableBits) - 1)]);
  const int result = EnterAttack(mate_moves, /*is_root=*/true);
  if (result != kUndecided) EndIteration(result);
}

void MateSearch::EndIteration(int result) {
  if (result == kNoMate) {
    ++excluded_;
    return;
  }
  mate_in_ = result;
  is_done_ = true;
  BuildLine();
}

bool MateSearch::IsEscape() const {
  if (!judged_.empty() &&
      std::find(judged_.begin(), judged_.end(), position_.key()) != judged_.end()) {
    return true;
  }
  return position_.occupied().count() <= kMostMenForDraw && IsInsufficientMaterial(position_);
}

int MateSearch::EnterAttack(int mate_moves, bool is_root) {
  const bool is_restricted = is_root && !allowed_.empty();
  const uint64_t key = position_.key();
  Move first;
  if (!is_restricted) {
    const MateEntry known = table_.Find(key);
    if (known.within != 0 && known.within <= mate_moves) {
      mate_move_ = known.move;
      return known.within;
    }
    if (known.excluded >= mate_moves) return kNoMate;
    first = known.move;
  }
  if (mate_moves == 1 && !is_restricted) {
    GenerateLegal(position_, &last_moves_);
    const Move mate = MateInOne(last_moves_);
    if (!mate) {
      table_.StoreExclusion(key, 1);
      return kNoMate;
    }
    mate_move_ = mate;
    table_.StoreMate(key, 1, mate);
    return 1;
  }
  Frame& frame = frames_.emplace_back();
  frame.is_attack = true;
  frame.mate_moves = mate_moves;
  MoveList& moves = frame.moves;
  GenerateLegal(position_, &moves);
  if (is_restricted) {
    Move* const end = std::remove_if(moves.moves, moves.moves + moves.size, [&](Move move) {
      return std::find(allowed_.begin(), allowed_.end(), move) == allowed_.end();
    });
    moves.size = static_cast<int>(end - moves.moves);
  }
  const Move mate = OrderAttack(&moves, first);
  if (mate) {
    mate_move_ = mate;
    if (!is_restricted) table_.StoreMate(key, 1, mate);
  } else if (mate_moves > 1) {
    return kUndecided;
  }
  frames_.pop_back();
  return mate ? 1 : kNoMate;
}

template <typename Quiet, typename Check>
Move MateSearch::SortAttack(const MoveList& moves, Quiet quiet, Check check) {
  const CheckFilter filter(position_.king_square(Opponent(position_.side_to_move())));
  const StalemateGuard guard(position_);
  for (const Move move : moves) {
    if (!filter.MayAttack(move) && guard.LeavesReply(move)) {
      quiet(move);
      continue;
    }
    const Undo undo = position_.Make(move);
    const bool is_check = InCheck(position_);
    const int replies = is_check || !guard.LeavesReply(move) ? CountLegal(position_) : 1;
    position_.Unmake(move, undo);
    if (replies == 0) return move;
    if (is_check) {
      check(move, replies);
    } else {
      quiet(move);
    }
  }
  steps_ += moves.size;
  return Move();
}

Move MateSearch::MateInOne(const MoveList& moves) {
  return SortAttack(
      moves, [](Move) {}, [](Move, int) {});
}

Move MateSearch::OrderAttack(MoveList* moves, Move first) {
  struct Check {
    Move move;
    int replies;
  };
  Check checks[kMaxMoves];
  int check_count = 0;
  int quiet_count = 0;
  Move quiets[kMaxMoves];
  const Move mate = SortAttack(
      *moves, [&](Move move) { quiets[quiet_count++] = move; },
      [&](Move move, int replies) {
        checks[check_count++] = {move, replies};
      });
  if (mate) return mate;
  std::stable_sort(checks, checks + check_count,
                   [](const Check& a, const Check& b) { return a.replies < b.replies; });
  Move* out = moves->moves;
  for (int i = 0; i < check_count; ++i) *out++ = checks[i].move;
  std::copy(quiets, quiets + quiet_count, out);
  BringForward(first, 0, moves);
  return Move();
}

void MateSearch::PushDefence(Move incoming, const Undo& undo, int mate_moves) {
  const size_t depth = frames_.size();
  Frame& frame = frames_.emplace_back();
  frame.mate_moves = mate_moves;
  frame.incoming = incoming;
  frame.undo = undo;
  GenerateLegal(position_, &frame.moves);
  int place = 0;
  for (const Move move : refutations_[depth]) {
    if (move && BringForward(move, place, &frame.moves)) ++place;
  }
  // Most often the attacker is taken, if he can be.
  for (int i = place; i < frame.moves.size; ++i) {
    if (frame.moves[i].to() != incoming.to()) continue;
    BringForward(frame.moves[i], place, &frame.moves);
    ++place;
  }
}

void MateSearch::Step() {
  Frame& frame = frames_.back();
  if (frame.next == frame.moves.size) {
    const bool is_mate = !frame.is_attack;
    Finish(is_mate ? frame.longest + 1 : kNoMate);
    return;
  }
  const int mate_moves = frame.mate_moves;
  const bool is_attack = frame.is_attack;
  const Move move = frame.moves[frame.next++];
  const Undo undo = position_.Make(move);
  ++steps_;
  const bool is_escape = IsEscape();
  if (is_attack && !is_escape) {
    PushDefence(move, undo, mate_moves - 1);
    return;
  }
  const int result = is_escape ? kNoMate : EnterAttack(mate_moves, /*is_root=*/false);
  if (result == kUndecided) {
    frames_.back().incoming = move;
    frames_.back().undo = undo;
    return;
  }
  position_.Unmake(move, undo);
  if (!is_attack) TakeReply(move, result);
}

void MateSearch::TakeReply(Move reply, int result) {
  Frame& frame = frames_.back();
  if (result != kNoMate) {
    frame.longest = std::max(frame.longest, result);
    return;
  }
  Move* const refutations = refutations_[frames_.size() - 1];
  if (refutations[0] != reply) refutations[1] = std::exchange(refutations[0], reply);
  Finish(kNoMate);
}

void MateSearch::Finish(int result) {
  while (true) {
    const Frame& done = frames_.back();
    const bool was_attack = done.is_attack;
    const bool is_root = frames_.size() == 1;
    if (was_attack && !(is_root && !allowed_.empty())) {
      if (result == kNoMate) {
        table_.StoreExclusion(position_.key(), done.mate_moves);
      } else {
        table_.StoreMate(position_.key(), result, mate_move_);
      }
    }
    if (is_root) {
      frames_.pop_back();
      EndIteration(result);
      return;
    }
    const Move incoming = done.incoming;
    position_.Unmake(incoming, done.undo);
    frames_.pop_back();
    if (was_attack) {
      TakeReply(incoming, result);
      return;
    }
    if (result == kNoMate) return;  // the attacker has other moves
    mate_move_ = incoming;
  }
}

MateEntry MateSearch::MateFrom(int most) {
  MateEntry known = table_.Find(position_.key());
  if (known.within != 0 && known.within <= most) return known;
  MateSearch search;
  search.position_ = position_;
  search.judged_ = judged_;
  search.most_moves_ = most;
  search.is_done_ = false;
  search.Run(std::numeric_limits<int64_t>::max() / 2);
  known.within = static_cast<uint8_t>(search.mate_in_);
  known.move = search.mate_move_;
  return known;
}

void MateSearch::BuildLine() {
  std::vector<std::pair<Move, Undo>> made;
  const auto make = [&](Move move) {
    made.emplace_back(move, position_.Make(move));
    line_.push_back(move);
  };
  make(mate_move_);
  for (int most = mate_in_ - 1; most > 0; --most) {
    MoveList replies;
    GenerateLegal(position_, &replies);
    Move reply;
    MateEntry longest;
    for (const Move move : replies) {
      const Undo undo = position_.Make(move);
      const MateEntry mate = MateFrom(most);
      position_.Unmake(move, undo);
      if (mate.within <= longest.within) continue;
      longest = mate;
      reply = move;
    }
    if (!reply) break;
    make(reply);
    make(longest.move);
  }
  while (!made.empty()) {
    position_.Unmake(made.back().first, made.back().second);
    made.pop_back();
  }
}

}  // namespace chuhe
