// What `chuhe analyze` reads and writes, one JSON object a line.
#pragma once

#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/rules/rule_set.h"
#include "engine/search/analyzer.h"

namespace chuhe {

struct AnalysisCancel {
  std::string id;
};

// Ids are the asker's JSON, a string or a number, kept as it was written: `"7"` and `7` differ.
using AnalysisRequest = std::variant<AnalysisOrder, AnalysisCancel>;

struct ReadAnalysis {
  std::string id = "null";                  // of the line, if it could be read
  absl::StatusOr<AnalysisRequest> request;  // errors name the key and what was expected
};

// Reads one line. Keys that are not known are errors, as they would be silently without effect.
ReadAnalysis ReadAnalysisLine(const std::string& line, RuleSet default_rules);

// The answer to an order: chances and score from the side to move, moves best first.
std::string AnalysisAnswer(const AnalysisOrder& order, const TreeSearch& search);
std::string AnalysisError(const std::string& id, absl::string_view message);
std::string AnalysisCancelled(const std::string& id);

}  // namespace chuhe
