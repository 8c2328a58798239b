#include "selfplay/records/policy_bytes.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/rules/notation/coordinates.h"

namespace chuhe {
namespace {

bool IsBefore(Move a, Move b) { return a.bits() < b.bits(); }

void AppendWeight(unsigned weight, std::string* bytes) {
  for (; weight >= 128; weight >>= 7) bytes->push_back(static_cast<char>(weight % 128 + 128));
  bytes->push_back(static_cast<char>(weight));
}

std::optional<unsigned> TakeByte(absl::string_view* bytes) {
  if (bytes->empty()) return std::nullopt;
  const unsigned byte = static_cast<unsigned char>(bytes->front());
  bytes->remove_prefix(1);
  return byte;
}

// Nothing where the bytes end, and for a weight that is 0, too large, or written longer than
// needed.
std::optional<uint16_t> TakeWeight(absl::string_view* bytes) {
  unsigned weight = 0;
  for (int shift = 0; shift <= 14; shift += 7) {
    const std::optional<unsigned> byte = TakeByte(bytes);
    if (!byte.has_value()) return std::nullopt;
    weight |= (*byte & 127) << shift;
    if (*byte >= 128) continue;
    if (*byte == 0 || weight > UINT16_MAX) return std::nullopt;
    return static_cast<uint16_t>(weight);
  }
  return std::nullopt;
}

absl::Status Damaged(absl::string_view what) {
  return absl::DataLossError(absl::StrCat("policy: ", what));
}

}  // namespace

std::vector<Move> NumberedMoves(const Position& position) {
  MoveList list;
  GenerateLegal(position, &list);
  std::vector<Move> moves(list.begin(), list.end());
  std::sort(moves.begin(), moves.end(), IsBefore);
  return moves;
}

absl::Status AppendPolicy(const Position& position, const std::vector<MoveWeight>& policy,
                          std::string* bytes) {
  std::vector<MoveWeight> weights;
  std::copy_if(policy.begin(), policy.end(), std::back_inserter(weights),
               [](const MoveWeight& entry) { return entry.weight > 0; });
  if (weights.empty() && !policy.empty()) {
    return absl::InvalidArgumentError("policy: no move has weight");
  }
  bytes->push_back(static_cast<char>(weights.size()));
  if (weights.empty()) return absl::OkStatus();
  std::sort(weights.begin(), weights.end(),
            [](const MoveWeight& a, const MoveWeight& b) { return IsBefore(a.move, b.move); });
  const std::vector<Move> moves = NumberedMoves(position);
  auto next = moves.begin();
  for (const MoveWeight& entry : weights) {
    next = std::lower_bound(next, moves.end(), entry.move, IsBefore);
    if (next == moves.end() || *next != entry.move) {
      return absl::InvalidArgumentError(
          absl::StrCat("policy: ", FormatUci(entry.move), " is illegal or comes twice"));
    }
    bytes->push_back(static_cast<char>(next - moves.begin()));
    AppendWeight(entry.weight, bytes);
    ++next;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::vector<MoveWeight>> TakePolicy(const Position& position,
                                                   absl::string_view* bytes) {
  std::vector<MoveWeight> policy;
  const std::optional<unsigned> size = TakeByte(bytes);
  if (!size.has_value()) return Damaged("ends early");
  if (*size == 0) return policy;
  const std::vector<Move> moves = NumberedMoves(position);
  if (*size > moves.size()) {
    return Damaged(absl::StrCat(*size, " moves where ", moves.size(), " are legal"));
  }
  policy.reserve(*size);
  unsigned next = 0;
  for (unsigned i = 0; i < *size; ++i) {
    const std::optional<unsigned> number = TakeByte(bytes);
    if (!number.has_value()) return Damaged("ends early");
    if (*number < next || *number >= moves.size()) {
      return Damaged(
          absl::StrCat("move number ", *number, ", expected ", next, " to ", moves.size() - 1));
    }
    const std::optional<uint16_t> weight = TakeWeight(bytes);
    if (!weight.has_value()) return Damaged("no weight from 1 to 65535 in its shortest form");
    policy.push_back({moves[*number], *weight});
    next = *number + 1;
  }
  return policy;
}

}  // namespace chuhe
