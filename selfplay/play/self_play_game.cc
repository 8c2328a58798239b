#include "selfplay/play/self_play_game.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "engine/base/random.h"
#include "selfplay/play/material_balance.h"
#include "selfplay/play/move_choice.h"
#include "selfplay/play/root_noise.h"

namespace chuhe {
namespace {

// A fast search by sequential halving visits each of its moves so often in the first phase.
constexpr int kFastVisitsPerMove = 4;
constexpr float kMaxPliesLeft = 10'000;

TreeSearchOptions SearchOptions(const SelfPlayOptions& options) {
  TreeSearchOptions search;
  const auto visits = static_cast<size_t>(std::max(options.visits, options.fast_visits));
  search.has_exact_priors = true;
  search.max_tree_bytes = TreeBytesFor(visits);
  return search;
}

}  // namespace

SelfPlayGame::SelfPlayGame(const SelfPlaySetting* setting)
    : setting_(setting),
      search_(/*evaluator=*/nullptr, SearchOptions(setting->options)),
      watch_(setting->options.resign_moves) {}

Random SelfPlayGame::ChanceOf(const char* what) const {
  return Random(record_.seed, StreamId(what, static_cast<uint64_t>(NextPly())));
}

void SelfPlayGame::Begin(int64_t number, uint64_t seed, const std::string& network_sha256) {
  const SelfPlayOptions& options = setting_->options;
  record_ = GameRecord{};
  record_.seed = seed;
  record_.rules = options.rules;
  const OpeningPlan opening = PlanOpening(options, setting_->openings, seed);
  record_.start = opening.start;
  if (opening.opening != nullptr) {
    record_.start_no_capture_plies = opening.opening->halfmove;
  }
  record_.ply_cap = number < options.early_games ? std::min(options.early_ply_cap, options.ply_cap)
                                                 : options.ply_cap;
  Enter(number, network_sha256);
}

void SelfPlayGame::Resume(int64_t number, GameRecord record, const std::string& network_sha256) {
  record_ = std::move(record);
  Enter(number, network_sha256);
}

// Sets everything from the record.
void SelfPlayGame::Enter(int64_t number, const std::string& network_sha256) {
  const SelfPlayOptions& options = setting_->options;
  number_ = number;
  is_over_ = false;
  is_searching_ = false;
  fork_.reset();
  ++head_version_;

  Game game(record_.start,
            {.rules = record_.rules, .no_capture_plies = record_.start_no_capture_plies});
  watch_.Clear();
  for (const PlyRecord& ply : record_.plies) {
    if (ply.is_searched) watch_.Add(game.position().side_to_move(), ply.root.value());
    game.Make(ply.move);
  }
  search_.Clear();
  search_.SetRoot(game);

  opening_ = record_.fork ? OpeningPlan{} : PlanOpening(options, setting_->openings, record_.seed);
  is_opening_ = record_.random_plies == NextPly() && NextPly() < opening_.plies();
  is_resignation_audited_ = IsResignationAudited(options, record_.seed);
  Random random(record_.seed, StreamId("game"));
  is_adjudication_audited_ = random.UniformDouble() < options.adjudication_audit;
  fork_ply_ = random.UniformDouble() < options.fork_share
                  ? static_cast<int>(random.Below(static_cast<uint64_t>(options.fork_plies)))
                  : -1;
  if (record_.fork) fork_ply_ = -1;
  UseNetwork(network_sha256);
  EndIfOver();
}

void SelfPlayGame::UseNetwork(const std::string& sha256) {
  if (!record_.networks.empty() && record_.networks.back().sha256 == sha256) return;
  // One that has made no move is none.
  if (!record_.networks.empty() && record_.networks.back().first_ply == NextPly()) {
    record_.networks.pop_back();
  }
  if (record_.networks.empty() || record_.networks.back().sha256 != sha256) {
    record_.networks.push_back({.sha256 = sha256, .first_ply = NextPly()});
  }
  ++head_version_;
  search_.Clear();
  is_searching_ = false;
}

bool SelfPlayGame::Select(EvaluationRequest* request) {
  while (!is_over_) {
    if (is_opening_ && PlayOpening()) continue;
    if (!search_.has_root_evaluation()) {
      [[maybe_unused]] const int asked = search_.SelectLeaves({request, 1}, 1);
      assert(asked == 1);
      return true;
    }
    if (!is_searching_) BeginSearch();
    const int left = VisitsLeft();
    const int64_t before = search_.visits();
    if (left > 0 && !search_.is_decided() && search_.SelectLeaves({request, 1}, left) == 1) {
      return true;
    }
    if (left <= 0 || search_.visits() == before || search_.is_decided()) FinishMove();
  }
  return false;
}

bool SelfPlayGame::PlayOpening() {
  const int ply = NextPly();
  Move move;
  if (ply >= opening_.plies()) {
    is_opening_ = false;
    return true;
  }
  const size_t known = opening_.opening == nullptr ? 0 : opening_.opening->moves.size();
  if (static_cast<size_t>(ply) < known) {
    move = opening_.opening->moves[static_cast<size_t>(ply)];
  } else {
    Random random = ChanceOf("opening ply");
    if (ply < opening_.blind_plies()) {
      Game game = search_.game();
      move = DrawRandomMove(&game, &random);
    } else if (search_.has_root_evaluation()) {
      move = DrawPolicyMove(search_, &random);
    } else {
      return false;
    }
  }
  if (!move) {
    is_opening_ = false;
    return true;
  }
  ++record_.random_plies;
  PlyRecord record;
  record.move = move;
  record.is_drawn = true;
  Play(std::move(record));
  return true;
}

void SelfPlayGame::BeginSearch() {
  const SelfPlayOptions& options = setting_->options;
  is_searching_ = true;
  if (search_.is_decided()) {
    is_fast_ = false;
    return;
  }
  Random random = ChanceOf("search");
  is_fast_ = random.UniformDouble() >= options.full_share;
  GumbelOptions gumbel;
  gumbel.value_scale = static_cast<float>(options.value_scale);
  gumbel.sampled_moves =
      is_fast_ ? std::max(2, options.fast_visits / kFastVisitsPerMove) : options.sampled_moves;
  const bool is_forced = !options.gumbel && !is_fast_;
  search_.SetRootOptions(is_forced ? static_cast<float>(options.forced_visits) : 0, gumbel);
  if (options.gumbel) {
    search_.PlanGumbel(is_fast_ ? options.fast_visits : options.visits, &random);
  } else if (!is_fast_ && options.noise_share > 0) {
    std::vector<float> priors;
    for (const Edge& edge : search_.RootMoves()) priors.push_back(edge.prior * Node::kPriorUnit);
    AddRootNoise(priors, options.noise_share, options.noise_concentration, &random);
    search_.SetRootPriors(priors);
  }
}

int SelfPlayGame::VisitsLeft() const {
  const SelfPlayOptions& options = setting_->options;
  const int visits = is_fast_ ? options.fast_visits : options.visits;
  if (options.gumbel) return search_.is_plan_complete() ? 0 : visits;
  // Visits from the search of the move before count; the root's evaluation is none.
  return visits + 1 - static_cast<int>(search_.root_edge().visits);
}

void SelfPlayGame::FinishMove() {
  const SelfPlayOptions& options = setting_->options;
  is_searching_ = false;
  PlyRecord ply;
  ply.is_searched = true;
  ply.is_fast = is_fast_;
  ply.root = RootChances(options, search_);
  ply.plies_left = std::clamp(search_.root_edge().plies_left, 0.0f, kMaxPliesLeft);
  watch_.Add(search_.game().position().side_to_move(), ply.root.value());
  if (Resigns()) return;
  if (!is_fast_) ply.policy = PolicyTarget(options, search_);
  Random random = ChanceOf("move");
  const ChosenMove chosen =
      ChooseMove(options, search_, TemperatureAt(options, NextPly()), &random);
  ply.move = chosen.move;
  ply.is_drawn = chosen.is_drawn;
  if (NextPly() == fork_ply_) BranchOff(chosen.move);
  Play(std::move(ply));
}

bool SelfPlayGame::Resigns() {
  const Color side = search_.game().position().side_to_move();
  if (watch_.Recent(side) > setting_->resignation->threshold()) return false;
  if (!is_resignation_audited_) {
    End(LossOf(side), GameEnd::kResignation, Reason::kNone);
    return true;
  }
  if (!record_.passed_resignation) {
    record_.passed_resignation = PassedEnd{.ply = NextPly(), .outcome = LossOf(side)};
    ++head_version_;
  }
  return false;
}

void SelfPlayGame::BranchOff(Move played) {
  Random random = ChanceOf("fork");
  PlyRecord other;
  other.move = ChooseFork(setting_->options, search_, played, &random);
  if (!other.move) return;
  other.is_drawn = true;
  fork_ = record_;
  fork_->fork = ForkOrigin{.seed = record_.seed, .ply = NextPly()};
  fork_->evaluations = 0;
  fork_->passed_resignation.reset();
  fork_->passed_adjudication.reset();
  // The samples of these plies are the first game's.
  for (PlyRecord& ply : fork_->plies) {
    ply.policy.clear();
    ply.is_searched = false;
  }
  fork_->plies.push_back(std::move(other));
}

std::optional<GameRecord> SelfPlayGame::TakeFork() { return std::exchange(fork_, std::nullopt); }

void SelfPlayGame::Play(PlyRecord ply) {
  const Move move = ply.move;
  record_.plies.push_back(std::move(ply));
  search_.Advance(move);
  EndIfOver();
}

void SelfPlayGame::EndIfOver() {
  const Verdict verdict = search_.game().Adjudicate();
  if (verdict.outcome != Outcome::kUndecided) {
    End(verdict.outcome, GameEnd::kRules, verdict.reason);
  } else if (NextPly() >= record_.ply_cap) {
    EndAtCap();
  }
}

void SelfPlayGame::EndAtCap() {
  const SelfPlayOptions& options = setting_->options;
  if (!options.adjudicate) {
    End(Outcome::kDraw, GameEnd::kPlyCap, Reason::kNone);
    return;
  }
  const Outcome outcome =
      AdjudicateByMaterial(search_.game().position(), options.adjudication_margin);
  if (is_adjudication_audited_ && !record_.passed_adjudication) {
    record_.passed_adjudication = PassedEnd{.ply = NextPly(), .outcome = outcome};
    record_.ply_cap = 2 * NextPly();
    ++head_version_;
    return;
  }
  const bool is_draw = outcome == Outcome::kDraw;
  End(outcome, is_draw ? GameEnd::kPlyCap : GameEnd::kAdjudicated, Reason::kNone);
}

void SelfPlayGame::End(Outcome outcome, GameEnd end, Reason reason) {
  is_over_ = true;
  record_.outcome = outcome;
  record_.end = end;
  record_.reason = reason;
  // Before a threshold is known all games tell how bad things may look.
  const bool is_known = setting_->resignation->threshold() != ResignationControl::kNever;
  if (end != GameEnd::kResignation && (is_resignation_audited_ || !is_known)) {
    setting_->resignation->AddAudited(watch_, outcome);
  }
}

}  // namespace chuhe
