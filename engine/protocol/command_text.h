// Reads a line of a GUI, of either protocol, into a command. Tolerant, as docs/protocols.md says:
// keywords in any letter case, any run of blanks and tabs, CR at the end, missing words.
#pragma once

#include "absl/strings/string_view.h"
#include "engine/protocol/command.h"

namespace chuhe {

GuiCommand ReadCommand(absl::string_view line);

}  // namespace chuhe
