#include "selfplay/match/match_html.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "selfplay/match/match_text.h"

namespace chuhe {
namespace {

constexpr char kHead[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Match</title>\n"
    "<style>pre{white-space:pre-wrap}body{font:14px "
    "sans-serif;margin:2em}table{border-collapse:collapse;margin:1em 0}"
    "td,th{border:1px solid #bbb;padding:.3em .7em;text-align:right}"
    "td:nth-child(2),th:nth-child(2){text-align:left}</style></head><body>\n<h1>Match</h1>\n";
constexpr int kWidth = 720;
constexpr int kHeight = 240;
constexpr double kMostElo = 800;

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string Crosstable(const MatchOptions& options, const Standings& standings) {
  std::string html =
      "<table><tr><th>#</th><th>engine</th><th>points</th><th>games</th><th>tie-break</th>"
      "<th>violations</th><th>+</th><th>=</th><th>−</th>";
  for (const PlayerStanding& row : standings.table)
    absl::StrAppend(&html, "<th>", row.place, "</th>");
  html += "</tr>\n";
  for (const PlayerStanding& row : standings.table) {
    absl::StrAppendFormat(
        &html,
        "<tr><td>%d</td><td>%s</td><td>%.1f</td><td>%d</td><td>%.2f</td><td>%d</td><td>%d</td>"
        "<td>%d</td><td>%d</td>",
        row.place, Escaped(options.engines[static_cast<size_t>(row.player)].name), row.points,
        row.counts.games(), row.tie_break, row.violations, row.counts.wins, row.counts.draws,
        row.counts.losses);
    for (const PlayerStanding& other : standings.table) {
      const GameCounts& counts = standings.Games(row.player, other.player);
      absl::StrAppend(
          &html, "<td>",
          counts.games() == 0
              ? "·"
              : absl::StrFormat("%.1f", counts.score() * static_cast<double>(counts.games())),
          "</td>");
    }
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

// The Elo of an engine against all others after each of its games.
std::vector<EloEstimate> Course(const std::vector<PlayedGame>& games, int engine) {
  std::vector<EloEstimate> course;
  GameCounts counts;
  for (const PlayedGame& played : games) {
    if (played.game.red != engine && played.game.black != engine) continue;
    const int halves = HalfPoints(played, engine);
    ++(halves == 2 ? counts.wins : halves == 1 ? counts.draws : counts.losses);
    course.push_back(EstimateElo(counts));
  }
  return course;
}

std::string Points(const std::vector<double>& values, double limit) {
  std::string points;
  for (size_t i = 0; i < values.size(); ++i) {
    const double x = kWidth * (static_cast<double>(i) + 0.5) / static_cast<double>(values.size());
    const double y = kHeight / 2.0 * (1 - std::clamp(values[i], -limit, limit) / limit);
    absl::StrAppendFormat(&points, "%.1f,%.1f ", x, y);
  }
  return points;
}

// The first engine's course with its error band.
std::string Graph(const MatchOptions& options, const std::vector<PlayedGame>& games) {
  const std::vector<EloEstimate> course = Course(games, 0);
  if (course.empty()) return "";
  std::vector<double> middle;
  std::vector<double> band;
  double limit = 100;
  for (const EloEstimate& elo : course) {
    middle.push_back(elo.elo);
    band.push_back(elo.upper);
    if (middle.size() * 4 > course.size())
      limit = std::max(limit, std::min(kMostElo, std::abs(elo.elo) * 1.5));
  }
  std::string edge = Points(band, limit);
  std::vector<double> lower;
  for (const EloEstimate& elo : course) lower.push_back(elo.lower);
  std::string low = Points(lower, limit);
  // The band is the upper edge there and the lower edge back.
  std::vector<std::string> back;
  for (size_t at = 0; at < low.size();) {
    const size_t end = low.find(' ', at);
    back.push_back(low.substr(at, end - at));
    at = end + 1;
  }
  std::reverse(back.begin(), back.end());
  for (const std::string& point : back) absl::StrAppend(&edge, point, " ");
  return absl::StrFormat(
      "<h2>Elo of %s</h2>\n<svg width=\"%d\" height=\"%d\" style=\"border:1px solid #bbb\">"
      "<line x1=\"0\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"#bbb\"/>"
      "<polygon points=\"%s\" fill=\"#cde\"/><polyline points=\"%s\" fill=\"none\" "
      "stroke=\"#036\" stroke-width=\"2\"/><text x=\"4\" y=\"14\">%+.0f</text>"
      "<text x=\"4\" y=\"%d\">%+.0f</text></svg>\n",
      Escaped(options.engines[0].name), kWidth, kHeight, kWidth, kHeight / 2, kHeight / 2, edge,
      Points(middle, limit), limit, kHeight - 4, -limit);
}

}  // namespace

std::string ReportHtml(const MatchOptions& options, const MatchReport& report) {
  const Standings standings = TableOf(options, report.games);
  std::string html = kHead;
  absl::StrAppend(&html, "<p>", FormatName(options.schedule.format), ", rules ",
                  RuleSetName(options.rules), ", ", report.games.size(), " games",
                  report.is_complete ? "" : ", not over", "</p>\n");
  html += Crosstable(options, standings);
  html += Graph(options, report.games);
  return absl::StrCat(html, "<h2>Numbers</h2>\n<pre>", Escaped(ReportText(options, report)),
                      "</pre>\n</body></html>\n");
}

}  // namespace chuhe
