// Values of several rounds of a measurement: their median, and how far the others lie apart.
#pragma once

#include <algorithm>
#include <vector>

namespace chuhe {

struct Spread {
  double median = 0;
  double low = 0;
  double high = 0;
};

// Of one value or more; of an even number of them the upper one of the two in the middle.
inline Spread SpreadOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

}  // namespace chuhe
