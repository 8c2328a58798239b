#include "selfplay/match/rating_store.h"

#include <sqlite3.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"

namespace chuhe {
namespace {

constexpr char kSchema[] =
    "CREATE TABLE IF NOT EXISTS matches(id INTEGER PRIMARY KEY, identity TEXT UNIQUE NOT NULL,"
    " complete INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS encounters(match INTEGER NOT NULL REFERENCES matches(id),"
    " red TEXT NOT NULL, black TEXT NOT NULL, red_wins INTEGER NOT NULL, draws INTEGER NOT NULL,"
    " black_wins INTEGER NOT NULL);"
    "CREATE TABLE IF NOT EXISTS anchors(player TEXT PRIMARY KEY, elo REAL NOT NULL);"
    "CREATE TABLE IF NOT EXISTS ratings(player TEXT PRIMARY KEY, elo REAL NOT NULL,"
    " error REAL NOT NULL, games REAL NOT NULL, points REAL NOT NULL, pool INTEGER NOT NULL);";
constexpr int kBusyMs = 10'000;

// Owned by one thread.
class Database {
 public:
  explicit Database(std::string path) : path_(std::move(path)) {}
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database() { sqlite3_close(db_); }

  absl::Status Open() {
    const int result = sqlite3_open(path_.c_str(), &db_);
    if (result != SQLITE_OK) return Error();
    sqlite3_busy_timeout(db_, kBusyMs);
    return absl::OkStatus();
  }

  absl::Status Execute(const char* sql) {
    return sqlite3_exec(db_, sql, nullptr, nullptr, nullptr) == SQLITE_OK ? absl::OkStatus()
                                                                          : Error();
  }

  absl::Status Error() const {
    return absl::UnavailableError(
        absl::StrCat(path_, ": ", db_ == nullptr ? "no memory" : sqlite3_errmsg(db_)));
  }

  sqlite3* handle() { return db_; }
  int64_t last_id() const { return sqlite3_last_insert_rowid(db_); }

 private:
  const std::string path_;
  sqlite3* db_ = nullptr;
};

// One statement. Owned by one thread.
class Statement {
 public:
  Statement(Database* database, const char* sql) : database_(*database) {
    sqlite3_prepare_v2(database->handle(), sql, -1, &statement_, nullptr);
  }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement() { sqlite3_finalize(statement_); }

  Statement& Text(int index, const std::string& text) {
    sqlite3_bind_text(statement_, index, text.c_str(), static_cast<int>(text.size()),
                      SQLITE_TRANSIENT);
    return *this;
  }
  Statement& Int(int index, int64_t number) {
    sqlite3_bind_int64(statement_, index, number);
    return *this;
  }
  Statement& Real(int index, double number) {
    sqlite3_bind_double(statement_, index, number);
    return *this;
  }

  // False at the end of the rows.
  absl::StatusOr<bool> Step() {
    const int result = statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_);
    if (result == SQLITE_ROW) return true;
    if (result == SQLITE_DONE) return false;
    return database_.Error();
  }
  absl::Status Run() {
    const absl::StatusOr<bool> row = Step();
    sqlite3_reset(statement_);
    return row.status();
  }

  std::string TextOf(int column) {
    const unsigned char* const text = sqlite3_column_text(statement_, column);
    return text == nullptr ? "" : std::string(reinterpret_cast<const char*>(text));
  }
  double RealOf(int column) { return sqlite3_column_double(statement_, column); }

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

absl::Status AddMatch(const MatchOptions& options, const MatchReport& report, Database* database) {
  const std::string identity = options.Identity();
  CHUHE_RETURN_IF_ERROR(Statement(database,
                                  "DELETE FROM encounters WHERE match IN"
                                  " (SELECT id FROM matches WHERE identity = ?)")
                            .Text(1, identity)
                            .Run());
  CHUHE_RETURN_IF_ERROR(
      Statement(database, "DELETE FROM matches WHERE identity = ?").Text(1, identity).Run());
  CHUHE_RETURN_IF_ERROR(Statement(database, "INSERT INTO matches(identity, complete) VALUES (?, ?)")
                            .Text(1, identity)
                            .Int(2, report.is_complete ? 1 : 0)
                            .Run());
  const int64_t match = database->last_id();
  for (const Encounter& encounter : EncountersOf(report.games)) {
    CHUHE_RETURN_IF_ERROR(Statement(database, "INSERT INTO encounters VALUES (?, ?, ?, ?, ?, ?)")
                              .Int(1, match)
                              .Text(2, options.engines[static_cast<size_t>(encounter.red)].name)
                              .Text(3, options.engines[static_cast<size_t>(encounter.black)].name)
                              .Int(4, static_cast<int64_t>(encounter.red_wins))
                              .Int(5, static_cast<int64_t>(encounter.draws))
                              .Int(6, static_cast<int64_t>(encounter.black_wins))
                              .Run());
  }
  for (const EngineSpec& engine : options.engines) {
    if (!engine.anchor.has_value()) continue;
    CHUHE_RETURN_IF_ERROR(Statement(database, "INSERT OR REPLACE INTO anchors VALUES (?, ?)")
                              .Text(1, engine.name)
                              .Real(2, *engine.anchor)
                              .Run());
  }
  return absl::OkStatus();
}

struct Results {
  std::vector<RatedPlayer> players;
  std::vector<Encounter> encounters;
};

absl::StatusOr<Results> ReadResults(Database* database) {
  Results results;
  std::map<std::string, int> index;
  const auto player = [&](const std::string& name) {
    const auto [entry, is_new] = index.emplace(name, static_cast<int>(results.players.size()));
    if (is_new) results.players.push_back({.name = name});
    return entry->second;
  };
  Statement encounters(database,
                       "SELECT red, black, SUM(red_wins), SUM(draws), SUM(black_wins)"
                       " FROM encounters GROUP BY red, black ORDER BY red, black");
  for (;;) {
    CHUHE_ASSIGN_OR_RETURN(const bool has_row, encounters.Step());
    if (!has_row) break;
    const int red = player(encounters.TextOf(0));
    const int black = player(encounters.TextOf(1));
    results.encounters.push_back(
        {red, black, encounters.RealOf(2), encounters.RealOf(3), encounters.RealOf(4)});
  }
  Statement anchors(database, "SELECT player, elo FROM anchors");
  for (;;) {
    CHUHE_ASSIGN_OR_RETURN(const bool has_row, anchors.Step());
    if (!has_row) return results;
    const auto found = index.find(anchors.TextOf(0));
    if (found != index.end()) results.players[found->second].anchor = anchors.RealOf(1);
  }
}

// The pool of each player: the lowest index that games link it to.
std::vector<int> Pools(const Results& results) {
  std::vector<int> pool(results.players.size());
  std::iota(pool.begin(), pool.end(), 0);
  for (bool changes = true; changes;) {
    changes = false;
    for (const Encounter& encounter : results.encounters) {
      const int lowest = std::min(pool[encounter.red], pool[encounter.black]);
      changes = changes || pool[encounter.red] != lowest || pool[encounter.black] != lowest;
      pool[encounter.red] = pool[encounter.black] = lowest;
    }
  }
  return pool;
}

absl::StatusOr<std::vector<StoredRating>> RateAll(const Results& results) {
  const std::vector<int> pools = Pools(results);
  std::vector<StoredRating> ratings;
  for (int pool = 0; pool < static_cast<int>(results.players.size()); ++pool) {
    Results part;
    std::map<int, int> index;
    for (size_t i = 0; i < pools.size(); ++i) {
      if (pools[i] != pool) continue;
      index[static_cast<int>(i)] = static_cast<int>(part.players.size());
      part.players.push_back(results.players[i]);
    }
    if (part.players.empty()) continue;
    for (Encounter encounter : results.encounters) {
      if (pools[encounter.red] != pool) continue;
      encounter.red = index[encounter.red];
      encounter.black = index[encounter.black];
      part.encounters.push_back(encounter);
    }
    // One drawn game between all that met keeps the ratings finite.
    CHUHE_ASSIGN_OR_RETURN(const RatingList list,
                           RatePlayers(part.players, part.encounters, {.prior_draws = 1}));
    for (size_t i = 0; i < part.players.size(); ++i) {
      ratings.push_back({part.players[i].name, list.players[i], pool});
    }
  }
  std::stable_sort(ratings.begin(), ratings.end(), [](const auto& a, const auto& b) {
    return std::pair(a.pool, -a.rating.elo) < std::pair(b.pool, -b.rating.elo);
  });
  return ratings;
}

absl::Status WriteRatings(const std::vector<StoredRating>& ratings, Database* database) {
  CHUHE_RETURN_IF_ERROR(database->Execute("DELETE FROM ratings"));
  for (const StoredRating& stored : ratings) {
    CHUHE_RETURN_IF_ERROR(Statement(database, "INSERT INTO ratings VALUES (?, ?, ?, ?, ?, ?)")
                              .Text(1, stored.player)
                              .Real(2, stored.rating.elo)
                              .Real(3, stored.rating.error)
                              .Real(4, stored.rating.games)
                              .Real(5, stored.rating.points)
                              .Int(6, stored.pool)
                              .Run());
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<Encounter> EncountersOf(const std::vector<PlayedGame>& games) {
  std::map<std::pair<int, int>, Encounter> encounters;
  for (const PlayedGame& played : games) {
    Encounter& encounter = encounters[{played.game.red, played.game.black}];
    encounter.red = played.game.red;
    encounter.black = played.game.black;
    const GameOutcome outcome = played.result.outcome;
    ++(outcome == GameOutcome::kRedWins     ? encounter.red_wins
       : outcome == GameOutcome::kBlackWins ? encounter.black_wins
                                            : encounter.draws);
  }
  std::vector<Encounter> list;
  for (const auto& [players, encounter] : encounters) list.push_back(encounter);
  return list;
}

absl::Status CheckRatingStore(const std::string& path) {
  Database database(path);
  CHUHE_RETURN_IF_ERROR(database.Open());
  CHUHE_RETURN_IF_ERROR(database.Execute("BEGIN IMMEDIATE"));
  CHUHE_RETURN_IF_ERROR(database.Execute(kSchema));
  return ReadResults(&database).status();
}

absl::StatusOr<std::vector<StoredRating>> AddToRatings(const std::string& path,
                                                       const MatchOptions& options,
                                                       const MatchReport& report) {
  Database database(path);
  CHUHE_RETURN_IF_ERROR(database.Open());
  CHUHE_RETURN_IF_ERROR(database.Execute("BEGIN IMMEDIATE"));
  // What is not committed when the database closes never was.
  CHUHE_RETURN_IF_ERROR(database.Execute(kSchema));
  CHUHE_RETURN_IF_ERROR(AddMatch(options, report, &database));
  CHUHE_ASSIGN_OR_RETURN(const Results results, ReadResults(&database));
  CHUHE_ASSIGN_OR_RETURN(std::vector<StoredRating> ratings, RateAll(results));
  CHUHE_RETURN_IF_ERROR(WriteRatings(ratings, &database));
  CHUHE_RETURN_IF_ERROR(database.Execute("COMMIT"));
  return ratings;
}

}  // namespace chuhe
