// Charts as SVG text that stands in a page without anything from outside.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace chuhe {

struct ChartPoint {
  double x = 0;
  double y = 0;
  double error = 0;  // half the height of an error bar; 0: none
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points;  // those that are no number are left out
  // A line across the chart at the first point's height, for something that does not change.
  bool is_level = false;
};

struct ChartLabels {
  std::string title;
  std::string x;  // what is to the right
  std::string y;
  std::optional<double> lowest;  // that the y axis shows in any case
  bool whole_x = false;          // marks of the x axis at whole numbers only
};

// Lines with points, marked axes and a legend. Says so where there is nothing to show.
std::string LineChart(const ChartLabels& labels, const std::vector<ChartSeries>& series);

struct BarPart {
  std::string name;
  std::vector<double> values;  // one for each bar
};

// A bar for each label, its parts as shares of their sum on top of each other.
std::string ShareChart(const ChartLabels& labels, const std::vector<std::string>& bars,
                       const std::vector<BarPart>& parts);

// Text as it may stand in HTML, SVG and between quotes.
std::string EscapeHtml(const std::string& text);

}  // namespace chuhe
