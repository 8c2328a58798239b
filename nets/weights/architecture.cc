#include "nets/weights/architecture.h"

#include <algorithm>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/board/types.h"
#include "nets/features/planes.h"
#include "nets/features/policy.h"
#include "nets/weights/quoted.h"

namespace chuhe {
namespace {

// What the program handles: far above what trains on one machine, and small enough that sizes
// computed from it never overflow.
constexpr int kMaxBlocks = 64;
constexpr int kMaxChannels = 512;
constexpr int kMaxValueChannels = 128;
constexpr int kMaxValueHidden = 1024;
constexpr int kChannelStep = 16;

// Legal moves of a usual middlegame position: so many logits are computed.
constexpr int kUsualMoves = 40;

struct NamedSize {
  absl::string_view name;
  int blocks;
  int channels;
};
constexpr NamedSize kSizes[] = {
    {"tiny", 4, 32}, {"small", 6, 64}, {"medium", 10, 128}, {"large", 15, 192}, {"xl", 20, 256}};

absl::Status CheckRange(absl::string_view what, int value, int min, int max, int step = 1) {
  if (value >= min && value <= max && value % step == 0) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      what, " is ", value, ", expected ",
      step == 1 ? "a number" : absl::StrCat("a multiple of ", step), " from ", min, " to ", max));
}

}  // namespace

Architecture MakeArchitecture(int blocks, int channels) {
  return {.blocks = blocks,
          .channels = channels,
          .policy_channels = std::min(channels, 128),
          .value_channels = channels <= 64 ? 8 : 16,
          .value_hidden = channels <= 64 ? 64 : 128};
}

absl::StatusOr<Architecture> ParseArchitecture(absl::string_view text) {
  const std::string lower = absl::AsciiStrToLower(text);
  for (const NamedSize& size : kSizes) {
    if (lower == size.name) {
      return MakeArchitecture(size.blocks, size.channels);
    }
  }
  const auto is_number = [](absl::string_view digits) {
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit);
  };
  const size_t times = lower.find('x');
  const absl::string_view blocks_text = absl::string_view(lower).substr(0, times);
  const absl::string_view channels_text =
      times == std::string::npos ? "" : absl::string_view(lower).substr(times + 1);
  int blocks = 0;
  int channels = 0;
  if (!is_number(blocks_text) || !is_number(channels_text) ||
      !absl::SimpleAtoi(blocks_text, &blocks) || !absl::SimpleAtoi(channels_text, &channels)) {
    return absl::InvalidArgumentError(
        absl::StrCat("network size ", Quoted(text),
                     ": expected tiny, small, medium, large, xl, or BLOCKSxCHANNELS as in 6x64"));
  }
  Architecture architecture = MakeArchitecture(blocks, channels);
  if (const absl::Status status = CheckArchitecture(architecture); !status.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("network size ", Quoted(text), ": ", status.message()));
  }
  return architecture;
}

std::string ArchitectureName(const Architecture& architecture) {
  for (const NamedSize& size : kSizes) {
    if (architecture == MakeArchitecture(size.blocks, size.channels)) {
      return std::string(size.name);
    }
  }
  return absl::StrCat(architecture.blocks, "x", architecture.channels);
}

absl::Status CheckArchitecture(const Architecture& architecture) {
  CHUHE_RETURN_IF_ERROR(CheckRange("blocks", architecture.blocks, 1, kMaxBlocks));
  CHUHE_RETURN_IF_ERROR(
      CheckRange("channels", architecture.channels, kChannelStep, kMaxChannels, kChannelStep));
  CHUHE_RETURN_IF_ERROR(CheckRange("policy_channels", architecture.policy_channels, kChannelStep,
                                   kMaxChannels, kChannelStep));
  CHUHE_RETURN_IF_ERROR(
      CheckRange("value_channels", architecture.value_channels, 1, kMaxValueChannels));
  CHUHE_RETURN_IF_ERROR(CheckRange("value_hidden", architecture.value_hidden, 1, kMaxValueHidden));
  int previous = -1;
  for (const int block : architecture.global_blocks) {
    if (block <= previous || block >= architecture.blocks) {
      return absl::InvalidArgumentError(absl::StrCat(
          "global_blocks has ", block, previous < 0 ? "" : absl::StrCat(" after ", previous),
          ", expected blocks from 0 to ", architecture.blocks - 1, " in rising order"));
    }
    previous = block;
  }
  return absl::OkStatus();
}

double FlopPerEvaluation(const Architecture& architecture) {
  const double channels = architecture.channels;
  const double policy_channels = architecture.policy_channels;
  const double value_channels = architecture.value_channels;
  const double hidden = architecture.value_hidden;

  const double stem = kSquares * 9.0 * kPlanes * channels;
  const double block = 2 * kSquares * 9.0 * channels * channels;
  const double global = channels * channels;
  const double policy = kSquares * channels * policy_channels + kUsualMoves * 2 * policy_channels;
  const double value =
      kSquares * channels * value_channels + kSquares * value_channels * hidden + (3 + 1) * hidden;
  const double multiplications = stem + architecture.blocks * block +
                                 static_cast<double>(architecture.global_blocks.size()) * global +
                                 policy + value;
  return 2 * multiplications;
}

}  // namespace chuhe
