#include "engine/rules/verdict.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/board/names.h"

namespace chuhe {
namespace {

// `Red's rook h2 and cannon e4`, the units of one side, in an order that the side itself sees.
std::string MenOf(Color color, UnitSet units, const Position& position) {
  std::vector<std::pair<int, std::string>> names;
  for (UnitSet left = units; left != 0; left &= left - 1) {
    const Unit unit = static_cast<Unit>(std::countr_zero(left));
    if (ColorOf(unit) != color) continue;
    const Square square = position.square_of(unit);
    const int type = Index(TypeOf(unit));
    const int own_square = color == Color::kRed ? square : Turned(square);
    names.emplace_back(type * kSquares + own_square,
                       absl::StrCat(NameOf(TypeOf(unit)), " ", SquareName(square)));
  }
  std::sort(names.begin(), names.end());
  const auto name = [](std::string* out, const auto& man) { out->append(man.second); };
  return absl::StrCat(NameOf(color), "'s ", absl::StrJoin(names, " and ", name));
}

std::string Plies(const Verdict& verdict) {
  return absl::StrCat(" in plies ", verdict.first_ply, " to ", verdict.last_ply);
}

std::string Chase(Color chaser, const Verdict& verdict, const Position& position) {
  return absl::StrCat("perpetual chase of ", MenOf(Opponent(chaser), verdict.victims, position),
                      " by ", MenOf(chaser, verdict.chasers, position));
}

std::string ForbiddenKinds(const Verdict& verdict) {
  std::vector<absl::string_view> kinds;
  if (verdict.has_checks) kinds.push_back("check");
  if (verdict.has_kills) kinds.push_back("kill");
  if (verdict.has_chases) kinds.push_back("chase");
  return absl::StrJoin(kinds, ", ");
}

std::string ReasonText(const Verdict& verdict, const Position& position) {
  const Color loser = verdict.outcome == Outcome::kBlackLoses ? Color::kBlack : Color::kRed;
  const std::string name = NameOf(loser);
  switch (verdict.reason) {
    case Reason::kNone:
      return "the game goes on";
    case Reason::kCheckmate:
      return absl::StrCat(name, " is checkmated");
    case Reason::kStalemate:
      return absl::StrCat(name, " has no legal move (stalemate)");
    case Reason::kPerpetualCheck:
      return absl::StrCat("perpetual check by ", name, Plies(verdict));
    case Reason::kPerpetualChase:
      return absl::StrCat(Chase(loser, verdict, position), Plies(verdict));
    case Reason::kForbiddenLoop:
      return absl::StrCat("forbidden loop by ", name, " (", ForbiddenKinds(verdict), ")",
                          Plies(verdict));
    case Reason::kMutualCheck:
      return absl::StrCat("mutual perpetual check", Plies(verdict));
    case Reason::kMutualChase:
      return absl::StrCat("mutual chase: ", Chase(position.side_to_move(), verdict, position), "; ",
                          Chase(Opponent(position.side_to_move()), verdict, position),
                          Plies(verdict));
    case Reason::kMutualForbidden:
      return absl::StrCat("both sides play a forbidden loop", Plies(verdict));
    case Reason::kQuietRepetition:
      return absl::StrCat("quiet repetition, neither side checks or chases perpetually",
                          Plies(verdict));
    case Reason::kNoCaptureLimit:
      return absl::StrCat(verdict.plies, " counted plies without a capture");
    case Reason::kInsufficientMaterial:
      return "insufficient material";
    case Reason::kPlyCap:
      return absl::StrCat("the game has reached its cap of ", verdict.plies, " plies");
  }
  return "";
}

}  // namespace

absl::string_view OutcomeName(Outcome outcome) {
  switch (outcome) {
    case Outcome::kUndecided:
      return "undecided";
    case Outcome::kDraw:
      return "draw";
    case Outcome::kRedLoses:
      return "red loses";
    case Outcome::kBlackLoses:
      return "black loses";
  }
  return "";
}

absl::string_view ReasonName(Reason reason) {
  switch (reason) {
    case Reason::kNone:
      return "none";
    case Reason::kCheckmate:
      return "checkmate";
    case Reason::kStalemate:
      return "stalemate";
    case Reason::kPerpetualCheck:
      return "perpetual-check";
    case Reason::kPerpetualChase:
      return "perpetual-chase";
    case Reason::kForbiddenLoop:
      return "forbidden-loop";
    case Reason::kMutualCheck:
      return "mutual-check";
    case Reason::kMutualChase:
      return "mutual-chase";
    case Reason::kMutualForbidden:
      return "mutual-forbidden";
    case Reason::kQuietRepetition:
      return "quiet-repetition";
    case Reason::kNoCaptureLimit:
      return "no-capture-limit";
    case Reason::kInsufficientMaterial:
      return "insufficient-material";
    case Reason::kPlyCap:
      return "ply-cap";
  }
  return "";
}

std::string Describe(const Verdict& verdict, const Position& position) {
  return absl::StrCat(OutcomeName(verdict.outcome), ": ", ReasonText(verdict, position));
}

}  // namespace chuhe
