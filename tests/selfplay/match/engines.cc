#include "tests/selfplay/match/engines.h"

#include <unistd.h>

#include <utility>

#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "selfplay/match/cecp_player.h"
#include "selfplay/match/ucci_player.h"
#include "selfplay/match/uci_player.h"

namespace chuhe::testing {

EngineSpec FakeEngine(EngineProtocol protocol, const std::string& actions) {
  EngineSpec spec;
  spec.name = "fake";
  spec.protocol = protocol;
  const std::string word(ProtocolName(protocol));
  spec.command = std::string(CHUHE_PYTHON) + " " + CHUHE_FAKE_ENGINE + " " + word + " " + actions;
  return spec;
}

std::unique_ptr<Player> MakeExternal(const EngineSpec& spec, StopSignal* stop) {
  switch (spec.protocol) {
    case EngineProtocol::kUcci:
      return std::make_unique<UcciPlayer>(spec, stop);
    case EngineProtocol::kUci:
      return std::make_unique<UciPlayer>(spec, stop);
    case EngineProtocol::kCecp:
      return std::make_unique<CecpPlayer>(spec, stop);
    case EngineProtocol::kBuiltin:
      break;
  }
  return nullptr;
}

std::string InstalledProgram(const std::string& name) {
  for (const char* folder : {"/usr/games/", "/usr/local/bin/", "/usr/bin/"}) {
    if (access((folder + name).c_str(), X_OK) == 0) return folder + name;
  }
  return "";
}

void ScriptedPlayer::AddMove(const std::string& move, bool draw, int64_t elapsed_us) {
  MoveAnswer answer;
  answer.kind = AnswerKind::kMove;
  answer.move = *ParseUci(move);
  answer.offers_draw = draw;
  answer.elapsed_us = elapsed_us;
  answers_.push_back(answer);
}

absl::Status ScriptedPlayer::NewGame(const GameStart& /*start*/) {
  shuffles_ = std::exchange(skipped_, 0);
  return absl::OkStatus();
}

MoveAnswer ScriptedPlayer::Think(const MoveRequest& request) {
  ++requests;
  was_offered_draw = request.draw_offered;
  clock = request.clock;
  if (!answers_.empty()) {
    const MoveAnswer answer = answers_.front();
    answers_.pop_front();
    return answer;
  }
  const bool is_red = request.game->position().side_to_move() == Color::kRed;
  const Square home = is_red ? MakeSquare(0, 0) : MakeSquare(0, 9);
  const Square out = is_red ? MakeSquare(0, 1) : MakeSquare(0, 8);
  MoveAnswer answer;
  answer.kind = AnswerKind::kMove;
  answer.move = shuffles_++ % 2 == 0 ? Move(home, out) : Move(out, home);
  answer.score = usual_score;
  return answer;
}

}  // namespace chuhe::testing
