// Writes a.games with 3 games and b.games with 2 into a folder, for tests of the command line.

#include <cstdio>
#include <string>

#include "selfplay/records/shard_writer.h"
#include "tests/selfplay/records/random_records.h"

namespace {

bool WriteShard(const std::string& path, uint64_t first, uint64_t count) {
  auto writer = chuhe::ShardWriter::Create(path, first);
  for (uint64_t i = first; writer.ok() && i < first + count; ++i) {
    const auto bytes = chuhe::EncodeGame(chuhe::testing::RandomRecord(i));
    if (!bytes.ok() || !writer->Add(chuhe::CompressGame(*bytes)).ok()) return false;
  }
  return writer.ok() && writer->Sync().ok();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: write_sample_records FOLDER\n");
    return 1;
  }
  const std::string folder = argv[1];
  const bool ok = WriteShard(folder + "/a.games", 0, 3) && WriteShard(folder + "/b.games", 3, 2);
  return ok ? 0 : 1;
}
