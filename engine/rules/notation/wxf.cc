#include "engine/rules/notation/wxf.h"

namespace chuhe {
namespace {

constexpr char kLetters[] = "KAEHRCP";
constexpr char kSigns[] = "+-.";  // forward, back, sideways

char Digit(uint8_t number) { return static_cast<char>('0' + number); }

void AppendName(const ManName& name, std::string* text) {
  if (name.has_piece) {
    text->push_back(kLetters[Index(name.type)]);
  } else if (name.file != 0) {
    text->push_back(Digit(name.file));
  }
  switch (name.which) {
    case Which::kNone:
      text->push_back(Digit(name.file));
      break;
    case Which::kFront:
      text->push_back('+');
      break;
    case Which::kRear:
      text->push_back('-');
      break;
    case Which::kForemost:
      text->append("++");
      break;
    case Which::kRearmost:
      text->append("--");
      break;
    case Which::kOrdinal:
      text->push_back(Digit(name.ordinal));
      break;
    case Which::kMiddle:  // not written by this school
      break;
  }
}

}  // namespace

ManName WxfName(const Formation& formation, const Standing& man) {
  ManName name{.type = TypeOf(man.unit), .has_piece = true};
  const int rear_order = man.on_file + 1 - man.from_front;
  const bool is_marked =
      man.on_file > 1 && name.type != PieceType::kAdvisor && name.type != PieceType::kBishop;
  const bool is_middle = man.from_front == rear_order;
  if (!is_marked) {
    name.file = man.file;
    return name;
  }
  if (formation.tandem_files > 1) {
    // Pawns, as no other kind has four men: the letter gives way to the file, and the middle one
    // repeats the file.
    name.has_piece = false;
    name.file = man.file;
    name.which = is_middle ? Which::kOrdinal : man.from_front == 1 ? Which::kFront : Which::kRear;
    name.ordinal = is_middle ? man.file : uint8_t{0};
    return name;
  }
  if (is_middle) {
    name.file = man.file;
    return name;
  }
  const bool is_front = man.from_front < rear_order;
  if (man.on_file > 3 && (man.from_front == 1 || rear_order == 1)) {
    name.has_piece = false;
    name.which = is_front ? Which::kForemost : Which::kRearmost;
  } else {
    name.which = is_front ? Which::kFront : Which::kRear;
  }
  return name;
}

void AppendWxf(const Position& position, Move move, std::string* text) {
  const Unit unit = position.unit_at(move.from());
  const Formation formation = FormationOf(position, TypeOf(unit));
  const Motion motion = MotionOf(position, move);
  AppendName(WxfName(formation, formation.ManOf(unit)), text);
  text->push_back(kSigns[static_cast<int>(motion.direction)]);
  text->push_back(Digit(motion.number));
}

}  // namespace chuhe
