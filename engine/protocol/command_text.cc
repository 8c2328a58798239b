#include "engine/protocol/command_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/options.h"
#include "engine/rules/notation/coordinates.h"

namespace chuhe {
namespace {

// The words of a line one after the other, and what is left of it.
class Words {
 public:
  explicit Words(absl::string_view line) : rest_(absl::StripAsciiWhitespace(line)) {}

  bool empty() const { return rest_.empty(); }
  // The rest of the line as written, without blanks at its ends.
  absl::string_view rest() const { return rest_; }

  absl::string_view Peek() const {
    const auto end = std::find_if(rest_.begin(), rest_.end(), [](char c) {
      return absl::ascii_isspace(static_cast<unsigned char>(c));
    });
    return rest_.substr(0, static_cast<size_t>(end - rest_.begin()));
  }
  absl::string_view Next() {
    const absl::string_view word = Peek();
    rest_ = absl::StripLeadingAsciiWhitespace(rest_.substr(word.size()));
    return word;
  }
  // Takes the next word if it is this one, in any letter case.
  bool Take(absl::string_view word) {
    const bool found = !empty() && absl::EqualsIgnoreCase(Peek(), word);
    if (found) {
      Next();
    }
    return found;
  }

 private:
  absl::string_view rest_;
};

std::vector<std::string> AllWords(Words words) {
  std::vector<std::string> all;
  while (!words.empty()) {
    all.emplace_back(words.Next());
  }
  return all;
}

// Behind `position`, if that was there: `startpos`, `fen FEN` or a bare FEN, then the moves.
PositionCommand ReadPosition(Words words, bool is_bare) {
  PositionCommand command;
  command.is_bare = is_bare;
  if (!words.Take("startpos")) {
    words.Take("fen");
    std::string& fen = command.fen.emplace();
    while (!words.empty() && !absl::EqualsIgnoreCase(words.Peek(), "moves")) {
      absl::StrAppend(&fen, fen.empty() ? "" : " ", words.Next());
    }
  }
  words.Take("moves");
  command.moves = AllWords(words);
  return command;
}

// `setoption name NAME value VALUE`, or `setoption NAME VALUE` as UCCI has it.
SetOptionCommand ReadSetOption(Words words) {
  SetOptionCommand command;
  if (!words.Take("name")) {
    command.name = std::string(words.Next());
    command.value = std::string(words.rest());
    command.is_bare = true;
    return command;
  }
  while (!words.empty() && !absl::EqualsIgnoreCase(words.Peek(), "value")) {
    absl::StrAppend(&command.name, command.name.empty() ? "" : " ", words.Next());
  }
  words.Take("value");
  command.value = std::string(words.rest());
  return command;
}

// A number as a GUI may write it, fractions included; nothing where the next word is none.
std::optional<double> TakeNumber(Words* words) {
  double value = 0;
  if (words->empty() || !absl::SimpleAtod(words->Peek(), &value) || std::isnan(value)) {
    return std::nullopt;
  }
  words->Next();
  return value;
}

void ReadNumber(Words* words, std::optional<double>* field) {
  if (const std::optional<double> value = TakeNumber(words)) {
    *field = value;
  }
}

void ReadNumber(Words* words, std::optional<int64_t>* field) {
  if (const std::optional<double> value = TakeNumber(words)) {
    constexpr double kLargest = 9e15;  // exact in a double
    *field = static_cast<int64_t>(std::clamp(*value, -kLargest, kLargest));
  }
}

struct TimeWord {
  absl::string_view word;
  std::optional<double> GoCommand::*field;
};
constexpr TimeWord kTimeWords[] = {
    {"time", &GoCommand::time},         {"increment", &GoCommand::increment},
    {"opptime", &GoCommand::opptime},   {"oppincrement", &GoCommand::oppincrement},
    {"movetime", &GoCommand::movetime}, {"wtime", &GoCommand::wtime},
    {"winc", &GoCommand::winc},         {"btime", &GoCommand::btime},
    {"binc", &GoCommand::binc},
};

struct CountWord {
  absl::string_view word;
  std::optional<int64_t> GoCommand::*field;
};
constexpr CountWord kCountWords[] = {
    {"depth", &GoCommand::depth},
    {"nodes", &GoCommand::nodes},
    {"mate", &GoCommand::mate},
    {"movestogo", &GoCommand::movestogo},
    {"oppmovestogo", &GoCommand::oppmovestogo},
};

bool IsMoveText(absl::string_view word) {
  const std::string_view text(word.data(), word.size());
  const std::optional<CoordinateReading> reading = ReadCoordinates(text, 0);
  return reading && reading->bytes == text.size();
}

void ReadNumberNamed(absl::string_view word, Words* words, GoCommand* go) {
  for (const TimeWord& known : kTimeWords) {
    if (absl::EqualsIgnoreCase(word, known.word)) {
      ReadNumber(words, &(go->*known.field));
    }
  }
  for (const CountWord& known : kCountWords) {
    if (absl::EqualsIgnoreCase(word, known.word)) {
      ReadNumber(words, &(go->*known.field));
    }
  }
}

// Deeper counts take days.
constexpr double kMostPerftPlies = 12;

PerftCommand ReadPerft(Words words) {
  const double depth = TakeNumber(&words).value_or(1);
  return {.depth = static_cast<int>(std::clamp(depth, 0.0, kMostPerftPlies))};
}

// Words that mean nothing here are passed over, and so are numbers that are none.
GuiCommand ReadGo(Words words) {
  if (words.Take("perft")) return ReadPerft(words);
  GoCommand go;
  while (!words.empty()) {
    const absl::string_view word = words.Next();
    if (absl::EqualsIgnoreCase(word, "ponder")) {
      go.ponder = true;
    } else if (absl::EqualsIgnoreCase(word, "draw")) {
      go.draw_offered = true;
    } else if (absl::EqualsIgnoreCase(word, "infinite")) {
      go.infinite = true;
    } else if (absl::EqualsIgnoreCase(word, "searchmoves")) {
      while (!words.empty() && IsMoveText(words.Peek())) {
        go.search_moves.emplace_back(words.Next());
      }
    } else {
      ReadNumberNamed(word, &words, &go);
      go.wtime_before_btime |= go.wtime.has_value() && !go.btime.has_value();
    }
  }
  return go;
}

PonderHitCommand ReadPonderHit(Words words) { return {.draw_offered = words.Take("draw")}; }

DebugCommand ReadDebug(const Words& words) {
  DebugCommand command;
  ParseBool(words.Peek(), &command.on);
  return command;
}

}  // namespace

GuiCommand ReadCommand(absl::string_view line) {
  Words words(line);
  if (words.empty()) return BlankLine{};
  const Words whole = words;
  const std::string word = absl::AsciiStrToLower(words.Next());
  if (word == "uci") return HandshakeCommand{Dialect::kUci};
  if (word == "ucci") return HandshakeCommand{Dialect::kUcci};
  if (word == "isready") return IsReadyCommand{};
  if (word == "setoption") return ReadSetOption(words);
  if (word == "position") return ReadPosition(words, /*is_bare=*/false);
  if (word == "fen") return ReadPosition(words, /*is_bare=*/true);
  if (word == "startpos") return ReadPosition(whole, /*is_bare=*/true);
  if (word == "banmoves") return BanMovesCommand{AllWords(words)};
  if (word == "go") return ReadGo(words);
  if (word == "stop") return StopCommand{};
  if (word == "ponderhit") return ReadPonderHit(words);
  if (word == "probe") return ProbeCommand{ReadPosition(words, /*is_bare=*/false)};
  if (word == "ucinewgame" || word == "uccinewgame" || word == "newgame") return NewGameCommand{};
  if (word == "savetree") return TreeFileCommand{false, std::string(words.rest())};
  if (word == "loadtree") return TreeFileCommand{true, std::string(words.rest())};
  if (word == "d") return ShowCommand{};
  if (word == "debug") return ReadDebug(words);
  if (word == "quit") return QuitCommand{};
  return UnknownCommand{std::string(whole.Peek())};
}

}  // namespace chuhe
