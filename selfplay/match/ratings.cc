#include "selfplay/match/ratings.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "selfplay/match/symmetric_matrix.h"

namespace chuhe {
namespace {

constexpr double kEloPerNeper = 400 / std::numbers::ln10;
constexpr double kTwoSided95 = 1.959963984540054;

double Logistic(double x) { return 1 / (1 + std::exp(-x)); }

// Ratings in nepers, and the advantage behind them. A parameter that is fixed has no column in the
// matrices.
class Likelihood {
 public:
  Likelihood(std::vector<Encounter> encounters, std::vector<double> start,
             std::vector<bool> is_fixed)
      : encounters_(std::move(encounters)), values_(std::move(start)) {
    for (const bool fixed : is_fixed) column_.push_back(fixed ? -1 : columns_++);
  }

  const std::vector<double>& values() const { return values_; }
  // -1 for a fixed parameter.
  int column(size_t parameter) const { return column_[parameter]; }

  double Log() const {
    double sum = 0;
    for (const Encounter& encounter : encounters_) {
      const double x = Difference(encounter);
      const double games = encounter.red_wins + encounter.draws + encounter.black_wins;
      const double points = encounter.red_wins + encounter.draws / 2;
      // log p = -log(1 + e^-x); log(1 - p) = log p - x.
      const double log_p = x > 0 ? -std::log1p(std::exp(-x)) : x - std::log1p(std::exp(x));
      sum += games * log_p - (games - points) * x;
    }
    return sum;
  }

  // The curvature (minus the second derivative) or the spread of the gradient that was seen.
  enum class Weight { kCurvature, kSpread };
  SymmetricMatrix Matrix(Weight weight) const {
    SymmetricMatrix matrix(columns_);
    for (const Encounter& encounter : encounters_) {
      const double p = Logistic(Difference(encounter));
      const double games = encounter.red_wins + encounter.draws + encounter.black_wins;
      const double spread = encounter.red_wins * (1 - p) * (1 - p) +
                            encounter.draws * (0.5 - p) * (0.5 - p) + encounter.black_wins * p * p;
      const double value = weight == Weight::kCurvature ? games * p * (1 - p) : spread;
      const std::pair<int, double> terms[] = {
          {column_[encounter.red], 1}, {column_[encounter.black], -1}, {column_.back(), 1}};
      for (const auto& [row, row_sign] : terms) {
        for (const auto& [column, column_sign] : terms) {
          if (row >= 0 && column >= 0) matrix.at(row, column) += value * row_sign * column_sign;
        }
      }
    }
    return matrix;
  }

  std::vector<double> Gradient() const {
    std::vector<double> gradient(static_cast<size_t>(columns_));
    for (const Encounter& encounter : encounters_) {
      const double games = encounter.red_wins + encounter.draws + encounter.black_wins;
      const double surplus =
          encounter.red_wins + encounter.draws / 2 - games * Logistic(Difference(encounter));
      if (column_[encounter.red] >= 0) gradient[column_[encounter.red]] += surplus;
      if (column_[encounter.black] >= 0) gradient[column_[encounter.black]] -= surplus;
      if (column_.back() >= 0) gradient[column_.back()] += surplus;
    }
    return gradient;
  }

  // False when the maximum is not reached: the likelihood then has none at finite values.
  bool Maximize() {
    constexpr int kMaxSteps = 200;
    constexpr double kTolerance = 1e-10;
    for (int i = 0; i < kMaxSteps; ++i) {
      std::vector<double> step = Gradient();
      if (!Matrix(Weight::kCurvature).Solve(&step)) return false;
      double largest = 0;
      for (const double part : step) largest = std::max(largest, std::abs(part));
      if (!std::isfinite(largest)) return false;
      if (largest < kTolerance) return true;
      Climb(step);
    }
    return false;
  }

 private:
  double Difference(const Encounter& encounter) const {
    return values_[encounter.red] - values_[encounter.black] + values_.back();
  }

  void Go(const std::vector<double>& before, const std::vector<double>& step, double factor) {
    for (size_t p = 0; p < values_.size(); ++p) {
      if (column_[p] >= 0) values_[p] = before[p] + factor * step[column_[p]];
    }
  }

  // Newton's step, halved for as long as that leads higher. The first step that does not lead
  // downwards would not do: far from the maximum it can end where all is flat.
  void Climb(const std::vector<double>& step) {
    const std::vector<double> before = values_;
    const double log_before = Log();
    const double enough = log_before - 1e-12 * std::abs(log_before);
    constexpr int kHalvings = 40;
    Go(before, step, 1);
    double reached = Log();
    double factor = 1;
    for (int i = 0; i < kHalvings; ++i) {
      Go(before, step, factor / 2);
      const double halved = Log();
      if (reached >= enough && halved <= reached) break;
      factor /= 2;
      reached = halved;
    }
    Go(before, step, factor);
  }

  std::vector<Encounter> encounters_;
  std::vector<double> values_;
  std::vector<int> column_;
  int columns_ = 0;
};

// The players that can be reached from the first one; `forward` follows points won, backward those
// lost, both follow games.
std::vector<bool> Reached(size_t count, const std::vector<Encounter>& encounters, bool forward,
                          bool backward) {
  std::vector<bool> reached(count);
  reached[0] = true;
  for (bool grows = true; grows;) {
    grows = false;
    const auto link = [&](int from, int to, double points) {
      if (points > 0 && reached[from] && !reached[to]) reached[to] = grows = true;
    };
    for (const Encounter& e : encounters) {
      const double red_points = e.red_wins + e.draws / 2;
      const double black_points = e.black_wins + e.draws / 2;
      if (forward) {
        link(e.red, e.black, red_points);
        link(e.black, e.red, black_points);
      }
      if (backward) {
        link(e.black, e.red, red_points);
        link(e.red, e.black, black_points);
      }
    }
  }
  return reached;
}

absl::Status CheckLinks(const std::vector<RatedPlayer>& players,
                        const std::vector<Encounter>& encounters) {
  const auto first_missing = [&](const std::vector<bool>& reached) {
    return std::find(reached.begin(), reached.end(), false) - reached.begin();
  };
  const auto count = static_cast<std::ptrdiff_t>(players.size());
  if (const auto i = first_missing(Reached(players.size(), encounters, true, true)); i < count) {
    return absl::FailedPreconditionError(absl::StrCat("no chain of games links ", players[0].name,
                                                      " and ",
                                                      players[static_cast<size_t>(i)].name));
  }
  for (const bool forward : {true, false}) {
    const auto i = first_missing(Reached(players.size(), encounters, forward, !forward));
    if (i < count) {
      return absl::FailedPreconditionError(
          absl::StrCat("no finite ratings: no chain of points won leads from ",
                       forward ? players[0].name : players[static_cast<size_t>(i)].name, " to ",
                       forward ? players[static_cast<size_t>(i)].name : players[0].name));
    }
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Encounter>> WithPrior(const std::vector<RatedPlayer>& players,
                                                 std::vector<Encounter> encounters,
                                                 double prior_draws) {
  const int count = static_cast<int>(players.size());
  std::vector<std::pair<int, int>> met;
  for (const Encounter& e : encounters) {
    if (e.red < 0 || e.black < 0 || e.red >= count || e.black >= count || e.red == e.black) {
      return absl::InvalidArgumentError(
          absl::StrCat("an encounter of players ", e.red, " and ", e.black, " of ", count));
    }
    met.emplace_back(std::min(e.red, e.black), std::max(e.red, e.black));
  }
  std::sort(met.begin(), met.end());
  met.erase(std::unique(met.begin(), met.end()), met.end());
  if (prior_draws > 0) {
    for (const auto& [a, b] : met) {
      encounters.push_back({.red = a, .black = b, .draws = prior_draws / 2});
      encounters.push_back({.red = b, .black = a, .draws = prior_draws / 2});
    }
  }
  return encounters;
}

// Covariance of the parameters; rows and columns of fixed ones are zero.
SymmetricMatrix Covariance(const Likelihood& likelihood, size_t parameters) {
  SymmetricMatrix inverse = likelihood.Matrix(Likelihood::Weight::kCurvature);
  SymmetricMatrix full(static_cast<int>(parameters));
  if (!inverse.Invert()) return full;
  const SymmetricMatrix sandwich =
      Sandwich(inverse, likelihood.Matrix(Likelihood::Weight::kSpread));
  for (size_t i = 0; i < parameters; ++i) {
    for (size_t j = 0; j < parameters; ++j) {
      const int row = likelihood.column(i);
      const int column = likelihood.column(j);
      if (row >= 0 && column >= 0) {
        full.at(static_cast<int>(i), static_cast<int>(j)) = sandwich.at(row, column);
      }
    }
  }
  return full;
}

// Moves the ratings so that their mean is as asked, and says how sure each is relative to it.
void CentreOnMean(double mean, const SymmetricMatrix& covariance, RatingList* list) {
  const int count = static_cast<int>(list->players.size());
  double sum = 0;
  double sum_variance = 0;
  for (const Rating& player : list->players) sum += player.elo;
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) sum_variance += covariance.at(i, j);
  }
  for (int i = 0; i < count; ++i) {
    double with_mean = 0;
    for (int j = 0; j < count; ++j) with_mean += covariance.at(i, j);
    const double variance =
        covariance.at(i, i) - 2 * with_mean / count + sum_variance / count / count;
    Rating& player = list->players[static_cast<size_t>(i)];
    player.elo += mean - sum / count;
    player.error = kTwoSided95 * kEloPerNeper * std::sqrt(std::max(0.0, variance));
  }
}

}  // namespace

absl::StatusOr<RatingList> RatePlayers(const std::vector<RatedPlayer>& players,
                                       const std::vector<Encounter>& encounters,
                                       const RatingOptions& options) {
  RatingList list;
  if (players.empty()) return list;
  CHUHE_ASSIGN_OR_RETURN(const std::vector<Encounter> all,
                         WithPrior(players, encounters, options.prior_draws));
  CHUHE_RETURN_IF_ERROR(CheckLinks(players, all));

  std::vector<double> start;
  std::vector<bool> is_fixed;
  for (const RatedPlayer& player : players) {
    start.push_back(player.anchor.value_or(0) / kEloPerNeper);
    is_fixed.push_back(player.anchor.has_value());
  }
  const bool is_anchored = std::find(is_fixed.begin(), is_fixed.end(), true) != is_fixed.end();
  if (!is_anchored) is_fixed[0] = true;
  start.push_back(0);
  is_fixed.push_back(!options.estimate_advantage);

  Likelihood likelihood(all, start, is_fixed);
  if (!likelihood.Maximize()) {
    return absl::FailedPreconditionError(
        "no finite ratings: too few games, or all with one assignment of colours");
  }
  const SymmetricMatrix covariance = Covariance(likelihood, start.size());
  for (size_t i = 0; i < players.size(); ++i) {
    const int index = static_cast<int>(i);
    list.players.push_back(
        {.elo = players[i].anchor.value_or(kEloPerNeper * likelihood.values()[i]),
         .error = kTwoSided95 * kEloPerNeper * std::sqrt(covariance.at(index, index))});
  }
  const int last = static_cast<int>(players.size());
  list.advantage = kEloPerNeper * likelihood.values().back();
  list.advantage_error = kTwoSided95 * kEloPerNeper * std::sqrt(covariance.at(last, last));
  if (!is_anchored) CentreOnMean(options.mean, covariance, &list);
  for (const Encounter& e : encounters) {
    const double games = e.red_wins + e.draws + e.black_wins;
    list.players[e.red].games += games;
    list.players[e.black].games += games;
    list.players[e.red].points += e.red_wins + e.draws / 2;
    list.players[e.black].points += e.black_wins + e.draws / 2;
  }
  return list;
}

}  // namespace chuhe
