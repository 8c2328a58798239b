#include "engine/rules/notation/chinese.h"

namespace chuhe {
namespace {

constexpr const char* kSimplifiedPieces[2][kPieceTypes] = {
    {"帅", "仕", "相", "马", "车", "炮", "兵"}, {"将", "士", "象", "马", "车", "炮", "卒"}};
constexpr const char* kTraditionalPieces[2][kPieceTypes] = {
    {"帥", "仕", "相", "馬", "車", "炮", "兵"}, {"將", "士", "象", "馬", "車", "炮", "卒"}};
// Forward, back, sideways.
constexpr const char* kSimplifiedDirections[] = {"进", "退", "平"};
constexpr const char* kTraditionalDirections[] = {"進", "退", "平"};
constexpr const char* kNumerals[2][10] = {
    {"", "一", "二", "三", "四", "五", "六", "七", "八", "九"},
    {"", "１", "２", "３", "４", "５", "６", "７", "８", "９"}};

const char* WhichWord(const ManName& name, bool traditional) {
  switch (name.which) {
    case Which::kFront:
      return "前";
    case Which::kMiddle:
      return "中";
    case Which::kRear:
      return traditional ? "後" : "后";
    case Which::kOrdinal:
      // Chinese for Black too: it goes on from 前, it does not count files.
      return kNumerals[0][name.ordinal];
    default:
      return "";
  }
}

}  // namespace

ManName ChineseName(const Formation& formation, const Standing& man) {
  ManName name{.type = TypeOf(man.unit), .has_piece = true};
  const bool is_marked =
      man.on_file > 1 && name.type != PieceType::kAdvisor && name.type != PieceType::kBishop;
  if (!is_marked) {
    name.file = man.file;
    return name;
  }
  if (formation.tandem_files > 1) {  // pawns, as no other kind has four men
    name.has_piece = false;
    name.file = man.file;
  }
  if (man.from_front == 1) {
    name.which = Which::kFront;
  } else if (man.on_file > 3) {
    name.which = Which::kOrdinal;
    name.ordinal = man.from_front;
  } else {
    name.which = man.from_front == man.on_file ? Which::kRear : Which::kMiddle;
  }
  return name;
}

void AppendChinese(const Position& position, Move move, bool traditional, std::string* text) {
  const Unit unit = position.unit_at(move.from());
  const int side = Index(position.side_to_move());
  const Formation formation = FormationOf(position, TypeOf(unit));
  const ManName name = ChineseName(formation, formation.ManOf(unit));
  const Motion motion = MotionOf(position, move);
  const auto& pieces = traditional ? kTraditionalPieces : kSimplifiedPieces;
  text->append(WhichWord(name, traditional));
  if (name.has_piece) {
    text->append(pieces[side][Index(name.type)]);
  }
  if (name.file != 0) {
    text->append(kNumerals[side][name.file]);
  }
  text->append((traditional ? kTraditionalDirections
                            : kSimplifiedDirections)[static_cast<int>(motion.direction)]);
  text->append(kNumerals[side][motion.number]);
}

}  // namespace chuhe
