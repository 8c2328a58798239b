#include "engine/protocol/session.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "absl/strings/str_cat.h"
#include "engine/protocol/command_text.h"
#include "engine/protocol/go_limits.h"
#include "engine/protocol/position_text.h"
#include "engine/protocol/reply_text.h"
#include "engine/search/tree_file.h"

namespace chuhe {

Session::Session(EngineIdentity identity, SearcherFactory factory, LineSource* source,
                 LineSink* sink)
    : identity_(std::move(identity)),
      source_(*source),
      sink_(*sink),
      option_table_(
          &options_, [this] { PostClear(); }, [this] { PostClear(); }),
      holder_(std::move(factory)) {}

Session::~Session() { StopSearches(); }

void Session::Run() {
  while (!quits_) {
    const std::optional<std::string> line = source_.Next();
    if (!line) {
      break;
    }
    Execute(ReadCommand(*line));
  }
  StopSearches();
  tasks_.WaitUntilIdle();
  if (quits_ && dialect_ == Dialect::kUcci) {
    sink_.Write("bye");
  }
}

void Session::Execute(const GuiCommand& command) {
  std::visit([this](const auto& known) { Handle(known); }, command);
  const bool goes_on =
      std::holds_alternative<StopCommand>(command) || std::holds_alternative<BlankLine>(command);
  stop_had_effect_ &= goes_on;
}

void Session::Handle(const BlankLine& /*command*/) {}

void Session::Handle(const UnknownCommand& command) {
  if (options_.debug) {
    Say(absl::StrCat("unknown command '", command.word, "'"));
  }
}

void Session::Handle(const HandshakeCommand& command) {
  dialect_ = command.dialect;
  const bool is_ucci = dialect_ == Dialect::kUcci;
  sink_.Write(absl::StrCat("id name ", identity_.name, " ", identity_.version, "\n",
                           is_ucci ? absl::StrCat("id version ", identity_.version, "\n") : "",
                           "id author ", identity_.author, "\n", option_table_.Lines(dialect_),
                           is_ucci ? "\nucciok" : "\nuciok"));
  // What takes long is begun while the GUI reads.
  tasks_.Post([this, options = options_.searcher] { holder_.Prepare(options); });
}

void Session::Handle(const IsReadyCommand& /*command*/) {
  if (IsThinking()) {
    sink_.Write("readyok");
    return;
  }
  tasks_.Post([this, options = options_.searcher] {
    holder_.Prepare(options);
    sink_.Write("readyok");
  });
}

void Session::Handle(const NewGameCommand& /*command*/) { PostClear(); }

void Session::Handle(const StopCommand& /*command*/) {
  if (IsThinking()) {
    StopSearches();
    stop_had_effect_ = true;
    return;
  }
  ++stops_;
  if (dialect_ == Dialect::kUcci && !stop_had_effect_) {
    tasks_.Post([this] { sink_.Write(NoMoveLine(Dialect::kUcci)); });
  }
}

void Session::Handle(const QuitCommand& /*command*/) { quits_ = true; }

void Session::Handle(const ProbeCommand& command) {
  const ReplyStyle style{dialect_, Squares(/*bare_position=*/false), /*show_wdl=*/false};
  const absl::StatusOr<GameSetup> setup = ReadSetup(command.position, style.squares);
  if (!setup.ok() || !setup->list.fault.empty()) {
    sink_.Write(StoredLine(style, {}));
    return;
  }
  const auto answer = [this, style, game = setup->MakeGame(options_.rules)] {
    const Searcher* const searcher = holder_.searcher();
    sink_.Write(StoredLine(style, searcher != nullptr ? searcher->Probe(game) : std::nullopt));
  };
  // What is stored belongs to the searching thread.
  if (IsThinking() && jobs_.front()->Interject(answer)) {
    return;
  }
  tasks_.Post(answer);
}

void Session::Handle(const DebugCommand& command) { options_.debug = command.on; }

void Session::Handle(const PonderHitCommand& command) {
  for (const std::shared_ptr<SearchJob>& job : jobs_) {
    job->PonderHit(command.draw_offered);
  }
}

void Session::Handle(const SetOptionCommand& command) {
  const absl::Status status = option_table_.Set(command.name, command.value, command.is_bare);
  // GUIs send what other engines know; only a user who asks wants to hear of it.
  const bool is_unknown = status.code() == absl::StatusCode::kNotFound;
  if (!status.ok() && (!is_unknown || options_.debug)) {
    Say(status.message());
  }
}

void Session::Handle(const PositionCommand& command) {
  absl::StatusOr<GameSetup> setup = ReadSetup(command, Squares(command.is_bare));
  if (!setup.ok()) {
    Say(absl::StrCat(setup.status().message(), "; the position stays as it was"));
    return;
  }
  setup_ = *std::move(setup);
  bare_position_ = command.is_bare;
  banned_moves_.clear();
  if (!setup_.list.fault.empty()) {
    Say(absl::StrCat(setup_.list.fault, "; the moves end before it"));
  }
}

void Session::Handle(const BanMovesCommand& command) {
  const Game game = setup_.MakeGame(options_.rules);
  banned_moves_ = ReadAlternatives(game.position(), command.moves, setup_.list.base);
}

void Session::Handle(const GoCommand& command) {
  // One that cannot end by itself would keep this one waiting for ever.
  for (const std::shared_ptr<SearchJob>& job : jobs_) {
    if (job->is_endless()) {
      job->Stop();
    }
  }
  const auto job = std::make_shared<SearchJob>(MakeOrder(command));
  IsThinking();  // forgets those that are answered
  jobs_.push_back(job);
  tasks_.Post([this, job, options = options_.searcher] {
    holder_.Prepare(options);
    job->Run(&holder_, &sink_);
  });
  if (options_.batch) {
    tasks_.WaitUntilIdle();
  }
}

void Session::Handle(const PerftCommand& command) {
  tasks_.Post([this, game = setup_.MakeGame(options_.rules), depth = command.depth,
               squares = Squares(bare_position_), stops = stops_.load()] {
    const auto must_stop = [this, stops] { return stops_.load() != stops; };
    sink_.Write(PerftLines(game.position(), depth, squares, must_stop));
  });
  if (options_.batch) {
    tasks_.WaitUntilIdle();
  }
}

void Session::Handle(const ShowCommand& /*command*/) {
  sink_.Write(BoardLines(setup_.MakeGame(options_.rules)));
}

bool Session::TakeGameOf(const std::string& path) {
  const absl::StatusOr<TreeFileInfo> info = ReadTreeFileInfo(path);
  if (!info.ok()) {
    Say(info.status().message());
    return false;
  }
  setup_ = SetupOf(info->game);
  bare_position_ = false;
  banned_moves_.clear();
  return true;
}

void Session::Handle(const TreeFileCommand& command) {
  if (command.path.empty()) {
    Say("expected the name of a file behind savetree or loadtree");
    return;
  }
  if (command.is_load && !TakeGameOf(command.path)) {
    return;
  }
  tasks_.Post([this, command, dialect = dialect_, rules = options_.rules,
               options = options_.searcher] {
    holder_.Prepare(options);
    if (holder_.searcher() == nullptr) {
      return;
    }
    const absl::Status status = command.is_load ? holder_.searcher()->LoadTree(command.path, rules)
                                                : holder_.searcher()->SaveTree(command.path);
    const std::string done =
        absl::StrCat(command.is_load ? "tree loaded from " : "tree saved in ", command.path);
    sink_.Write(MessageLine(dialect, status.ok() ? absl::string_view(done) : status.message()));
  });
}

RankBase Session::Squares(bool bare_position) const {
  return dialect_ == Dialect::kUci && !bare_position ? options_.squares : RankBase::kZero;
}

SearchOrder Session::MakeOrder(const GoCommand& go) const {
  SearchOrder order{.game = setup_.MakeGame(options_.rules),
                    .limits = {},
                    .style = {dialect_, Squares(bare_position_), options_.show_wdl},
                    .static_only = dialect_ == Dialect::kUcci && go.depth == 0 && !go.infinite,
                    .accept_offers = options_.accept_offers,
                    .give_up_below = options_.give_up_below};
  const Position& position = order.game.position();
  order.limits = LimitsOf(go, {.dialect = dialect_,
                               .side_to_move = position.side_to_move(),
                               .milliseconds = options_.milliseconds,
                               .bare_position = bare_position_});
  order.limits.search_moves = ReadAlternatives(position, go.search_moves, setup_.list.base);
  order.limits.banned_moves = banned_moves_;
  order.limits.multipv = options_.multipv;
  order.limits.move_overhead_ms = options_.move_overhead_ms;
  if (options_.node_limit > 0) {
    const int64_t wanted = order.limits.nodes;
    order.limits.nodes =
        wanted > 0 ? std::min<int64_t>(wanted, options_.node_limit) : options_.node_limit;
  }
  if (options_.batch) {
    // Nobody could end it: nothing is read meanwhile.
    order.limits.infinite = order.limits.ponder = false;
  }
  return order;
}

void Session::PostClear() {
  tasks_.Post([this] { holder_.Clear(); });
}

void Session::Say(absl::string_view text) { sink_.Write(MessageLine(dialect_, text)); }

bool Session::IsThinking() {
  std::erase_if(jobs_, [](const auto& job) { return job->is_answered(); });
  return !jobs_.empty();
}

void Session::StopSearches() {
  ++stops_;
  for (const std::shared_ptr<SearchJob>& job : jobs_) {
    job->Stop();
  }
}

}  // namespace chuhe
