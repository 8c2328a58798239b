#include "selfplay/match/command_words.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace chuhe {

absl::StatusOr<std::vector<std::string>> SplitCommand(absl::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (quote == 0 && (c == ' ' || c == '\t')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (quote == 0 && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      words.back().push_back(command[++i]);
    } else {
      words.back().push_back(c);
    }
  }
  if (quote != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("command '", command, "': a quote ", std::string(1, quote), " is not closed"));
  }
  return words;
}

}  // namespace chuhe
