// The shortest mate, proven by trying everything: first all mates in one, then in two, and so on,
// each with all replies. So a mate that it finds is the shortest, and what it has excluded is not
// there. The tree search lets it run beside itself, a few steps a visit.
//
//   attack   one move that mates is enough      every move has been tried: no mate in n
//   defend     all replies must be mated in n−1     one reply that is not: the next attack
//
// Most attacks fail, each by the first reply that is tried if that is the right one; so replies
// that have refuted the moves before are tried first, and the work grows by about the number of
// the attacker's moves with each move, not by the square. A stalemate counts as a mate.
//
// It can be stopped after any step and go on later, for which it keeps its own stack.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/board/movegen.h"
#include "engine/board/position.h"
#include "engine/board/types.h"
#include "engine/rules/game.h"
#include "engine/search/mate_table.h"

namespace chuhe {

// Owned by one thread.
class MateSearch {
 public:
  // It does not look for longer mates.
  static constexpr int kMostMoves = 16;

  // Mates by the side to move, with one of `allowed` as the first move; empty for any. Positions
  // that the game has seen twice, and those drawn by material, count as escapes, and no mate is
  // looked for that would need more plies than the limit without capture or the cap of plies leave.
  // What was found out about other positions is kept where it holds.
  void SetRoot(const Game& game, std::span<const Move> allowed = {});

  // Goes on for about that many steps: a step is a move made on the board.
  void Run(int64_t steps);

  // A mate is found, or all that may be looked for is excluded.
  bool is_done() const { return is_done_; }
  // In how many moves (not plies) the side to move mates; 0 if no mate is known.
  int mate_in() const { return mate_in_; }
  // The mate with the longest defence: 2 · mate_in() − 1 moves.
  const std::vector<Move>& line() const { return line_; }
  // There is no mate in so many moves.
  int excluded() const { return excluded_; }
  // Made since SetRoot().
  int64_t steps() const { return steps_; }

 private:
  // A position whose moves are being tried.
  struct Frame {
    MoveList moves;
    int next = 0;        // of the moves
    int mate_moves = 0;  // that the attacker has left, here or after the reply
    bool is_attack = false;
    int longest = 0;  // defend: of the mates after the replies so far, in moves
    Move incoming;    // the move that led here
    Undo undo;
  };
  static constexpr int kNoMate = 0;
  static constexpr int kUndecided = -1;  // a frame was pushed

  void BeginIteration();
  void EndIteration(int result);
  void Step();
  // The attacker is to move: the length of a mate within that many moves, kNoMate, or kUndecided
  // with a new frame.
  int EnterAttack(int mate_moves, bool is_root);
  // Tells checks, with the number of replies, from other moves, and counts the steps; or the first
  // move that mates, if there is one.
  template <typename Quiet, typename Check>
  Move SortAttack(const MoveList& moves, Quiet quiet, Check check);
  Move MateInOne(const MoveList& moves);
  // Orders the moves for the frame; or, if one of them mates, that one.
  Move OrderAttack(MoveList* moves, Move first);
  void PushDefence(Move incoming, const Undo& undo, int mate_moves);
  // The result of the last frame is known: it goes, and its parent takes the result.
  void Finish(int result);
  void TakeReply(Move reply, int result);
  // Whether the rules end the game here without a win for the attacker.
  bool IsEscape() const;
  void BuildLine();
  // As known, or searched for: how the attacker mates in the present position.
  MateEntry MateFrom(int most);

  Position position_;
  std::vector<Move> allowed_;
  std::vector<uint64_t> judged_;  // keys of positions that would be judged when they come again
  int most_moves_ = 0;
  bool is_done_ = true;
  int mate_in_ = 0;
  Move mate_move_;
  std::vector<Move> line_;
  int excluded_ = 0;
  int64_t steps_ = 0;
  std::vector<Frame> frames_;
  Move refutations_[2 * kMostMoves][2];  // by depth of the frame, the latest first
  MateTable table_;
  MoveList last_moves_;  // of the attacker's last move; here, since to make a list is to clear it
};

}  // namespace chuhe
