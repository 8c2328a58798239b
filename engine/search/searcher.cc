#include "engine/search/searcher.h"

namespace chuhe {
namespace {

constexpr char kNoTree[] = "what plays here keeps no tree that could be saved or loaded";

}  // namespace

std::optional<StoredPosition> Searcher::Probe(const Game& /*game*/) const { return {}; }

absl::Status Searcher::SaveTree(const std::string& /*path*/) {
  return absl::UnimplementedError(kNoTree);
}

absl::Status Searcher::LoadTree(const std::string& /*path*/, RuleSet /*rules*/) {
  return absl::UnimplementedError(kNoTree);
}

}  // namespace chuhe
