// A searched tree in a file, so that a long analysis survives a restart.
//
// The file names what the tree belongs to: the network (by any text that tells networks apart), the
// rules, the start and the moves of the game. All of it is under one checksum. A tree that was
// loaded searches on as the saved one would have, with the same options and while its memory is not
// full.
//
// Layout, numbers little-endian, text as its length in four bytes and its bytes:
//
//   magic "CHUTREE\n" | version u32 | network | rules | start FEN | no_capture_plies u32
//   | ply_cap u32 | count of moves u32 | moves u16 each
//   | top ply u32 | visits u64 | sum of path lengths u64 | longest path u32 | has twofolds u8
//   | edge into the top | edge into the root | node of the top | XXH3 of all before, u64
//
//   edge  visits u32 | value f32 | draw f32 | plies left f32 | prior u16 | move u16
//         | proof u8 | proof bits u8 | has a child u8
//   node  value f32 | count of moves u8 | count of edges u8 | has exact priors u8
//         | priors u16 each, 0 of moves with an edge | edges
//         | the nodes of those edges that have a child, in their order
//
// Version 2. In version 1 a node does not say whether its priors are exact: all are.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/rules/game.h"
#include "engine/search/tree_search.h"

namespace chuhe {

// What a tree file says of itself.
struct TreeFileInfo {
  std::string network;
  Game game;  // up to the root
};

// Writes aside and renames: `path` is the old file or the new one, whole. No visit may be under way
// (TreeSearch::Drain()), and the root must have its evaluation.
absl::Status SaveTree(const TreeSearch& search, const std::string& network,
                      const std::string& path);

// Verifies the checksum and reads what the file belongs to.
absl::StatusOr<TreeFileInfo> ReadTreeFileInfo(const std::string& path);

// Replaces the tree of `search`, and its root, by those of the file. Nothing is taken on trust:
// edges are moves that the position allows. Errors name the file, and leave the search unchanged:
// truncated or damaged, of another version or network, of other rules than `rules`, larger than
// the memory that the search may use.
absl::Status LoadTree(const std::string& path, const std::string& network, RuleSet rules,
                      TreeSearch* search);

}  // namespace chuhe
