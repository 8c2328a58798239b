// A conversation with a GUI, in UCCI or UCI, from its first line to `quit` or the end of input.
//
//   source ──► reading thread ── tasks, in order ──► searching thread
//                    │  stop, ponderhit: at once ──►       │
//                    └───────────► sink ◄──────────────────┘
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "engine/protocol/command.h"
#include "engine/protocol/engine_options.h"
#include "engine/protocol/game_setup.h"
#include "engine/protocol/line_io.h"
#include "engine/protocol/search_job.h"
#include "engine/protocol/searcher_holder.h"
#include "engine/protocol/task_thread.h"

namespace chuhe {

struct EngineIdentity {
  std::string name;
  std::string version;
  std::string author;
};

// Owned by one thread, which reads; the search has a thread of its own.
class Session {
 public:
  // Source and sink must outlive the session.
  Session(EngineIdentity identity, SearcherFactory factory, LineSource* source, LineSink* sink);
  // Blocks until what was begun is answered.
  ~Session();

  // Blocks until `quit` or the end of input. A search that runs then is stopped and answered.
  void Run();

 private:
  void Execute(const GuiCommand& command);
  void Handle(const BlankLine& command);
  void Handle(const UnknownCommand& command);
  void Handle(const HandshakeCommand& command);
  void Handle(const IsReadyCommand& command);
  void Handle(const NewGameCommand& command);
  void Handle(const StopCommand& command);
  void Handle(const QuitCommand& command);
  void Handle(const ProbeCommand& command);
  void Handle(const DebugCommand& command);
  void Handle(const PonderHitCommand& command);
  void Handle(const SetOptionCommand& command);
  void Handle(const PositionCommand& command);
  void Handle(const BanMovesCommand& command);
  void Handle(const GoCommand& command);
  void Handle(const PerftCommand& command);
  void Handle(const TreeFileCommand& command);
  void Handle(const ShowCommand& command);

  // How squares are written, and read where a text does not tell. UCCI counts ranks from 0, and so
  // do those that send a position without the word, whatever options they set.
  RankBase Squares(bool bare_position) const;
  SearchOrder MakeOrder(const GoCommand& go) const;
  // Makes the game of a saved tree the present one; false with a message if there is none.
  bool TakeGameOf(const std::string& path);
  void PostClear();
  void Say(absl::string_view text);  // as a message to the user
  bool IsThinking();
  void StopSearches();

  const EngineIdentity identity_;
  LineSource& source_;
  LineSink& sink_;
  Dialect dialect_ = Dialect::kUci;
  EngineOptions options_;
  EngineOptionTable option_table_;
  GameSetup setup_ = StartSetup();
  bool bare_position_ = false;
  std::vector<Move> banned_moves_;
  // The last command was a `stop` that ended a search, or one of several: repeats have no answer.
  bool stop_had_effect_ = false;
  bool quits_ = false;
  std::atomic<int> stops_ = 0;  // so far: a count of moves ends when another one comes
  std::vector<std::shared_ptr<SearchJob>> jobs_;  // not yet answered, when looked at last

  SearcherHolder holder_;  // of the searching thread
  TaskThread tasks_;       // the searching thread; joined before what it uses goes
};

}  // namespace chuhe
