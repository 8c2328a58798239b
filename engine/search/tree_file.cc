#include "engine/search/tree_file.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/fen.h"
#include "engine/board/movegen.h"
#include "engine/search/checked_file.h"

namespace chuhe {
namespace {

constexpr absl::string_view kMagic = "CHUTREE\n";
constexpr uint32_t kVersion = 2;
// Where all priors were exact, and nodes did not say so.
constexpr uint32_t kVersionOfExactPriors = 1;
constexpr uint32_t kMaxPlies = 1 << 20;

void WriteEdge(const Edge& edge, CheckedFileWriter* file) {
  file->Number(edge.visits);
  file->Number(edge.value);
  file->Number(edge.draw);
  file->Number(edge.plies_left);
  file->Number(edge.prior);
  file->Number(edge.move.bits());
  file->Number(static_cast<uint8_t>(edge.proof));
  file->Number(edge.proof_bits);
  file->Number(static_cast<uint8_t>(edge.child != 0 ? 1 : 0));
}

struct StoredEdge {
  Edge edge;  // without its child, which has another place here
  bool has_child = false;
};

absl::StatusOr<StoredEdge> ReadEdge(CheckedFileReader* file) {
  StoredEdge stored;
  Edge& edge = stored.edge;
  edge.visits = file->Number<uint32_t>();
  edge.value = file->Number<float>();
  edge.draw = file->Number<float>();
  edge.plies_left = file->Number<float>();
  edge.prior = file->Number<uint16_t>();
  edge.move = Move::FromBits(file->Number<uint16_t>());
  const auto proof = file->Number<uint8_t>();
  edge.proof_bits = file->Number<uint8_t>();
  const auto has_child = file->Number<uint8_t>();
  // Means of numbers from −1 to 1 or 0 to 1, a little beyond by rounding; a number that is none
  // fails every comparison.
  const bool is_sound = std::abs(edge.value) <= 1.001f && std::abs(edge.draw - 0.5f) <= 0.501f &&
                        std::abs(edge.plies_left) <= 1e6f &&
                        proof <= static_cast<uint8_t>(Proof::kLoss) && has_child <= 1;
  if (!file->is_good() || !is_sound) return file->Error("a move holds what cannot be");
  edge.proof = static_cast<Proof>(proof);
  stored.has_child = has_child != 0;
  return stored;
}

absl::StatusOr<Game> ReadGame(CheckedFileReader* file) {
  GameOptions options;
  const std::string rules = file->Text();
  CHUHE_ASSIGN_OR_RETURN(options.rules, ParseRuleSet(rules));
  const std::string fen = file->Text();
  CHUHE_ASSIGN_OR_RETURN(const FenRecord start, ParseFen(fen));
  options.no_capture_plies = static_cast<int>(file->Number<uint32_t>());
  options.ply_cap = static_cast<int>(file->Number<uint32_t>());
  Game game(start.position, options);
  const auto plies = file->Number<uint32_t>();
  if (plies > kMaxPlies) return absl::DataLossError("the game is too long");
  for (uint32_t i = 0; i < plies; ++i) {
    const Move move = Move::FromBits(file->Number<uint16_t>());
    const bool is_canonical = move == Move(move.from(), move.to());
    if (!is_canonical || !IsLegal(game.position(), move)) {
      return absl::DataLossError(absl::StrCat("ply ", i + 1, " of its game is not legal"));
    }
    game.Make(move);
  }
  return game;
}

struct Header {
  uint32_t version = 0;
  TreeFileInfo info;
};

// Behind the magic.
absl::StatusOr<Header> ReadHeader(CheckedFileReader* file) {
  const auto version = file->Number<uint32_t>();
  if (version != kVersion && version != kVersionOfExactPriors) {
    return file->Error(absl::StrCat("has version ", version, "; this program reads versions ",
                                    kVersionOfExactPriors, " and ", kVersion));
  }
  std::string network = file->Text();
  absl::StatusOr<Game> game = ReadGame(file);
  if (!game.ok()) return file->Error(game.status().message());
  return Header{version, {std::move(network), *std::move(game)}};
}

}  // namespace

// What a file holds of a search, and puts back. The tree search keeps its parts to itself; this
// class is let in.
class TreeFile {
 public:
  static void Write(const TreeSearch& search, const std::string& network, CheckedFileWriter* file);
  // Behind the header.
  static absl::Status Read(const Header& header, CheckedFileReader* file, TreeSearch* search);

 private:
  static void WriteNodes(const TreeSearch& search, CheckedFileWriter* file);
  static absl::StatusOr<BlockIndex> ReadNodes(Position position, uint32_t version,
                                              CheckedFileReader* file, Tree* tree);
  static absl::StatusOr<BlockIndex> ReadNode(const Position& position, uint32_t version,
                                             CheckedFileReader* file, Tree* tree,
                                             std::vector<bool>* has_child);
};

void TreeFile::Write(const TreeSearch& search, const std::string& network,
                     CheckedFileWriter* file) {
  const Game& game = search.game_;
  file->Bytes(kMagic.data(), kMagic.size());
  file->Number(kVersion);
  file->Text(network);
  file->Text(RuleSetName(game.options().rules));
  file->Text(FormatFen(game.PositionAt(0)));
  file->Number(static_cast<uint32_t>(game.options().no_capture_plies));
  file->Number(static_cast<uint32_t>(game.options().ply_cap));
  file->Number(static_cast<uint32_t>(game.plies()));
  for (int ply = 1; ply <= game.plies(); ++ply) file->Number(game.move(ply).bits());
  file->Number(static_cast<uint32_t>(search.top_ply_));
  file->Number(static_cast<uint64_t>(search.visits_));
  file->Number(static_cast<uint64_t>(search.path_sum_));
  file->Number(static_cast<uint32_t>(search.longest_path_));
  file->Number(static_cast<uint8_t>(search.has_twofolds_ ? 1 : 0));
  WriteEdge(search.top_edge_, file);
  WriteEdge(search.StoredRootEdge(), file);
  WriteNodes(search, file);
}

void TreeFile::WriteNodes(const TreeSearch& search, CheckedFileWriter* file) {
  std::vector<BlockIndex> left{search.line_.front()};
  while (!left.empty()) {
    const Node& node = search.tree_.node(left.back());
    left.pop_back();
    file->Number(node.value);
    file->Number(uint8_t{node.move_count});
    file->Number(node.edge_count);
    file->Number(uint8_t{node.has_exact_priors});
    for (size_t i = 0; i < node.move_count; ++i) file->Number(node.prior(i));
    const EdgeList edges = node.edges();
    for (const EdgeRef edge : edges) WriteEdge(edge.Load(), file);
    for (size_t i = edges.size(); i-- > 0;) {
      if (edges[i].child() != 0) left.push_back(edges[i].child());
    }
  }
}

// One node with its edges, which have no children yet.
absl::StatusOr<BlockIndex> TreeFile::ReadNode(const Position& position, uint32_t version,
                                              CheckedFileReader* file, Tree* tree,
                                              std::vector<bool>* has_child) {
  MoveList moves;
  GenerateLegal(position, &moves);
  const auto value = file->Number<float>();
  const auto move_count = file->Number<uint8_t>();
  const auto edge_count = file->Number<uint8_t>();
  const auto has_exact_priors =
      version == kVersionOfExactPriors ? uint8_t{1} : file->Number<uint8_t>();
  if (move_count != moves.size || edge_count > move_count || has_exact_priors > 1 ||
      !(std::abs(value) <= 1.001f)) {
    return file->Error("a node does not fit its position");
  }
  BlockIndex index = tree->NewNode(moves.size, has_exact_priors != 0);
  if (index == 0) return absl::ResourceExhaustedError("");
  Node& node = tree->node(index);
  node.value = value;
  std::vector<uint16_t> priors(move_count);
  for (uint16_t& prior : priors) prior = file->Number<uint16_t>();
  has_child->clear();
  std::vector<StoredEdge> edges;
  for (int i = 0; i < edge_count; ++i) {
    CHUHE_ASSIGN_OR_RETURN(edges.emplace_back(), ReadEdge(file));
    const Edge& edge = edges.back().edge;
    const Move* const move = std::find(moves.begin(), moves.end(), edge.move);
    // A prior of 0 marks a move that has an edge, so that no move can have two.
    uint16_t* const prior = priors.data() + (move - moves.begin());
    if (move == moves.end() || *prior != 0 || edge.prior == 0) {
      return file->Error("a move is not legal, or is there twice");
    }
    *prior = edge.prior;
  }
  if (std::count(priors.begin(), priors.end(), 0) != 0) {
    return file->Error("a move has no prior");
  }
  for (size_t i = 0; i < priors.size(); ++i) node.set_prior(i, priors[i]);
  node.FindNext();
  for (const StoredEdge& stored : edges) {
    const auto place = std::find(moves.begin(), moves.end(), stored.edge.move) - moves.begin();
    const EdgeRef edge = tree->NewEdge(&index, static_cast<int>(place), stored.edge.move);
    if (!edge) return absl::ResourceExhaustedError("");
    edge.Store(stored.edge);
    has_child->push_back(stored.has_child);
  }
  return index;
}

absl::StatusOr<BlockIndex> TreeFile::ReadNodes(Position position, uint32_t version,
                                               CheckedFileReader* file, Tree* tree) {
  // The way from the top to where nodes are read.
  struct Step {
    BlockIndex node;
    std::vector<bool> has_child;
    size_t next = 0;  // of its edges
    Move move;        // that led here
    Undo undo;
  };
  std::vector<Step> way;
  const auto descend = [&]() -> absl::Status {
    std::vector<bool> has_child;
    CHUHE_ASSIGN_OR_RETURN(const BlockIndex node,
                           ReadNode(position, version, file, tree, &has_child));
    way.push_back({.node = node, .has_child = std::move(has_child)});
    return absl::OkStatus();
  };
  CHUHE_RETURN_IF_ERROR(descend());
  const BlockIndex top = way.front().node;
  while (true) {
    Step& step = way.back();
    if (step.next == step.has_child.size()) {
      const Step done = std::move(step);
      way.pop_back();
      if (way.empty()) return top;
      position.Unmake(done.move, done.undo);
      continue;
    }
    const size_t place = step.next++;
    if (!step.has_child[place]) continue;
    const BlockIndex parent = step.node;
    const Move move = tree->node(parent).edges()[place].move();
    const Undo undo = position.Make(move);
    CHUHE_RETURN_IF_ERROR(descend());
    way.back().move = move;
    way.back().undo = undo;
    tree->node(parent).edges()[place].child() = way.back().node;
  }
}

absl::Status TreeFile::Read(const Header& header, CheckedFileReader* file, TreeSearch* search) {
  const Game& game = header.info.game;
  const auto top_ply = file->Number<uint32_t>();
  const auto visits = file->Number<uint64_t>();
  const auto path_sum = file->Number<uint64_t>();
  const auto longest_path = file->Number<uint32_t>();
  const auto has_twofolds = file->Number<uint8_t>();
  CHUHE_ASSIGN_OR_RETURN(const StoredEdge top_edge, ReadEdge(file));
  CHUHE_ASSIGN_OR_RETURN(const StoredEdge root_edge, ReadEdge(file));
  if (top_ply > static_cast<uint32_t>(game.plies()) || has_twofolds > 1) {
    return file->Error("the top of the tree is not in its game");
  }
  Tree tree(search->options_.max_tree_bytes);
  const auto top =
      ReadNodes(game.PositionAt(static_cast<int>(top_ply)), header.version, file, &tree);
  if (absl::IsResourceExhausted(top.status())) {
    return absl::ResourceExhaustedError(
        file->Error(absl::StrCat("needs more than the ", tree.max_bytes() >> 20,
                                 " MiB that the search may use"))
            .message());
  }
  CHUHE_RETURN_IF_ERROR(top.status());
  if (!file->is_at_end()) return file->Error("there is something behind the tree");
  std::vector<BlockIndex> line{*top};
  for (int ply = static_cast<int>(top_ply) + 1; ply <= game.plies(); ++ply) {
    const EdgeRef edge = tree.node(line.back()).edges().Find(game.move(ply));
    if (!edge || edge.child() == 0) {
      return file->Error("the tree does not reach the end of its game");
    }
    line.push_back(edge.child());
  }
  search->Clear();
  search->tree_ = std::move(tree);
  search->game_ = game;
  search->line_ = std::move(line);
  search->top_ply_ = static_cast<int>(top_ply);
  search->top_edge_ = top_edge.edge;
  search->root_ = search->line_.back();
  search->root_edge_ = root_edge.edge;
  search->root_side_ = game.position().side_to_move();
  search->root_moves_.clear();
  search->has_twofolds_ = has_twofolds != 0;
  search->visits_ = static_cast<int64_t>(visits);
  search->path_sum_ = static_cast<int64_t>(path_sum);
  search->longest_path_ = static_cast<int>(longest_path);
  return absl::OkStatus();
}

absl::Status SaveTree(const TreeSearch& search, const std::string& network,
                      const std::string& path) {
  if (!search.has_root_evaluation() || search.under_way() > 0) {
    return absl::FailedPreconditionError("a tree is saved when it has a root and is at rest");
  }
  if (network.size() > CheckedFileReader::kMaxTextBytes) {
    return absl::InvalidArgumentError("the network's name is too long for a tree file");
  }
  CheckedFileWriter file(path);
  TreeFile::Write(search, network, &file);
  return file.Finish();
}

absl::StatusOr<TreeFileInfo> ReadTreeFileInfo(const std::string& path) {
  CheckedFileReader file(path);
  CHUHE_RETURN_IF_ERROR(file.Verify(kMagic));
  CHUHE_ASSIGN_OR_RETURN(Header header, ReadHeader(&file));
  return std::move(header.info);
}

absl::Status LoadTree(const std::string& path, const std::string& network, RuleSet rules,
                      TreeSearch* search) {
  CheckedFileReader file(path);
  CHUHE_RETURN_IF_ERROR(file.Verify(kMagic));
  CHUHE_ASSIGN_OR_RETURN(const Header header, ReadHeader(&file));
  const TreeFileInfo& info = header.info;
  if (info.network != network) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": is a tree of the network '",
                                                      info.network, "', not of '", network, "'"));
  }
  if (info.game.options().rules != rules) {
    return absl::FailedPreconditionError(absl::StrCat(path, ": is a tree under the rules '",
                                                      RuleSetName(info.game.options().rules),
                                                      "', not '", RuleSetName(rules), "'"));
  }
  return TreeFile::Read(header, &file, search);
}

}  // namespace chuhe
