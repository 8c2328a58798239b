// What the tests of whole sessions share: a GUI that has shaken hands with an engine behind which a
// fake searcher notes what it is asked.
#pragma once

#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tests/engine/protocol/chat.h"
#include "tests/engine/protocol/fake_searcher.h"

namespace chuhe {

inline constexpr char kMated[] = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1";

class SessionTest : public ::testing::Test {
 protected:
  // `protocol` is `ucci` or `uci`.
  explicit SessionTest(const std::string& protocol) {
    chat_.Send(protocol);
    chat_.Expect(protocol + "ok");
  }

  // The answer to a `go`.
  std::string Go(const std::string& go) {
    chat_.Send(go);
    return chat_.Expect("bestmove");
  }
  FakeLog::Call LastCall() const { return log_->last_call(); }

  std::shared_ptr<FakeLog> log_ = std::make_shared<FakeLog>();
  Chat chat_{FakeFactory(log_)};
};

}  // namespace chuhe
