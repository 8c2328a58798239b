#include "train/replay_training.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nets/weights/initialise.h"
#include "tests/temporary_folder.h"
#include "tests/train/self_play_games.h"

namespace chuhe {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class ReplayTrainingTest : public ::testing::Test {
 protected:
  ReplayTrainingTest() {
    options_.batch_size = 16;
    options_.samples_per_position = 4;
    options_.min_positions = 40;
    options_.checkpoint_every = 8;
    options_.trainer.warmup_steps = 5;
    options_.trainer.learning_rate = 5e-3;
  }

  // A run with 20 games of 10 positions: 50 steps' worth.
  std::string MakeRun(const std::string& name) const {
    const std::string path = folder_.path(name);
    StoreGames(path + "/games", SelfPlayGames(20, 20));
    return path;
  }
  std::unique_ptr<ReplayTraining> Open(const std::string& path) const {
    const auto folder = RunFolder::Open(path);
    EXPECT_TRUE(folder.ok()) << folder.status();
    auto training =
        ReplayTraining::Open(*folder, InitialNetwork(MakeArchitecture(1, 16), 7), options_,
                             [this](const std::string& text) { messages_.push_back(text); });
    EXPECT_TRUE(training.ok()) << training.status();
    return training.ok() ? *std::move(training) : nullptr;
  }
  absl::Status TrainTo(ReplayTraining* training, int64_t step) const {
    const std::atomic<bool> stop = false;
    return training->Train(step, stop, {});
  }
  // Trains in a process of its own that is killed in the middle of step `step`.
  void TrainUntilKilled(const std::string& path, int64_t step) const {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const auto training = Open(path);
      const std::atomic<bool> stop = false;
      const absl::Status status = training->Train(1000, stop, [&](const StepReport& report) {
        if (report.step == step) raise(SIGKILL);
      });
      _exit(status.ok() ? 1 : 2);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "ended with " << status;
  }

  testing::TemporaryFolder folder_;
  ReplayOptions options_;
  mutable std::vector<std::string> messages_;
};

TEST_F(ReplayTrainingTest, AKilledRunGoesOnToTheSameNetwork) {
  // The killed ones first, as forking a process that has used LibTorch is not safe.
  const std::string in_chunk = MakeRun("in_chunk");
  TrainUntilKilled(in_chunk, 3);
  TrainUntilKilled(in_chunk, 13);
  const std::string straight = MakeRun("straight");
  const auto training = Open(straight);
  ASSERT_TRUE(TrainTo(training.get(), 24).ok());
  const auto resumed = Open(in_chunk);
  EXPECT_EQ(resumed->steps_done(), 8);
  ASSERT_TRUE(TrainTo(resumed.get(), 24).ok());
  EXPECT_EQ(resumed->steps_due(), training->steps_due());
  EXPECT_EQ(resumed->Publish().value(), training->Publish().value());
}

TEST_F(ReplayTrainingTest, AChunkThatWasBegunKeepsItsGames) {
  const std::string killed = MakeRun("killed");
  TrainUntilKilled(killed, 3);
  StoreGames(killed + "/games", SelfPlayGames(5, 30, /*seed=*/1));
  const std::string straight = MakeRun("straight");
  const auto training = Open(straight);
  ASSERT_TRUE(TrainTo(training.get(), 8).ok());
  StoreGames(straight + "/games", SelfPlayGames(5, 30, /*seed=*/1));
  ASSERT_TRUE(training->Refresh().ok());
  const auto resumed = Open(killed);
  EXPECT_EQ(resumed->steps_done(), 0);
  EXPECT_EQ(resumed->steps_due(), training->steps_due() + 8);
  ASSERT_TRUE(TrainTo(resumed.get(), 8).ok());
  EXPECT_EQ(resumed->Publish().value(), training->Publish().value());
  ASSERT_TRUE(TrainTo(resumed.get(), 14).ok());
  ASSERT_TRUE(TrainTo(training.get(), 14).ok());
  EXPECT_EQ(resumed->Publish().value(), training->Publish().value());
}

TEST_F(ReplayTrainingTest, AStopInTheMiddleOfAChunkLosesNoStep) {
  const auto straight = Open(MakeRun("straight"));
  ASSERT_TRUE(TrainTo(straight.get(), 16).ok());
  const std::string path = MakeRun("stopped");
  {
    const auto training = Open(path);
    std::atomic<bool> stop = false;
    ASSERT_TRUE(
        training->Train(16, stop, [&](const StepReport& report) { stop = report.step == 5; }).ok());
    EXPECT_EQ(training->steps_done(), 5);
  }
  const auto training = Open(path);
  EXPECT_EQ(training->steps_done(), 5);
  EXPECT_EQ(training->steps_due(), 45);
  ASSERT_TRUE(TrainTo(training.get(), 16).ok());
  EXPECT_EQ(training->Publish().value(), straight->Publish().value());
}

TEST_F(ReplayTrainingTest, StepsArePaidForByGames) {
  const std::string path = folder_.path("paid");
  StoreGames(path + "/games", SelfPlayGames(3, 20));
  const auto training = Open(path);
  EXPECT_EQ(training->steps_due(), 0);  // 30 positions of the 40 it takes
  EXPECT_EQ(training->window().total_positions, 30);
  StoreGames(path + "/games", SelfPlayGames(3, 20, /*seed=*/1));
  ASSERT_TRUE(training->Refresh().ok());
  EXPECT_EQ(training->steps_due(), 15);  // 60 · 4 / 16
  EXPECT_EQ(training->window().end_game, 6u);
  ASSERT_TRUE(TrainTo(training.get(), 1000).ok());
  EXPECT_EQ(training->steps_done(), 15);
  EXPECT_EQ(training->steps_due(), 0);
  EXPECT_EQ(Open(path)->steps_due(), 0);
}

TEST_F(ReplayTrainingTest, LearnsWhatTheSearchFound) {
  const auto training = Open(MakeRun("learns"));
  double first = 0;
  double last = 0;
  double short_term = 0;
  const std::atomic<bool> stop = false;
  ASSERT_TRUE(training
                  ->Train(50, stop,
                          [&](const StepReport& report) {
                            if (report.step == 1) first = report.policy;
                            if (report.step == 1) short_term = report.short_term;
                            last = report.policy;
                          })
                  .ok());
  EXPECT_LT(last, first - 0.1);
  EXPECT_GT(short_term, 0);
}

TEST_F(ReplayTrainingTest, RateZeroChangesNothing) {
  options_.trainer.learning_rate = 0;
  const std::string path = MakeRun("frozen");
  const auto training = Open(path);
  ASSERT_TRUE(TrainTo(training.get(), 1).ok());
  const auto folder = RunFolder::Open(path);
  const auto network = [&] {
    const auto sha256 = training->Publish();
    EXPECT_TRUE(sha256.ok()) << sha256.status();
    return ReadNetwork(folder->network_path(*sha256))->weights;
  };
  const NetworkWeights before = network();
  ASSERT_TRUE(TrainTo(training.get(), 20).ok());
  EXPECT_EQ(training->steps_done(), 20);
  const NetworkWeights after = network();
  EXPECT_EQ(after.origin.training_steps, 20);
  EXPECT_EQ(after.stem.weight, before.stem.weight);
  EXPECT_EQ(after.stem.bias, before.stem.bias);
  EXPECT_EQ(after.blocks[0].conv2.weight, before.blocks[0].conv2.weight);
  EXPECT_EQ(after.norms.stem.mean, before.norms.stem.mean);
  EXPECT_EQ(after.norms.conv1[0].deviation, before.norms.conv1[0].deviation);
  EXPECT_EQ(after.wdl.weight, before.wdl.weight);
  // The network that it began with, but for the roundings of folding and of 16 bits.
  const NetworkWeights initial = InitialNetwork(MakeArchitecture(1, 16), 7);
  for (size_t i = 0; i < initial.stem.weight.size(); ++i) {
    ASSERT_NEAR(after.stem.weight[i], initial.stem.weight[i], 1e-3);
  }
}

TEST_F(ReplayTrainingTest, LearnsFromTheRecordsOfAnotherRun) {
  const std::string other = MakeRun("other");
  options_.records_folder = other + "/games/shards";
  const auto training = Open(folder_.path("own"));
  EXPECT_EQ(training->steps_due(), 50);
  ASSERT_TRUE(TrainTo(training.get(), 3).ok());
  EXPECT_EQ(training->steps_done(), 3);
}

// Half of each batch is free then, and its games have a say in what is learnt.
TEST_F(ReplayTrainingTest, RealGamesTakeTheirShareOfEachBatch) {
  StoreGames(folder_.path("real"), SelfPlayGames(8, 20, /*seed=*/3));
  const std::string path = MakeRun("mixed");
  options_.real = {
      .file = folder_.path("real") + "/shards", .share = 0.5, .validation_one_in = 1000};
  const auto mixed = Open(path);
  EXPECT_THAT(messages_, ElementsAre(HasSubstr("real/shards: 8 games")));
  EXPECT_EQ(mixed->steps_due(), 100);
  ASSERT_TRUE(TrainTo(mixed.get(), 10).ok());
  EXPECT_EQ(mixed->steps_due(), 90);
  const std::string network = mixed->Publish().value();

  // A killed run makes the same batches.
  const std::string again = MakeRun("again");
  ASSERT_TRUE(TrainTo(Open(again).get(), 8).ok());
  const auto resumed = Open(again);
  EXPECT_EQ(resumed->steps_due(), 92);
  ASSERT_TRUE(TrainTo(resumed.get(), 10).ok());
  EXPECT_EQ(resumed->Publish().value(), network);

  options_.real.share = 0;
  const auto none = Open(MakeRun("none"));
  EXPECT_EQ(none->steps_due(), 50);
  options_.real.file.clear();
  const auto without = Open(MakeRun("without"));
  ASSERT_TRUE(TrainTo(none.get(), 10).ok());
  ASSERT_TRUE(TrainTo(without.get(), 10).ok());
  EXPECT_EQ(none->Publish().value(), without->Publish().value());
  EXPECT_NE(without->Publish().value(), network);
}

TEST_F(ReplayTrainingTest, WithoutRealGamesInTheFileThereIsNoTraining) {
  const auto folder = RunFolder::Open(MakeRun("run"));
  const auto network = InitialNetwork(MakeArchitecture(1, 16), 7);
  const auto open = [&] {
    return ReplayTraining::Open(*folder, network, options_, [](const std::string&) {}).status();
  };
  options_.real.file = folder_.path("gone.tsv");
  EXPECT_THAT(open().message(), HasSubstr("gone.tsv"));
  // All are held out.
  StoreGames(folder_.path("real"), SelfPlayGames(1, 20));
  options_.real = {.file = folder_.path("real") + "/shards", .validation_one_in = 1};
  EXPECT_THAT(open().message(), HasSubstr("no game to learn from"));
}

TEST_F(ReplayTrainingTest, ErrorsNameTheFile) {
  options_.records_folder = folder_.path("nothing");
  const auto folder = RunFolder::Open(folder_.path("run"));
  const auto network = InitialNetwork(MakeArchitecture(1, 16), 7);
  EXPECT_THAT(ReplayTraining::Open(*folder, network, options_, {}).status().message(),
              HasSubstr("nothing"));
  options_.records_folder.clear();
  const auto training = Open(folder_.path("run"));
  EXPECT_THAT(training->Publish().status().message(), HasSubstr("no positions"));
  const std::string path = MakeRun("checkpoint");
  ASSERT_TRUE(TrainTo(Open(path).get(), 16).ok());
  const auto run = RunFolder::Open(path);
  std::filesystem::remove(run->checkpoint_path());
  EXPECT_THAT(ReplayTraining::Open(*run, network, options_, {}).status().message(),
              HasSubstr("chunk.state"));
}

}  // namespace
}  // namespace chuhe
