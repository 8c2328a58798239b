#include "selfplay/match/symmetric_matrix.h"

#include <cmath>
#include <utility>

namespace chuhe {

bool SymmetricMatrix::Factor(SymmetricMatrix* lower) const {
  // A pivot that rounding alone has left above zero is zero.
  constexpr double kSingular = 1e-13;
  for (int column = 0; column < size_; ++column) {
    double pivot = at(column, column);
    for (int k = 0; k < column; ++k) pivot -= lower->at(column, k) * lower->at(column, k);
    if (!(pivot > kSingular * at(column, column))) return false;
    lower->at(column, column) = std::sqrt(pivot);
    for (int row = column + 1; row < size_; ++row) {
      double value = at(row, column);
      for (int k = 0; k < column; ++k) value -= lower->at(row, k) * lower->at(column, k);
      lower->at(row, column) = value / lower->at(column, column);
    }
  }
  return true;
}

bool SymmetricMatrix::Solve(std::vector<double>* right) const {
  SymmetricMatrix lower(size_);
  if (!Factor(&lower)) return false;
  std::vector<double>& x = *right;
  for (int row = 0; row < size_; ++row) {
    for (int k = 0; k < row; ++k) x[row] -= lower.at(row, k) * x[k];
    x[row] /= lower.at(row, row);
  }
  for (int row = size_ - 1; row >= 0; --row) {
    for (int k = row + 1; k < size_; ++k) x[row] -= lower.at(k, row) * x[k];
    x[row] /= lower.at(row, row);
  }
  return true;
}

bool SymmetricMatrix::Invert() {
  SymmetricMatrix inverse(size_);
  for (int column = 0; column < size_; ++column) {
    std::vector<double> unit(static_cast<size_t>(size_));
    unit[column] = 1;
    if (!Solve(&unit)) return false;
    for (int row = 0; row < size_; ++row) inverse.at(row, column) = unit[row];
  }
  *this = std::move(inverse);
  return true;
}

SymmetricMatrix Sandwich(const SymmetricMatrix& outer, const SymmetricMatrix& inner) {
  const int size = outer.size();
  SymmetricMatrix half(size);  // not symmetric itself
  SymmetricMatrix result(size);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < size; ++k) {
      for (int j = 0; j < size; ++j) half.at(i, j) += outer.at(i, k) * inner.at(k, j);
    }
  }
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < size; ++k) {
      for (int j = 0; j < size; ++j) result.at(i, j) += half.at(i, k) * outer.at(k, j);
    }
  }
  return result;
}

}  // namespace chuhe
