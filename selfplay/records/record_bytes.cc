#include "selfplay/records/record_bytes.h"

#include <xxhash.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/rules/notation/coordinates.h"
#include "records_schema/game_record_generated.h"
#include "selfplay/records/policy_bytes.h"
#include "selfplay/records/record_check.h"

namespace chuhe {
namespace {

constexpr int kWdlParts = 10'000;

enum PlyFlags : uint8_t { kSearched = 1, kFast = 2, kDrawn = 4, kAllFlags = 7 };

uint16_t Rounded(float value, float most) {
  // The comparison is also false for what is not a number.
  return value > 0 ? static_cast<uint16_t>(std::lround(std::min(value, most))) : uint16_t{0};
}

absl::Status AtPly(size_t ply, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat("ply ", ply + 1, ": ", status.message()));
}

absl::Status Damaged(absl::string_view what) { return absl::DataLossError(what); }

// The vectors that hold what belongs to the plies.
struct PlyColumns {
  std::vector<uint16_t> moves;
  std::vector<uint8_t> flags;
  std::vector<uint16_t> wins;
  std::vector<uint16_t> losses;
  std::vector<uint16_t> plies_left;
  std::string policies;

  absl::Status Append(const Position& position, const PlyRecord& ply);
};

absl::Status PlyColumns::Append(const Position& position, const PlyRecord& ply) {
  moves.push_back(ply.move.bits());
  flags.push_back(static_cast<uint8_t>((ply.is_searched ? kSearched : 0) |
                                       (ply.is_fast ? kFast : 0) | (ply.is_drawn ? kDrawn : 0)));
  if (ply.is_searched) {
    const uint16_t win = Rounded(ply.root.win * kWdlParts, kWdlParts);
    wins.push_back(win);
    losses.push_back(Rounded(ply.root.loss * kWdlParts, static_cast<float>(kWdlParts - win)));
    plies_left.push_back(Rounded(ply.plies_left, UINT16_MAX));
  }
  return AppendPolicy(position, ply.policy, &policies);
}

absl::StatusOr<PlyColumns> MakeColumns(const GameRecord& record) {
  PlyColumns columns;
  Position position = record.start;
  for (size_t i = 0; i < record.plies.size(); ++i) {
    const PlyRecord& ply = record.plies[i];
    if (!IsLegal(position, ply.move)) {
      return AtPly(i, absl::InvalidArgumentError(
                          absl::StrCat("the move ", FormatUci(ply.move), " is illegal")));
    }
    const absl::Status status = columns.Append(position, ply);
    if (!status.ok()) return AtPly(i, status);
    position.Make(ply.move);
  }
  return columns;
}

records::PassedEnd Packed(const PassedEnd& end) {
  return {static_cast<uint16_t>(end.ply), static_cast<uint8_t>(end.outcome)};
}

std::vector<flatbuffers::Offset<records::NetworkUse>> AddNetworks(
    const GameRecord& record, flatbuffers::FlatBufferBuilder* builder) {
  std::vector<flatbuffers::Offset<records::NetworkUse>> networks;
  for (const NetworkUse& use : record.networks) {
    const std::string sha256 = absl::HexStringToBytes(use.sha256);
    const auto bytes =
        builder->CreateVector(reinterpret_cast<const uint8_t*>(sha256.data()), sha256.size());
    networks.push_back(
        records::CreateNetworkUse(*builder, bytes, static_cast<uint16_t>(use.first_ply)));
  }
  return networks;
}

std::string Build(const GameRecord& record, const PlyColumns& columns) {
  flatbuffers::FlatBufferBuilder builder;
  const bool is_start = record.start == Position::Start() && record.start_no_capture_plies == 0;
  const auto start =
      is_start ? 0 : builder.CreateString(FormatFen(record.start, record.start_no_capture_plies));
  const auto networks =
      record.networks.empty() ? 0 : builder.CreateVector(AddNetworks(record, &builder));
  const auto worker = record.worker.empty() ? 0 : builder.CreateString(record.worker);
  const auto moves = builder.CreateVector(columns.moves);
  const auto flags = builder.CreateVector(columns.flags);
  const auto wins = builder.CreateVector(columns.wins);
  const auto losses = builder.CreateVector(columns.losses);
  const auto plies_left = builder.CreateVector(columns.plies_left);
  const auto policies = builder.CreateVector(
      reinterpret_cast<const uint8_t*>(columns.policies.data()), columns.policies.size());
  const auto passed_resignation = Packed(record.passed_resignation.value_or(PassedEnd{}));
  const auto passed_adjudication = Packed(record.passed_adjudication.value_or(PassedEnd{}));
  const ForkOrigin origin = record.fork.value_or(ForkOrigin{});
  const records::ForkOrigin fork(origin.seed, static_cast<uint16_t>(origin.ply));

  records::GameBuilder game(builder);
  game.add_start(start);
  game.add_rules(static_cast<uint8_t>(record.rules));
  game.add_outcome(static_cast<uint8_t>(record.outcome));
  game.add_end(static_cast<uint8_t>(record.end));
  game.add_reason(static_cast<uint8_t>(record.reason));
  game.add_random_plies(static_cast<uint16_t>(record.random_plies));
  game.add_ply_cap(static_cast<uint16_t>(record.ply_cap));
  game.add_seed(record.seed);
  game.add_networks(networks);
  if (record.passed_resignation) game.add_passed_resignation(&passed_resignation);
  if (record.passed_adjudication) game.add_passed_adjudication(&passed_adjudication);
  if (record.fork) game.add_fork(&fork);
  game.add_worker(worker);
  game.add_finished_at(record.finished_at);
  game.add_moves(moves);
  game.add_flags(flags);
  game.add_wins(wins);
  game.add_losses(losses);
  game.add_plies_left(plies_left);
  game.add_policies(policies);
  game.add_evaluations(static_cast<uint32_t>(record.evaluations));
  records::FinishGameBuffer(builder, game.Finish());
  return {reinterpret_cast<const char*>(builder.GetBufferPointer()), builder.GetSize()};
}

// Takes the plies of a record from its vectors, one after the other.
class PlyReader {
 public:
  explicit PlyReader(const records::Game& game) : game_(game) {
    if (game.policies() == nullptr) return;
    policies_ = {reinterpret_cast<const char*>(game.policies()->data()), game.policies()->size()};
  }

  absl::Status Read(GameRecord* record);

 private:
  absl::StatusOr<PlyRecord> ReadPly(const Position& position, uint32_t ply);
  absl::Status ReadSearch(PlyRecord* ply);

  const records::Game& game_;
  absl::string_view policies_;
  uint32_t searched_ = 0;
};

template <typename T>
uint32_t SizeOf(const flatbuffers::Vector<T>* vector) {
  return vector == nullptr ? 0 : vector->size();
}

absl::Status PlyReader::Read(GameRecord* record) {
  const uint32_t plies = SizeOf(game_.moves());
  if (plies > kMaxRecordPlies) {
    return Damaged(absl::StrCat(plies, " plies, at most ", kMaxRecordPlies, " are allowed"));
  }
  if (SizeOf(game_.flags()) != plies) {
    return Damaged(absl::StrCat("flags of ", SizeOf(game_.flags()), " plies, expected ", plies));
  }
  Position position = record->start;
  record->plies.reserve(plies);
  for (uint32_t i = 0; i < plies; ++i) {
    absl::StatusOr<PlyRecord> ply = ReadPly(position, i);
    if (!ply.ok()) return AtPly(i, ply.status());
    position.Make(ply->move);
    record->plies.push_back(*std::move(ply));
  }
  if (!policies_.empty()) {
    return Damaged(absl::StrCat(policies_.size(), " bytes of policies behind those of the plies"));
  }
  if (SizeOf(game_.wins()) != searched_ || SizeOf(game_.losses()) != searched_ ||
      SizeOf(game_.plies_left()) != searched_) {
    return Damaged(
        absl::StrCat("values of more plies than the ", searched_, " that were searched"));
  }
  return absl::OkStatus();
}

absl::StatusOr<PlyRecord> PlyReader::ReadPly(const Position& position, uint32_t index) {
  PlyRecord ply;
  ply.move = Move::FromBits(game_.moves()->Get(index));
  // FormatUci is for squares of the board; and from() drops bits, which shall not hide anything.
  if (ply.move != Move(ply.move.from(), ply.move.to()) || ply.move.from() >= kSquares ||
      ply.move.to() >= kSquares) {
    return Damaged(absl::StrCat("the move ", ply.move.bits(), " is off the board"));
  }
  if (!IsLegal(position, ply.move)) {
    return Damaged(absl::StrCat("the move ", FormatUci(ply.move), " is illegal"));
  }
  const unsigned flags = game_.flags()->Get(index);
  if (flags > kAllFlags) return Damaged(absl::StrCat("flags ", flags, ", expected 0 to 7"));
  ply.is_fast = (flags & kFast) != 0;
  ply.is_drawn = (flags & kDrawn) != 0;
  ply.is_searched = (flags & kSearched) != 0;
  if (ply.is_searched) CHUHE_RETURN_IF_ERROR(ReadSearch(&ply));
  CHUHE_ASSIGN_OR_RETURN(ply.policy, TakePolicy(position, &policies_));
  return ply;
}

absl::Status PlyReader::ReadSearch(PlyRecord* ply) {
  const uint32_t i = searched_++;
  if (i >= SizeOf(game_.wins()) || i >= SizeOf(game_.losses()) || i >= SizeOf(game_.plies_left())) {
    return Damaged("its values are missing");
  }
  const int win = game_.wins()->Get(i);
  const int loss = game_.losses()->Get(i);
  if (win + loss > kWdlParts) {
    return Damaged(absl::StrCat("chances of ", win, " and ", loss, " parts, together at most ",
                                kWdlParts, " were expected"));
  }
  constexpr float kParts = kWdlParts;
  ply->root = {static_cast<float>(win) / kParts,
               static_cast<float>(kWdlParts - win - loss) / kParts,
               static_cast<float>(loss) / kParts};
  ply->plies_left = game_.plies_left()->Get(i);
  return absl::OkStatus();
}

template <typename Enum>
absl::Status ReadEnum(unsigned value, Enum last, absl::string_view name, Enum* out) {
  if (value > static_cast<unsigned>(last)) {
    return Damaged(absl::StrCat(name, " ", value, ", expected 0 to ", static_cast<unsigned>(last)));
  }
  *out = static_cast<Enum>(value);
  return absl::OkStatus();
}

absl::Status ReadPassedEnd(const records::PassedEnd* packed, absl::string_view name,
                           std::optional<PassedEnd>* out) {
  if (packed == nullptr) return absl::OkStatus();
  PassedEnd end{.ply = packed->ply()};
  CHUHE_RETURN_IF_ERROR(ReadEnum(packed->outcome(), Outcome::kBlackLoses, name, &end.outcome));
  *out = end;
  return absl::OkStatus();
}

absl::Status ReadStart(const records::Game& game, GameRecord* record) {
  if (game.start() == nullptr) {
    record->start = Position::Start();
    return absl::OkStatus();
  }
  const absl::string_view text(game.start()->c_str(), game.start()->size());
  constexpr size_t kLongestFen = 200;
  if (text.size() > kLongestFen) {
    return Damaged(absl::StrCat("start: a FEN of ", text.size(), " bytes, at most ", kLongestFen));
  }
  CHUHE_ASSIGN_OR_RETURN(const FenRecord fen, ParseFen(text));
  record->start = fen.position;
  record->start_no_capture_plies = fen.halfmove;
  return absl::OkStatus();
}

absl::Status ReadNetworks(const records::Game& game, GameRecord* record) {
  const uint32_t count = SizeOf(game.networks());
  if (count > static_cast<uint32_t>(kMaxRecordNetworks)) {
    return Damaged(absl::StrCat(count, " networks, at most ", kMaxRecordNetworks));
  }
  for (uint32_t i = 0; i < count; ++i) {
    const records::NetworkUse& use = *game.networks()->Get(i);
    if (SizeOf(use.sha256()) != kSha256Bytes) {
      return Damaged(absl::StrCat("network ", i + 1, ": a SHA-256 of ", SizeOf(use.sha256()),
                                  " bytes, expected ", kSha256Bytes));
    }
    const absl::string_view sha256(reinterpret_cast<const char*>(use.sha256()->data()),
                                   kSha256Bytes);
    record->networks.push_back({absl::BytesToHexString(sha256), use.first_ply()});
  }
  return absl::OkStatus();
}

absl::Status ReadHead(const records::Game& game, GameRecord* record) {
  CHUHE_RETURN_IF_ERROR(ReadEnum(game.rules(), RuleSet::kCxa, "rule set", &record->rules));
  CHUHE_RETURN_IF_ERROR(
      ReadEnum(game.outcome(), Outcome::kBlackLoses, "outcome", &record->outcome));
  CHUHE_RETURN_IF_ERROR(ReadEnum(game.end(), GameEnd::kUnknown, "end", &record->end));
  CHUHE_RETURN_IF_ERROR(ReadEnum(game.reason(), Reason::kPlyCap, "reason", &record->reason));
  record->random_plies = game.random_plies();
  record->ply_cap = game.ply_cap();
  record->seed = game.seed();
  record->evaluations = game.evaluations();
  record->finished_at = game.finished_at();
  if (game.worker() != nullptr) {
    record->worker.assign(game.worker()->c_str(), game.worker()->size());
  }
  CHUHE_RETURN_IF_ERROR(
      ReadPassedEnd(game.passed_resignation(), "resignation", &record->passed_resignation));
  CHUHE_RETURN_IF_ERROR(
      ReadPassedEnd(game.passed_adjudication(), "adjudication", &record->passed_adjudication));
  if (game.fork() != nullptr) record->fork = {game.fork()->seed(), game.fork()->ply()};
  CHUHE_RETURN_IF_ERROR(ReadStart(game, record));
  return ReadNetworks(game, record);
}

}  // namespace

std::string GameId::Hex() const {
  return absl::BytesToHexString({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

GameId IdOf(absl::string_view record_bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(record_bytes.data(), record_bytes.size()));
  GameId id;
  std::copy(std::begin(canonical.digest), std::end(canonical.digest), id.bytes.begin());
  return id;
}

absl::StatusOr<std::string> EncodeGame(const GameRecord& record) {
  CHUHE_RETURN_IF_ERROR(CheckFields(record));
  CHUHE_ASSIGN_OR_RETURN(const PlyColumns columns, MakeColumns(record));
  return Build(record, columns);
}

absl::StatusOr<GameRecord> DecodeGame(absl::string_view bytes, Judging judging) {
  if (bytes.size() > kMaxRecordBytes) {
    return Damaged(absl::StrCat("a record of ", bytes.size(), " bytes, at most ", kMaxRecordBytes,
                                " are allowed"));
  }
  // FlatBuffers read numbers in place, so the bytes must lie where numbers may.
  std::vector<uint64_t> aligned((bytes.size() + 7) / 8);
  if (!bytes.empty()) std::memcpy(aligned.data(), bytes.data(), bytes.size());
  constexpr int kMaxDepth = 4;
  constexpr int kMaxTables = 2 * kMaxRecordNetworks;
  const auto* data = reinterpret_cast<const uint8_t*>(aligned.data());
  flatbuffers::Verifier verifier(data, bytes.size(), kMaxDepth, kMaxTables);
  if (bytes.size() < 8 || !records::VerifyGameBuffer(verifier)) {
    return Damaged("not a game record: its FlatBuffers form is broken");
  }
  const records::Game& game = *records::GetGame(data);
  GameRecord record;
  CHUHE_RETURN_IF_ERROR(ReadHead(game, &record));
  CHUHE_RETURN_IF_ERROR(PlyReader(game).Read(&record));
  CHUHE_RETURN_IF_ERROR(CheckFields(record));
  if (judging == Judging::kRejudge) CHUHE_RETURN_IF_ERROR(Rejudge(record));
  return record;
}

}  // namespace chuhe
