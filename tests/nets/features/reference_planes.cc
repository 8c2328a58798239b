#include "tests/nets/features/reference_planes.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "tests/engine/board/drawn_board.h"
#include "tests/reference/reference_board.h"

namespace chuhe {
namespace {

constexpr int kFull = 120;

// The planes of one question. Own men are in capitals.
class Planes {
 public:
  explicit Planes(const EvaluationRequest& request)
      : request_(request), red_(request.position.side_to_move() == Color::kRed), levels_(90 * 48) {
    board_ = ReferenceOf(request.position);
    if (!red_) board_ = TurnedBoard(board_);
  }

  std::vector<uint8_t> Compute() {
    AddMen();
    AddRecent();
    AddAttacks();
    AddCheckers();
    AddHanging();
    AddScreen();
    AddBoard();
    return levels_;
  }

 private:
  static bool IsOwn(char letter) { return std::isupper(letter) != 0; }
  static bool IsOpponents(char letter) { return std::islower(letter) != 0; }

  template <typename F>
  static void ForEachPoint(F f) {
    for (int rank = 0; rank < 10; ++rank) {
      for (int file = 0; file < 9; ++file) f(ReferencePoint{file, rank});
    }
  }

  void Set(int plane, ReferencePoint point, int level) {
    levels_[static_cast<size_t>((point.rank * 9 + point.file) * 48 + plane)] =
        static_cast<uint8_t>(level);
  }

  void SetEverywhere(int plane, int level) {
    ForEachPoint([&](ReferencePoint point) { Set(plane, point, level); });
  }

  // Whether the man on `from` could take an enemy on `to` if one stood there.
  bool Attacks(ReferencePoint from, ReferencePoint to) const {
    if (from == to || board_[from] == '.') return false;
    ReferenceBoard board = board_;
    board[to] = IsOwn(board_[from]) ? 'p' : 'P';
    return ReferenceCanMove(board, from, to);
  }

  int CountAttackers(ReferencePoint to, bool own) const {
    int count = 0;
    ForEachPoint([&](ReferencePoint from) {
      if (board_[from] != '.' && IsOwn(board_[from]) == own && Attacks(from, to)) ++count;
    });
    return count;
  }

  void AddMen() {
    constexpr std::string_view kLetters = "KABNRCPkabnrcp";
    ForEachPoint([&](ReferencePoint point) {
      const size_t plane = kLetters.find(board_[point]);
      if (plane != std::string_view::npos) Set(static_cast<int>(plane), point, kFull);
    });
  }

  void AddRecent() {
    const auto seen = [&](int square) {
      return red_ ? ReferencePoint{square % 9, square / 9}
                  : ReferencePoint{8 - square % 9, 9 - square / 9};
    };
    for (int i = 0; i < 6; ++i) {
      const Move move = request_.recent[i];
      if (move.from() == move.to()) continue;  // no move
      Set(14 + 2 * i, seen(move.from()), kFull);
      Set(15 + 2 * i, seen(move.to()), kFull);
    }
  }

  void AddAttacks() {
    constexpr std::string_view kLetters = "NRCPnrcp";
    ForEachPoint([&](ReferencePoint to) {
      ForEachPoint([&](ReferencePoint from) {
        const size_t plane = kLetters.find(board_[from]);
        if (plane != std::string_view::npos && Attacks(from, to)) {
          Set(26 + static_cast<int>(plane), to, kFull);
        }
      });
      Set(34, to, std::min(3, CountAttackers(to, true)) * 40);
      Set(35, to, std::min(3, CountAttackers(to, false)) * 40);
    });
  }

  void AddCheckers() {
    ForEachPoint([&](ReferencePoint king) {
      if (board_[king] != 'K') return;
      ForEachPoint([&](ReferencePoint from) {
        if (IsOpponents(board_[from]) && Attacks(from, king)) Set(36, from, kFull);
      });
    });
  }

  void AddHanging() {
    ForEachPoint([&](ReferencePoint point) {
      if (board_[point] == '.') return;
      const bool own = IsOwn(board_[point]);
      if (CountAttackers(point, !own) > 0 && CountAttackers(point, own) == 0) {
        Set(own ? 37 : 38, point, kFull);
      }
    });
  }

  void AddScreen() {
    for (int file = 0; file < 9; ++file) {
      int own_king = -1;
      int other_king = -1;
      for (int rank = 0; rank < 10; ++rank) {
        if (board_.at[rank][file] == 'K') own_king = rank;
        if (board_.at[rank][file] == 'k') other_king = rank;
      }
      if (own_king < 0 || other_king < 0) continue;
      std::vector<int> between;
      for (int rank = own_king + 1; rank < other_king; ++rank) {
        if (board_.at[rank][file] != '.') between.push_back(rank);
      }
      if (between.size() == 1) Set(39, {file, between[0]}, kFull);
    }
  }

  void AddBoard() {
    const int own = red_ ? 0 : 1;
    SetEverywhere(40, request_.occurrences > 1 ? kFull : 0);
    SetEverywhere(41, request_.occurrences > 2 ? kFull : 0);
    SetEverywhere(42, std::min(request_.no_capture_plies, 120));
    SetEverywhere(43, 20 * request_.checks_in_a_row[own]);
    SetEverywhere(44, 20 * request_.checks_in_a_row[1 - own]);
    SetEverywhere(46, kFull);
    ForEachPoint([&](ReferencePoint point) {
      const bool palace_rank = point.rank < 3 || point.rank > 6;
      if (point.rank < 5) Set(45, point, kFull);
      if (palace_rank && point.file > 2 && point.file < 6) Set(47, point, kFull);
    });
  }

  const EvaluationRequest& request_;
  const bool red_;
  ReferenceBoard board_;
  std::vector<uint8_t> levels_;
};

}  // namespace

std::vector<uint8_t> ReferencePlanes(const EvaluationRequest& request) {
  return Planes(request).Compute();
}

}  // namespace chuhe
