#include "train/loop/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace chuhe {
namespace {

constexpr double kWidth = 720;
constexpr double kHeight = 300;
constexpr double kLeft = 64;
constexpr double kRight = 180;  // room for the legend
constexpr double kTop = 36;
constexpr double kBottom = 44;
constexpr double kPlotWidth = kWidth - kLeft - kRight;
constexpr double kPlotHeight = kHeight - kTop - kBottom;
constexpr int kMarks = 6;  // about so many on an axis
constexpr size_t kMaxDots = 60;
// Told apart by those who see few colours as well (Okabe and Ito 2008).
constexpr const char* kColors[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                   "#e69f00", "#56b4e9", "#666666", "#000000"};

const char* ColorOf(size_t series) { return kColors[series % std::size(kColors)]; }

// What an axis shows.
struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void Add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
  // Room for a single value, and some air.
  void Widen(double share) {
    const double air = high > low ? (high - low) * share : std::max(1.0, std::abs(low) * share);
    low -= air;
    high += air;
  }
};

// Distance of marks: 1, 2 or 5 times a power of ten.
double MarkDistance(const Range& range, bool whole) {
  const double rough = (range.high - range.low) / kMarks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  const double times = rough / power;
  const double distance = power * (times <= 1 ? 1 : times <= 2 ? 2 : times <= 5 ? 5 : 10);
  return whole ? std::max(1.0, distance) : distance;
}

struct Frame {
  Range x;
  Range y;

  double X(double value) const { return kLeft + (value - x.low) / (x.high - x.low) * kPlotWidth; }
  double Y(double value) const { return kTop + (y.high - value) / (y.high - y.low) * kPlotHeight; }
};

std::string Open(const ChartLabels& labels) {
  return absl::StrFormat(
      "<svg viewBox=\"0 0 %g %g\" width=\"%g\" height=\"%g\" role=\"img\" aria-label=\"%s\">\n"
      "<text class=\"title\" x=\"%g\" y=\"20\">%s</text>\n",
      kWidth, kHeight, kWidth, kHeight, EscapeHtml(labels.title), kLeft, EscapeHtml(labels.title));
}

std::string AxisNames(const ChartLabels& labels) {
  return absl::StrFormat(
      "<text x=\"%g\" y=\"%g\" text-anchor=\"middle\">%s</text>\n"
      "<text x=\"14\" y=\"%g\" text-anchor=\"middle\" transform=\"rotate(-90 14 %g)\">%s</text>\n",
      kLeft + kPlotWidth / 2, kHeight - 8, EscapeHtml(labels.x), kTop + kPlotHeight / 2,
      kTop + kPlotHeight / 2, EscapeHtml(labels.y));
}

std::string LegendEntry(size_t row, const std::string& name) {
  const double y = kTop + 8 + 18 * static_cast<double>(row);
  return absl::StrFormat(
      "<rect x=\"%g\" y=\"%g\" width=\"12\" height=\"12\" fill=\"%s\"/><text x=\"%g\" "
      "y=\"%g\">%s</text>\n",
      kWidth - kRight + 14, y - 6, ColorOf(row), kWidth - kRight + 32, y + 5, EscapeHtml(name));
}

std::string Grid(const Frame& frame, bool whole_x) {
  std::string svg;
  const double across = MarkDistance(frame.y, false);
  for (double mark = std::ceil(frame.y.low / across) * across; mark <= frame.y.high;
       mark += across) {
    // Not −0, nor what is left of it after additions.
    const double shown = std::abs(mark) < across / 1e6 ? 0 : mark;
    absl::StrAppendFormat(&svg,
                          "<line class=\"grid\" x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\"/>"
                          "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
                          kLeft, kLeft + kPlotWidth, frame.Y(mark), frame.Y(mark), kLeft - 6,
                          frame.Y(mark) + 4, shown);
  }
  const double along = MarkDistance(frame.x, whole_x);
  for (double mark = std::ceil(frame.x.low / along) * along; mark <= frame.x.high; mark += along) {
    const double shown = std::abs(mark) < along / 1e6 ? 0 : mark;
    absl::StrAppendFormat(&svg, "<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%g</text>\n",
                          frame.X(mark), kTop + kPlotHeight + 16, shown);
  }
  return svg;
}

std::string Line(const Frame& frame, const ChartSeries& series, const char* color) {
  std::string points;
  std::string marks;
  const bool has_dots = series.points.size() <= kMaxDots;
  for (const ChartPoint& point : series.points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    const double x = frame.X(point.x);
    absl::StrAppendFormat(&points, "%.1f,%.1f ", x, frame.Y(point.y));
    if (point.error > 0) {
      absl::StrAppendFormat(
          &marks, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>", x, x,
          frame.Y(point.y - point.error), frame.Y(point.y + point.error), color);
    }
    if (has_dots && !series.is_level) {
      absl::StrAppendFormat(&marks,
                            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>%s: %g, "
                            "%.4g</title></circle>",
                            x, frame.Y(point.y), color, EscapeHtml(series.name), point.x, point.y);
    }
  }
  if (series.is_level && !series.points.empty()) {
    const double y = frame.Y(series.points.front().y);
    return absl::StrFormat(
        "<line x1=\"%g\" x2=\"%g\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" "
        "stroke-dasharray=\"5 4\"/>\n",
        kLeft, kLeft + kPlotWidth, y, y, color);
  }
  return absl::StrFormat(
      "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.8\"/>%s\n", points,
      color, marks);
}

std::string Nothing(const ChartLabels& labels) {
  return Open(labels) +
         absl::StrFormat("<text x=\"%g\" y=\"%g\">nothing to show yet</text></svg>\n", kLeft,
                         kTop + kPlotHeight / 2);
}

}  // namespace

std::string EscapeHtml(const std::string& text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string LineChart(const ChartLabels& labels, const std::vector<ChartSeries>& series) {
  Frame frame;
  for (const ChartSeries& one : series) {
    for (const ChartPoint& point : one.points) {
      if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
      if (!one.is_level) frame.x.Add(point.x);
      frame.y.Add(point.y - point.error);
      frame.y.Add(point.y + point.error);
    }
  }
  if (frame.x.is_empty()) return Nothing(labels);
  if (labels.lowest) frame.y.Add(*labels.lowest);
  frame.x.Widen(frame.x.high > frame.x.low ? 0.0 : 1.0);
  const double floor = frame.y.low;
  frame.y.Widen(0.06);
  if (labels.lowest) frame.y.low = floor;
  std::string svg = Open(labels) + Grid(frame, labels.whole_x) + AxisNames(labels);
  for (size_t i = 0; i < series.size(); ++i) {
    svg += Line(frame, series[i], ColorOf(i));
    svg += LegendEntry(i, series[i].name);
  }
  return svg + "</svg>\n";
}

std::string ShareChart(const ChartLabels& labels, const std::vector<std::string>& bars,
                       const std::vector<BarPart>& parts) {
  if (bars.empty()) return Nothing(labels);
  Frame frame;
  frame.x = {0, static_cast<double>(bars.size())};
  frame.y = {0, 100};
  std::string svg = Open(labels) + AxisNames(labels);
  for (int percent = 0; percent <= 100; percent += 25) {
    absl::StrAppendFormat(&svg, "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%d %%</text>\n",
                          kLeft - 6, frame.Y(percent) + 4, percent);
  }
  // Names of many bars would run into each other.
  const size_t named_every = 1 + bars.size() / 16;
  for (size_t bar = 0; bar < bars.size(); ++bar) {
    double sum = 0;
    for (const BarPart& part : parts) sum += part.values[bar];
    const double left = frame.X(static_cast<double>(bar) + 0.1);
    const double width = frame.X(static_cast<double>(bar) + 0.9) - left;
    double below = 0;
    for (size_t i = 0; i < parts.size() && sum > 0; ++i) {
      const double share = 100 * parts[i].values[bar] / sum;
      absl::StrAppendFormat(&svg,
                            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" "
                            "fill=\"%s\"><title>%s %s: %.1f %%</title></rect>",
                            left, frame.Y(below + share), width,
                            frame.Y(below) - frame.Y(below + share), ColorOf(i),
                            EscapeHtml(bars[bar]), EscapeHtml(parts[i].name), share);
      below += share;
    }
    if (bar % named_every == 0) {
      absl::StrAppendFormat(&svg, "<text x=\"%.1f\" y=\"%g\" text-anchor=\"middle\">%s</text>\n",
                            left + width / 2, kTop + kPlotHeight + 16, EscapeHtml(bars[bar]));
    }
  }
  for (size_t i = 0; i < parts.size(); ++i) svg += LegendEntry(i, parts[i].name);
  return svg + "</svg>\n";
}

}  // namespace chuhe
