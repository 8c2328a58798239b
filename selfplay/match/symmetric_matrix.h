// Dense symmetric matrices of some hundred rows, for the ratings' equations.
#pragma once

#include <cstddef>
#include <vector>

namespace chuhe {

// Owned by one thread.
class SymmetricMatrix {
 public:
  explicit SymmetricMatrix(int size)
      : size_(size), values_(static_cast<size_t>(size) * static_cast<size_t>(size)) {}

  int size() const { return size_; }
  // Writing is the caller's to do on both sides of the diagonal.
  double& at(int row, int column) { return values_[Index(row, column)]; }
  double at(int row, int column) const { return values_[Index(row, column)]; }

  // Puts the solution of `this * x = right` in the place of `right`. False where the matrix is not
  // positive definite.
  bool Solve(std::vector<double>* right) const;
  // Becomes its inverse; false, and unchanged, where it is not positive definite.
  bool Invert();

 private:
  size_t Index(int row, int column) const {
    return static_cast<size_t>(row) * static_cast<size_t>(size_) + static_cast<size_t>(column);
  }
  // The lower triangle L of L Lᵀ = this.
  bool Factor(SymmetricMatrix* lower) const;

  int size_;
  std::vector<double> values_;
};

// outer * inner * outer.
SymmetricMatrix Sandwich(const SymmetricMatrix& outer, const SymmetricMatrix& inner);

}  // namespace chuhe
