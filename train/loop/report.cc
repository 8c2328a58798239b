#include "train/loop/report.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "train/loop/svg_chart.h"

namespace chuhe {
namespace {

constexpr char kHead[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n<style>\n"
    "body{font:14px/1.5 sans-serif;margin:2em auto;max-width:1500px;padding:0 1em;color:#222;"
    "background:#fff}\n"
    "svg{font:12px "
    "sans-serif;max-width:100%%;height:auto}\n.title{font-weight:bold;font-size:14px}\n"
    ".grid{stroke:#ddd}\n.charts{display:flex;flex-wrap:wrap;gap:1em}\n"
    "table{border-collapse:collapse}\ntd,th{border-bottom:1px solid #ddd;padding:.3em .8em;"
    "text-align:right}\n.warning{background:#fff3cd;padding:.5em 1em}\n"
    ".scroll{overflow-x:auto}\n</style></head><body>\n<h1>%s</h1>\n";

using Ratings = std::map<std::string, Rating>;

double Number(const Generation& generation) { return generation.number; }

std::string EloChart(const std::vector<Generation>& generations, const Ratings& ratings) {
  std::vector<ChartSeries> series = {{"network", {}}};
  for (const Generation& generation : generations) {
    const auto rating = ratings.find(GenerationName(generation.number));
    if (rating == ratings.end()) continue;
    series[0].points.push_back({Number(generation), rating->second.elo, rating->second.error});
  }
  for (const std::string& anchor : LadderAnchors()) {
    const auto rating = ratings.find(anchor);
    if (rating == ratings.end()) continue;
    series.push_back({anchor, {{0, rating->second.elo}}, true});
  }
  return LineChart({.title = "Strength (95 % error bars)",
                    .x = "generation",
                    .y = "Elo",
                    .lowest = {},
                    .whole_x = true},
                   series);
}

std::string LossChart(const std::vector<Generation>& generations) {
  std::vector<ChartSeries> series = {{"total", {}}, {"policy", {}}, {"win, draw, loss", {}}};
  for (const Generation& generation : generations) {
    for (const LossPoint& point : generation.losses) {
      const auto step = static_cast<double>(point.step);
      series[0].points.push_back({step, point.total});
      series[1].points.push_back({step, point.policy});
      series[2].points.push_back({step, point.wdl});
    }
  }
  return LineChart({.title = "Losses", .x = "step", .y = "nats", .lowest = 0.0, .whole_x = true},
                   series);
}

std::string LengthChart(const std::vector<Generation>& generations) {
  std::vector<ChartSeries> series = {{"mean", {}}, {"median", {}}};
  for (const Generation& generation : generations) {
    if (generation.play.games == 0) continue;
    series[0].points.push_back({Number(generation), generation.play.mean_plies});
    series[1].points.push_back(
        {Number(generation), static_cast<double>(generation.play.median_plies)});
  }
  return LineChart(
      {.title = "Length of games", .x = "generation", .y = "plies", .lowest = 0.0, .whole_x = true},
      series);
}

std::string ThroughputChart(const std::vector<Generation>& generations) {
  std::vector<ChartSeries> series = {{"positions played", {}}, {"samples learnt", {}}};
  for (const Generation& generation : generations) {
    if (generation.number == 0) continue;
    series[0].points.push_back({Number(generation), generation.positions_per_s});
    series[1].points.push_back({Number(generation), generation.samples_per_s});
  }
  return LineChart(
      {.title = "Throughput", .x = "generation", .y = "a second", .lowest = 0.0, .whole_x = true},
      series);
}

std::vector<const Generation*> WithGames(const std::vector<Generation>& generations) {
  std::vector<const Generation*> played;
  for (const Generation& generation : generations) {
    if (generation.play.games > 0) played.push_back(&generation);
  }
  return played;
}

std::vector<std::string> BarNames(const std::vector<const Generation*>& played) {
  std::vector<std::string> names;
  for (const Generation* generation : played) names.push_back(absl::StrCat(generation->number));
  return names;
}

std::string ResultChart(const std::vector<const Generation*>& played) {
  std::vector<BarPart> parts = {{"Black wins", {}}, {"drawn", {}}, {"Red wins", {}}};
  for (const Generation* generation : played) {
    parts[0].values.push_back(static_cast<double>(generation->play.black_wins));
    parts[1].values.push_back(static_cast<double>(generation->play.draws));
    parts[2].values.push_back(static_cast<double>(generation->play.red_wins));
  }
  return ShareChart({.title = "Results of self-play", .x = "generation", .y = "", .lowest = {}},
                    BarNames(played), parts);
}

std::string EndChart(const std::vector<const Generation*>& played) {
  std::set<std::string> names;
  for (const Generation* generation : played) {
    for (const auto& [name, count] : generation->play.ends) names.insert(name);
  }
  std::vector<BarPart> parts;
  for (const std::string& name : names) {
    BarPart part = {name, {}};
    for (const Generation* generation : played) {
      const auto found = generation->play.ends.find(name);
      part.values.push_back(
          found == generation->play.ends.end() ? 0 : static_cast<double>(found->second));
    }
    parts.push_back(std::move(part));
  }
  return ShareChart(
      {.title = "How games of self-play end", .x = "generation", .y = "", .lowest = {}},
      BarNames(played), parts);
}

// Won, drawn, lost of a network against another player.
std::string ScoreText(const Generation& generation, const std::string& opponent) {
  const std::string name = GenerationName(generation.number);
  int won = 0;
  int drawn = 0;
  int lost = 0;
  for (const LadderResult& result : generation.ladder) {
    const bool is_red = result.red == name && result.black == opponent;
    const bool is_black = result.black == name && result.red == opponent;
    if (!is_red && !is_black) continue;
    won += is_red ? result.red_wins : result.black_wins;
    lost += is_red ? result.black_wins : result.red_wins;
    drawn += result.draws;
  }
  return won + drawn + lost == 0 ? "–" : absl::StrFormat("+%d =%d −%d", won, drawn, lost);
}

std::string Table(const std::vector<Generation>& generations, const Ratings& ratings) {
  std::string html =
      "<div class=\"scroll\"><table><tr><th>generation</th><th>network</th><th>Elo</th>"
      "<th>steps</th><th>games</th><th>positions</th><th>evaluations</th><th>minutes</th>";
  for (const std::string& anchor : LadderAnchors()) {
    absl::StrAppend(&html, "<th>", EscapeHtml(anchor), "</th>");
  }
  html += "</tr>\n";
  const std::vector<int64_t> evaluations = EvaluationsUpTo(generations);
  for (const Generation& generation : generations) {
    const auto rating = ratings.find(GenerationName(generation.number));
    const std::string elo =
        rating == ratings.end()
            ? "–"
            : absl::StrFormat("%.0f ± %.0f", rating->second.elo, rating->second.error);
    absl::StrAppendFormat(
        &html,
        "<tr><td>%d</td><td><code>%s</code></td><td>%s</td><td>%d</td><td>%d</td><td>%d</td>"
        "<td>%.2f M</td><td>%.1f</td>",
        generation.number, EscapeHtml(generation.sha256.substr(0, 12)), elo, generation.steps,
        generation.games, generation.positions,
        static_cast<double>(evaluations[static_cast<size_t>(generation.number)]) / 1e6,
        generation.seconds / 60);
    for (const std::string& anchor : LadderAnchors()) {
      absl::StrAppend(&html, "<td>", ScoreText(generation, anchor), "</td>");
    }
    html += "</tr>\n";
  }
  return html + "</table></div>\n";
}

}  // namespace

std::string RunReportHtml(const std::string& name, const std::vector<Generation>& generations,
                          const std::vector<LadderRating>& ratings,
                          const std::vector<std::string>& warnings) {
  Ratings by_name;
  for (const LadderRating& rating : ratings) by_name[rating.player] = rating.rating;
  const std::string title = EscapeHtml(name);
  std::string html = absl::StrFormat(kHead, title, title);
  for (const std::string& warning : warnings) {
    absl::StrAppend(&html, "<p class=\"warning\">", EscapeHtml(warning), "</p>\n");
  }
  const std::vector<const Generation*> played = WithGames(generations);
  absl::StrAppend(&html, "<div class=\"charts\">\n", EloChart(generations, by_name),
                  LossChart(generations), LengthChart(generations), ResultChart(played),
                  EndChart(played), ThroughputChart(generations), "</div>\n<h2>Generations</h2>\n",
                  Table(generations, by_name));
  return html + absl::StrFormat(
                    "<p>Elo: %s is %.0f by definition. Error bars are 95 %%.</p>\n"
                    "</body></html>\n",
                    kAnchorPlayer, kAnchorElo);
}

}  // namespace chuhe
