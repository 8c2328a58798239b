#include "train/trainer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/train/random_games.h"
#include "train/supervised_source.h"

namespace chuhe {
namespace {

using ::testing::HasSubstr;

class TrainerTest : public ::testing::Test {
 protected:
  static constexpr int kBatch = 16;

  TrainerTest() : source_(RandomGames(4, 24), 1) {
    options_.steps = 60;
    options_.warmup_steps = 5;
    options_.learning_rate = 5e-3;
    options_.network_seed = 3;
  }
  std::unique_ptr<Trainer> MakeTrainer() const {
    auto trainer = Trainer::Create(MakeArchitecture(1, 16), options_);
    EXPECT_TRUE(trainer.ok()) << trainer.status();
    return *std::move(trainer);
  }
  Batch BatchOf(uint64_t step) const {
    std::vector<Sample> samples(kBatch);
    source_.Fill(step, samples);
    return MakeBatch(samples);
  }
  std::string TempPath(const std::string& name) const {
    return (std::filesystem::path(::testing::TempDir()) / name).string();
  }

  SupervisedSource source_;
  TrainerOptions options_;
};

TEST(LearningRateTest, RisesThenFallsToItsFraction) {
  TrainerOptions options;
  options.steps = 1000;
  options.warmup_steps = 100;
  options.learning_rate = 1;
  options.final_fraction = 0.1;
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 0), 0.01);
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 99), 1);
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 100), 1);
  EXPECT_NEAR(LearningRateAt(options, 550), 0.55, 1e-9);
  EXPECT_NEAR(LearningRateAt(options, 1000), 0.1, 1e-9);
  EXPECT_NEAR(LearningRateAt(options, 5000), 0.1, 1e-9);
}

TEST(LearningRateTest, StaysOrDropsInStepsWithoutAnEnd) {
  TrainerOptions options;
  options.steps = 1000;
  options.warmup_steps = 100;
  options.learning_rate = 1;
  options.schedule = LearningRateSchedule::kConstant;
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 49), 0.5);
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 100), 1);
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 1000000), 1);
  options.schedule = LearningRateSchedule::kSteps;
  options.drop_every = 500;
  options.drop_factor = 0.1;
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 49), 0.5);
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 499), 1);
  EXPECT_DOUBLE_EQ(LearningRateAt(options, 500), 0.1);
  EXPECT_NEAR(LearningRateAt(options, 1999), 0.001, 1e-12);
}

TEST_F(TrainerTest, RateZeroCountsStepsAndChangesNothing) {
  options_.learning_rate = 0;
  const auto trainer = MakeTrainer();
  const auto before = trainer->Export({});
  for (uint64_t step = 0; step < 8; ++step) {
    const auto report = trainer->Step(BatchOf(step));
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_GT(report->gradient_norm, 0);
  }
  EXPECT_EQ(trainer->steps_done(), 8);
  const auto after = trainer->Export({});
  EXPECT_EQ(after->stem.weight, before->stem.weight);
  EXPECT_EQ(after->stem.bias, before->stem.bias);
  EXPECT_EQ(after->norms.stem.mean, before->norms.stem.mean);
  EXPECT_EQ(after->norms.conv2[0].deviation, before->norms.conv2[0].deviation);
  EXPECT_EQ(after->wdl.bias, before->wdl.bias);
}

TEST_F(TrainerTest, ReportsTheEntropyOfTheTargets) {
  const auto trainer = MakeTrainer();
  Batch batch = BatchOf(0);
  EXPECT_EQ(trainer->Step(batch)->target_entropy, 0);  // one move each
  for (size_t row = 0; row < kBatch; ++row) {
    float* const policy = batch.policy.data() + row * static_cast<size_t>(batch.width);
    std::fill(policy, policy + batch.width, 0.0f);
    policy[0] = policy[1] = 0.5f;
  }
  EXPECT_NEAR(trainer->Step(batch)->target_entropy, std::log(2), 1e-6);
}

TEST_F(TrainerTest, LearnsAFewGamesByHeart) {
  const auto trainer = MakeTrainer();
  StepReport first;
  StepReport last;
  for (uint64_t step = 0; step < 60; ++step) {
    const auto report = trainer->Step(BatchOf(step));
    ASSERT_TRUE(report.ok()) << report.status();
    if (step == 0) first = *report;
    last = *report;
  }
  EXPECT_EQ(last.step, 60);
  EXPECT_NEAR(first.policy, std::log(40), 0.7);
  EXPECT_LT(last.policy, first.policy - 0.7);
  EXPECT_LT(last.wdl, first.wdl);
  EXPECT_LT(last.survival, first.survival);
  // No search stands behind these games: nothing to learn there.
  EXPECT_EQ(last.short_term, 0);
}

TEST_F(TrainerTest, AShareOfTheShortTermValueGoesIntoTheOutcome) {
  Batch searched = BatchOf(0);
  Batch mixed = searched;
  for (size_t row = 0; row < kBatch; ++row) {
    searched.short_term_weight[row] = row % 2 == 0 ? 1.0f : 0.0f;
    for (size_t i = 0; i < 3; ++i) {
      searched.short_term[3 * row + i] = i == 2 ? 1.0f : 0.0f;
      if (row % 2 == 0) mixed.wdl[3 * row + i] *= 0.75f;
    }
    if (row % 2 == 0) mixed.wdl[3 * row + 2] += 0.25f;
  }
  const auto plain = MakeTrainer();
  options_.losses.short_term_share = 0.25;
  const auto sharing = MakeTrainer();
  // Away from even chances first, where all targets would cost the same.
  for (uint64_t step = 1; step < 20; ++step) {
    ASSERT_TRUE(plain->Step(BatchOf(step)).ok());
    ASSERT_TRUE(sharing->Step(BatchOf(step)).ok());
  }
  const auto expected = plain->Validate({mixed});
  const auto without = plain->Validate({searched});
  const auto report = sharing->Validate({searched});
  EXPECT_NEAR(report->wdl, expected->wdl, 1e-5);
  EXPECT_GT(std::abs(report->wdl - without->wdl), 1e-3);
}

TEST_F(TrainerTest, LearnsInMixedPrecisionAsInFloats) {
  options_.learning_rate = 1e-3;  // with larger steps the two ways part by chance
  options_.precision = TrainingPrecision::kFp32;
  const auto floats = MakeTrainer();
  options_.precision = TrainingPrecision::kBf16;
  const auto mixed = MakeTrainer();
  double difference = 0;
  for (uint64_t step = 0; step < 40; ++step) {
    const auto expected = floats->Step(BatchOf(step));
    const auto report = mixed->Step(BatchOf(step));
    ASSERT_TRUE(report.ok()) << report.status();
    EXPECT_NEAR(report->total, expected->total, 0.05 * expected->total) << step;
    difference = std::max(difference, std::abs(report->total - expected->total));
  }
  // It was another way of reckoning, and what it made are floats all the same.
  EXPECT_GT(difference, 1e-5);
  const auto weights = mixed->Export({});
  ASSERT_TRUE(weights.ok()) << weights.status();
  const auto is_bfloat16 = [](float value) {
    return (std::bit_cast<uint32_t>(value) & 0xffff) == 0;
  };
  const std::vector<float>& stem = weights->stem.weight;
  EXPECT_LT(std::count_if(stem.begin(), stem.end(), is_bfloat16),
            static_cast<std::ptrdiff_t>(stem.size()) / 10);
}

TEST_F(TrainerTest, AResumedRunGoesOnAsIfItHadNotStopped) {
  const auto straight = MakeTrainer();
  const auto first_half = MakeTrainer();
  for (uint64_t step = 0; step < 6; ++step) {
    ASSERT_TRUE(straight->Step(BatchOf(step)).ok());
    if (step < 3) {
      ASSERT_TRUE(first_half->Step(BatchOf(step)).ok());
    }
  }
  const std::string path = TempPath("trainer_test_resume.ckpt");
  ASSERT_TRUE(first_half->SaveCheckpoint(path).ok());
  const auto second_half = MakeTrainer();
  ASSERT_TRUE(second_half->LoadCheckpoint(path).ok());
  ASSERT_EQ(second_half->steps_done(), 3);
  for (auto step = static_cast<uint64_t>(second_half->steps_done()); step < 6; ++step) {
    ASSERT_TRUE(second_half->Step(BatchOf(step)).ok());
  }
  const auto expected = straight->Export({});
  const auto resumed = second_half->Export({});
  ASSERT_TRUE(expected.ok() && resumed.ok());
  EXPECT_EQ(resumed->stem.weight, expected->stem.weight);
  EXPECT_EQ(resumed->wdl.weight, expected->wdl.weight);
  EXPECT_EQ(resumed->policy_from, expected->policy_from);
}

TEST_F(TrainerTest, DamagedAndForeignCheckpointsAreRefused) {
  const auto trainer = MakeTrainer();
  ASSERT_TRUE(trainer->Step(BatchOf(0)).ok());
  const std::string path = TempPath("trainer_test_damaged.ckpt");
  ASSERT_TRUE(trainer->SaveCheckpoint(path).ok());

  auto other = Trainer::Create(MakeArchitecture(1, 32), options_);
  ASSERT_TRUE(other.ok());
  EXPECT_THAT((*other)->LoadCheckpoint(path).message(), HasSubstr("1x32"));

  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(1000);
  file.put('\x55');
  file.close();
  EXPECT_THAT(trainer->LoadCheckpoint(path).message(), HasSubstr("checksum"));
  std::filesystem::resize_file(path, 500);
  EXPECT_THAT(trainer->LoadCheckpoint(path).message(), HasSubstr("bytes of content"));
  EXPECT_FALSE(trainer->LoadCheckpoint(TempPath("no such checkpoint")).ok());
  EXPECT_EQ(trainer->steps_done(), 1);
}

TEST_F(TrainerTest, ALossThatIsNoNumberStopsBeforeTheStep) {
  const auto trainer = MakeTrainer();
  ASSERT_TRUE(trainer->Step(BatchOf(0)).ok());
  const auto before = trainer->Export({});
  Batch batch = BatchOf(1);
  batch.plies_left[0] = std::numeric_limits<float>::quiet_NaN();
  const auto report = trainer->Step(batch);
  EXPECT_THAT(report.status().message(), HasSubstr("step 2"));
  EXPECT_EQ(trainer->Export({})->stem.weight, before->stem.weight);
  EXPECT_EQ(trainer->steps_done(), 1);
}

TEST_F(TrainerTest, ValidationDoesNotTeach) {
  const auto trainer = MakeTrainer();
  ASSERT_TRUE(trainer->Step(BatchOf(0)).ok());
  const auto before = trainer->Export({});
  const auto report = trainer->Validate({BatchOf(1), BatchOf(2)});
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->positions, 2 * kBatch);
  EXPECT_GE(report->top1, 0);
  EXPECT_LE(report->top1, 1);
  EXPECT_NEAR(report->policy, std::log(40), 0.7);
  EXPECT_EQ(trainer->Export({})->stem.weight, before->stem.weight);
}

TEST_F(TrainerTest, GoesOnFromAnExportedNetwork) {
  const auto trainer = MakeTrainer();
  for (uint64_t step = 0; step < 20; ++step) ASSERT_TRUE(trainer->Step(BatchOf(step)).ok());
  const auto weights = trainer->Export({});
  const auto expected = trainer->Validate({BatchOf(99)});
  auto next = Trainer::FromNetwork(*weights, options_);
  ASSERT_TRUE(next.ok()) << next.status();
  const auto report = (*next)->Validate({BatchOf(99)});
  EXPECT_NEAR(report->policy, expected->policy, 1e-4);
  ASSERT_TRUE((*next)->Step(BatchOf(20)).ok());
}

}  // namespace
}  // namespace chuhe
