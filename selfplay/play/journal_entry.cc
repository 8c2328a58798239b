#include "selfplay/play/journal_entry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "selfplay/records/record_bytes.h"

namespace chuhe {
namespace {

constexpr size_t kHeadBytes = 8;
constexpr size_t kMaxPayload = kMaxRecordBytes + 64;
// As records keep them.
constexpr float kChanceUnit = 10'000;
constexpr uint8_t kSearched = 1;
constexpr uint8_t kFast = 2;
constexpr uint8_t kDrawn = 4;

template <typename Number>
void Put(Number value, std::string* bytes) {
  for (size_t i = 0; i < sizeof(Number); ++i) {
    bytes->push_back(static_cast<char>(static_cast<uint64_t>(value) >> (8 * i) & 255));
  }
}

// Takes numbers from the front; once there are too few bytes, all are 0 and ok() is false.
class Taker {
 public:
  explicit Taker(absl::string_view bytes) : bytes_(bytes) {}

  template <typename Number>
  Number Take() {
    if (bytes_.size() < sizeof(Number)) {
      is_ok_ = false;
      return 0;
    }
    uint64_t value = 0;
    for (size_t i = 0; i < sizeof(Number); ++i) {
      value |= static_cast<uint64_t>(static_cast<unsigned char>(bytes_[i])) << (8 * i);
    }
    bytes_.remove_prefix(sizeof(Number));
    return static_cast<Number>(value);
  }
  bool ok() const { return is_ok_; }
  absl::string_view rest() const { return bytes_; }

 private:
  absl::string_view bytes_;
  bool is_ok_ = true;
};

uint32_t CheckOf(absl::string_view payload) {
  const GameId id = IdOf(payload);
  uint32_t check = 0;
  for (size_t i = 0; i < sizeof(check); ++i) check = check << 8 | id.bytes[i];
  return check;
}

void Seal(absl::string_view payload, std::string* bytes) {
  Put(static_cast<uint32_t>(payload.size()), bytes);
  Put(CheckOf(payload), bytes);
  bytes->append(payload.data(), payload.size());
}

void PutChance(float chance, std::string* bytes) {
  Put(static_cast<uint16_t>(std::lround(std::clamp(chance, 0.0f, 1.0f) * kChanceUnit)), bytes);
}

void PutPly(int place, const PlyRecord& ply, int64_t evaluations, std::string* bytes) {
  Put(static_cast<uint32_t>(place), bytes);
  Put(ply.move.bits(), bytes);
  const int flags =
      (ply.is_searched ? kSearched : 0) | (ply.is_fast ? kFast : 0) | (ply.is_drawn ? kDrawn : 0);
  Put(static_cast<uint8_t>(flags), bytes);
  if (ply.is_searched) {
    PutChance(ply.root.win, bytes);
    PutChance(ply.root.loss, bytes);
    Put(static_cast<uint16_t>(std::clamp(ply.plies_left, 0.0f, 65535.0f)), bytes);
  }
  Put(static_cast<uint8_t>(ply.policy.size()), bytes);
  for (const MoveWeight& weight : ply.policy) {
    Put(weight.move.bits(), bytes);
    Put(weight.weight, bytes);
  }
  Put(static_cast<uint32_t>(evaluations), bytes);
}

void TakePly(Taker* taker, JournalEntry* entry) {
  PlyRecord& ply = entry->played;
  entry->ply = static_cast<int>(taker->Take<uint32_t>());
  ply.move = Move::FromBits(taker->Take<uint16_t>());
  const auto flags = taker->Take<uint8_t>();
  ply.is_searched = (flags & kSearched) != 0;
  ply.is_fast = (flags & kFast) != 0;
  ply.is_drawn = (flags & kDrawn) != 0;
  if (ply.is_searched) {
    ply.root.win = taker->Take<uint16_t>() / kChanceUnit;
    ply.root.loss = taker->Take<uint16_t>() / kChanceUnit;
    ply.root.draw = std::max(0.0f, 1 - ply.root.win - ply.root.loss);
    ply.plies_left = taker->Take<uint16_t>();
  }
  const auto count = taker->Take<uint8_t>();
  for (int i = 0; i < count && taker->ok(); ++i) {
    MoveWeight weight;
    weight.move = Move::FromBits(taker->Take<uint16_t>());
    weight.weight = taker->Take<uint16_t>();
    ply.policy.push_back(weight);
  }
  entry->evaluations = taker->Take<uint32_t>();
}

std::string Head(JournalKind kind, int64_t number) {
  std::string payload;
  Put(static_cast<uint8_t>(kind), &payload);
  Put(static_cast<uint64_t>(number), &payload);
  return payload;
}

}  // namespace

void AppendEntry(const JournalEntry& entry, std::string* bytes) {
  std::string payload = Head(entry.kind, entry.number);
  if (entry.kind == JournalKind::kPly) {
    PutPly(entry.ply, entry.played, entry.evaluations, &payload);
  }
  payload += entry.record;
  Seal(payload, bytes);
}

void AppendPlyEntry(int64_t number, int ply, const PlyRecord& played, int64_t evaluations,
                    std::string* bytes) {
  std::string payload = Head(JournalKind::kPly, number);
  PutPly(ply, played, evaluations, &payload);
  Seal(payload, bytes);
}

std::optional<JournalEntry> TakeEntry(absl::string_view* bytes) {
  Taker head(*bytes);
  const auto size = head.Take<uint32_t>();
  const auto check = head.Take<uint32_t>();
  if (!head.ok() || size > kMaxPayload || head.rest().size() < size) return std::nullopt;
  const absl::string_view payload = head.rest().substr(0, size);
  if (CheckOf(payload) != check) return std::nullopt;
  Taker taker(payload);
  JournalEntry entry;
  const auto kind = taker.Take<uint8_t>();
  if (kind > static_cast<uint8_t>(JournalKind::kStored)) return std::nullopt;
  entry.kind = static_cast<JournalKind>(kind);
  entry.number = static_cast<int64_t>(taker.Take<uint64_t>());
  if (entry.kind == JournalKind::kPly) TakePly(&taker, &entry);
  if (!taker.ok() || entry.number < 0) return std::nullopt;
  const absl::string_view rest = taker.rest();
  entry.record.assign(rest.data(), rest.size());
  bytes->remove_prefix(kHeadBytes + size);
  return entry;
}

}  // namespace chuhe
