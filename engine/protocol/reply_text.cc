#include "engine/protocol/reply_text.h"

#include <algorithm>
#include <cstdlib>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace chuhe {
namespace {

constexpr int kMatePoints = 30000;
constexpr int kCentipawnsPerMinorPiece = 400;

std::string SpinText(Dialect dialect, const Option& option) {
  const std::string range = absl::StrCat(" min ", option.min_text, " max ", option.max_text);
  const std::string standard = absl::StrCat(" default ", option.default_text);
  return dialect == Dialect::kUci ? absl::StrCat("spin", standard, range)
                                  : absl::StrCat("spin", range, standard);
}

std::string ComboText(Dialect dialect, const Option& option) {
  std::string vars;
  for (const std::string& choice : option.choices) {
    absl::StrAppend(&vars, " var ", choice);
  }
  const std::string standard = absl::StrCat(" default ", option.default_text);
  return dialect == Dialect::kUci ? absl::StrCat("combo", standard, vars)
                                  : absl::StrCat("combo", vars, standard);
}

std::string StringText(Dialect dialect, const Option& option) {
  const char* empty = dialect == Dialect::kUci ? "<empty>" : "";
  return absl::StrCat("string default ",
                      option.default_text.empty() ? empty : option.default_text.c_str());
}

std::string ScoreText(const ReplyStyle& style, const SearchLine& line) {
  if (style.dialect == Dialect::kUcci) {
    return absl::StrCat(UcciPoints(line.score));
  }
  std::string text = line.score.mate_in ? absl::StrCat("mate ", *line.score.mate_in)
                                        : absl::StrCat("cp ", line.score.centipawns);
  if (style.show_wdl && line.wdl) {
    const auto& [win, draw, loss] = *line.wdl;
    absl::StrAppend(&text, " wdl ", win, " ", draw, " ", loss);
  }
  return text;
}

// Stars in the place of a word that is not to be said.
void Mask(absl::string_view word, std::string* text) {
  for (size_t at = 0; at + word.size() <= text->size(); ++at) {
    const std::string part = absl::AsciiStrToLower(text->substr(at, word.size()));
    if (part == word) {
      text->replace(at, word.size(), word.size(), '*');
    }
  }
}

std::string PlainText(absl::string_view text) {
  std::string plain;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = byte >= 0x80 && byte < 0xc0;  // of one UTF-8 character one mark is left
    if (absl::ascii_isprint(byte)) {
      plain += c;
    } else if (!continues) {
      plain += absl::ascii_isspace(byte) ? ' ' : '?';
    }
  }
  for (const absl::string_view word : {"draw", "resign", "bestmove"}) {
    Mask(word, &plain);
  }
  return plain;
}

}  // namespace

std::string OptionLine(Dialect dialect, absl::string_view name, const Option& option) {
  const std::string start =
      absl::StrCat("option ", dialect == Dialect::kUci ? "name " : "", name, " type ");
  switch (option.type) {
    case OptionType::kBool:
      return absl::StrCat(start, "check default ", option.default_text);
    case OptionType::kInt:
      return start + SpinText(dialect, option);
    case OptionType::kChoice:
      return start + ComboText(dialect, option);
    case OptionType::kButton:
      return start + "button";
    case OptionType::kDouble:
    case OptionType::kString:
      break;
  }
  return start + StringText(dialect, option);
}

std::string InfoLines(const ReplyStyle& style, const SearchProgress& progress) {
  const int64_t nps = progress.nodes * 1000 / std::max<int64_t>(1, progress.time_ms);
  std::string lines;
  int rank = 0;
  for (const SearchLine& line : progress.lines) {
    ++rank;
    absl::StrAppend(&lines, rank == 1 ? "" : "\n", "info depth ", line.depth, " seldepth ",
                    std::max(line.depth, line.selective_depth), " multipv ", rank, " score ",
                    ScoreText(style, line), " nodes ", progress.nodes, " nps ", nps, " hashfull ",
                    progress.hash_permille, " time ", progress.time_ms, " pv");
    for (const Move move : line.moves) {
      absl::StrAppend(&lines, " ", FormatUci(move, style.squares));
    }
  }
  return lines;
}

int UcciPoints(const Score& score) {
  if (!score.mate_in) {
    return score.centipawns * 100 / kCentipawnsPerMinorPiece;
  }
  const int moves = *score.mate_in;
  return moves > 0 ? kMatePoints - (2 * moves - 1) : -kMatePoints - 2 * moves;
}

std::string BestMoveLine(const ReplyStyle& style, Move best, Move ponder, MoveRemark remark) {
  std::string line = absl::StrCat("bestmove ", FormatUci(best, style.squares));
  if (ponder) {
    absl::StrAppend(&line, " ponder ", FormatUci(ponder, style.squares));
  }
  if (style.dialect == Dialect::kUcci && remark != MoveRemark::kNone) {
    absl::StrAppend(&line, remark == MoveRemark::kResign ? " resign" : " draw");
  }
  return line;
}

std::string StoredLine(const ReplyStyle& style, const std::optional<StoredPosition>& stored) {
  std::string line = "pophash";
  if (!stored) {
    return line;
  }
  if (stored->best_move) {
    absl::StrAppend(&line, " bestmove ", FormatUci(stored->best_move, style.squares));
  }
  const std::string bound =
      absl::StrCat("bound ", UcciPoints(stored->score), " depth ", stored->depth);
  const std::optional<int>& mate_in = stored->score.mate_in;
  if (!mate_in || *mate_in > 0) {
    absl::StrAppend(&line, " lower", bound);
  }
  if (!mate_in || *mate_in <= 0) {
    absl::StrAppend(&line, " upper", bound);
  }
  return line;
}

std::string NoMoveLine(Dialect dialect) {
  return dialect == Dialect::kUci ? "bestmove (none)" : "nobestmove";
}

std::string MessageLine(Dialect dialect, absl::string_view text) {
  return absl::StrCat(dialect == Dialect::kUci ? "info string " : "info message ", PlainText(text));
}

}  // namespace chuhe
