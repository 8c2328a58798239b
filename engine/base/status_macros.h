// Passing on errors of absl::Status and absl::StatusOr without an `if` at every call.
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns from the function (which returns a Status or a StatusOr) when `expression`, an
// absl::Status, is an error:
//   CHUHE_RETURN_IF_ERROR(file.Sync());
#define CHUHE_RETURN_IF_ERROR(expression)                              \
  do {                                                                 \
    if (absl::Status CHUHE_UNIQUE_NAME_(chuhe_status_) = (expression); \
        !CHUHE_UNIQUE_NAME_(chuhe_status_).ok()) {                     \
      return CHUHE_UNIQUE_NAME_(chuhe_status_);                        \
    }                                                                  \
  } while (false)

// Moves the value of `expression`, an absl::StatusOr, into `target`, or returns its error. The
// target is a declaration or anything that can be assigned to; a type with a comma in it needs a
// `using` first:
//   CHUHE_ASSIGN_OR_RETURN(const FenRecord record, ParseFen(text));
// Two statements, so it does not stand alone behind an `if`.
#define CHUHE_ASSIGN_OR_RETURN(target, expression) \
  CHUHE_ASSIGN_OR_RETURN_TO_(CHUHE_UNIQUE_NAME_(chuhe_status_or_), target, expression)

// The target may be a declaration, which cannot stand in parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define CHUHE_ASSIGN_OR_RETURN_TO_(result, target, expression) \
  auto result = (expression);                                  \
  if (!result.ok()) {                                          \
    return std::move(result).status();                         \
  }                                                            \
  target = *std::move(result)
// NOLINTEND(bugprone-macro-parentheses)

// One name a line, so that macros can stand inside each other's scopes without shadowing.
#define CHUHE_UNIQUE_NAME_(prefix) CHUHE_JOIN_(prefix, __LINE__)
#define CHUHE_JOIN_(prefix, line) CHUHE_JOIN_EXPANDED_(prefix, line)
#define CHUHE_JOIN_EXPANDED_(prefix, line) prefix##line
