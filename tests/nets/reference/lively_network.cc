#include "tests/nets/reference/lively_network.h"

#include "engine/base/random.h"
#include "engine/board/movegen.h"
#include "engine/rules/game.h"
#include "nets/weights/initialise.h"

namespace chuhe {
namespace {

void Scale(float factor, std::vector<float>* values) {
  for (float& value : *values) value *= factor;
}

// Uniform within ±reach.
void Fill(float reach, Random* random, std::vector<float>* values) {
  for (float& value : *values) {
    value = reach * static_cast<float>(2 * random->UniformDouble() - 1);
  }
}

}  // namespace

NetworkWeights LivelyNetwork(const Architecture& architecture, uint64_t seed) {
  NetworkWeights network = InitialNetwork(architecture, seed);
  Random random(seed, StreamId("lively"));
  Fill(0.3f, &random, &network.stem.bias);
  for (BlockWeights& block : network.blocks) {
    Fill(0.3f, &random, &block.conv1.bias);
    Fill(0.3f, &random, &block.conv2.bias);
  }
  Fill(0.3f, &random, &network.policy_conv.bias);
  Fill(0.3f, &random, &network.value_conv.bias);
  Fill(0.3f, &random, &network.value_hidden.bias);
  Fill(1.0f, &random, &network.policy_bias);
  Scale(15, &network.policy_from);
  Scale(15, &network.policy_to);
  Scale(10, &network.wdl.weight);
  Scale(5, &network.plies_left.weight);
  return network;
}

std::vector<EvaluationRequest> RandomRequests(int count, uint64_t seed) {
  constexpr int kMaxPlies = 150;
  constexpr int kPliesBetween = 7;  // odd: both sides
  Random random(seed, StreamId("random requests"));
  std::vector<EvaluationRequest> requests;
  while (static_cast<int>(requests.size()) < count) {
    Game game(Position::Start());
    for (int ply = 0; ply < kMaxPlies && static_cast<int>(requests.size()) < count; ++ply) {
      EvaluationRequest request;
      request.SetPosition(game);
      GenerateLegal(request.position, &request.moves);
      if (request.moves.size == 0) break;
      game.Make(request.moves[static_cast<int>(random.Below(request.moves.size))]);
      if (ply % kPliesBetween == 0) requests.push_back(request);
    }
  }
  return requests;
}

}  // namespace chuhe
