#include "train/run_report.h"

#include <algorithm>
#include <utility>

#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

constexpr double StepReport::*kParts[] = {
    &StepReport::gradient_norm, &StepReport::policy, &StepReport::wdl,
    &StepReport::plies_left,    &StepReport::reply,  &StepReport::short_term,
    &StepReport::survival,      &StepReport::total,  &StepReport::target_entropy};

}  // namespace

void ReportMean::Add(const StepReport& report) {
  sum_.step = report.step;
  sum_.learning_rate = report.learning_rate;
  for (const auto part : kParts) sum_.*part += report.*part;
  ++count_;
}

StepReport ReportMean::Take() {
  for (const auto part : kParts) sum_.*part /= std::max(count_, 1);
  count_ = 0;
  return std::exchange(sum_, {});
}

absl::Status WriteEvents(const RunProgress& progress, EventFile* events) {
  const int64_t step = progress.step.step;
  const auto add = [&](absl::string_view tag, double value) {
    return events->AddScalar(tag, step, static_cast<float>(value));
  };
  CHUHE_RETURN_IF_ERROR(add("loss/total", progress.step.total));
  CHUHE_RETURN_IF_ERROR(add("loss/policy", progress.step.policy));
  CHUHE_RETURN_IF_ERROR(add("loss/wdl", progress.step.wdl));
  CHUHE_RETURN_IF_ERROR(add("loss/plies_left", progress.step.plies_left));
  CHUHE_RETURN_IF_ERROR(add("loss/reply", progress.step.reply));
  CHUHE_RETURN_IF_ERROR(add("loss/survival", progress.step.survival));
  CHUHE_RETURN_IF_ERROR(add("gradient_norm", progress.step.gradient_norm));
  CHUHE_RETURN_IF_ERROR(add("learning_rate", progress.step.learning_rate));
  CHUHE_RETURN_IF_ERROR(add("samples_per_s", progress.samples_per_s));
  if (progress.is_validated) {
    CHUHE_RETURN_IF_ERROR(add("validation/policy", progress.validation.policy));
    CHUHE_RETURN_IF_ERROR(add("validation/top1", progress.validation.top1));
    CHUHE_RETURN_IF_ERROR(add("validation/wdl", progress.validation.wdl));
    CHUHE_RETURN_IF_ERROR(add("validation/unseen_top1", progress.unseen.top1));
  }
  if (progress.window.has_value()) {
    CHUHE_RETURN_IF_ERROR(add("loss/short_term", progress.step.short_term));
    CHUHE_RETURN_IF_ERROR(add("window/target_entropy", progress.step.target_entropy));
    CHUHE_RETURN_IF_ERROR(add("window/positions", static_cast<double>(progress.window->positions)));
    CHUHE_RETURN_IF_ERROR(
        add("window/total_positions", static_cast<double>(progress.window->total_positions)));
  }
  return events->Flush();
}

}  // namespace chuhe
