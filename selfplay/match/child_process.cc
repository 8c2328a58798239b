#include "selfplay/match/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/strings/str_cat.h"

extern char** environ;

namespace chuhe {
namespace {

using Clock = std::chrono::steady_clock;

// Milliseconds for poll(), rounded up so that it does not wake too early.
int PollTimeout(SteadyTime deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 1 << 30));
}

// Writing to a process that is gone must not end ours. The signal is held back for this thread
// alone, since what the rest of the program does with it is not for us to decide.
class HeldBrokenPipe {
 public:
  HeldBrokenPipe() {
    sigemptyset(&set_);
    sigaddset(&set_, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &set_, &before_);
  }
  HeldBrokenPipe(const HeldBrokenPipe&) = delete;
  HeldBrokenPipe& operator=(const HeldBrokenPipe&) = delete;
  ~HeldBrokenPipe() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  // A write has failed: the signal that came of it must not be there afterwards.
  void Drop() const {
    if (sigismember(&before_, SIGPIPE) != 0) return;
    const timespec none = {};
    while (sigtimedwait(&set_, nullptr, &none) == -1 && errno == EINTR) continue;
  }

 private:
  sigset_t set_;
  sigset_t before_;
};

std::vector<std::string> Environment(const ProcessSpec& spec) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const absl::string_view text = *variable;
    const bool is_replaced =
        std::any_of(spec.environment.begin(), spec.environment.end(), [&](const auto& added) {
          return text.substr(0, text.find('=')) == absl::string_view(added.first);
        });
    if (!is_replaced) variables.emplace_back(*variable);
  }
  for (const auto& [name, value] : spec.environment) {
    variables.push_back(absl::StrCat(name, "=", value));
  }
  return variables;
}

std::vector<char*> Pointers(std::vector<std::string>* texts) {
  std::vector<char*> pointers;
  for (std::string& text : *texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Frees what posix_spawn needs.
struct SpawnSettings {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  SpawnSettings() {
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
};

// The pid, or an errno negated.
int Spawn(const ProcessSpec& spec, int input, int output) {
  SpawnSettings settings;
  posix_spawn_file_actions_adddup2(&settings.actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&settings.actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&settings.actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  if (!spec.directory.empty()) {
    posix_spawn_file_actions_addchdir_np(&settings.actions, spec.directory.c_str());
  }
  sigset_t none;
  sigset_t all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&settings.attributes, &none);
  posix_spawnattr_setsigdefault(&settings.attributes, &all);
  posix_spawnattr_setpgroup(&settings.attributes, 0);
  posix_spawnattr_setflags(&settings.attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  std::vector<std::string> words = spec.words;
  std::vector<std::string> environment = Environment(spec);
  pid_t pid = -1;
  const int error = posix_spawnp(&pid, words[0].c_str(), &settings.actions, &settings.attributes,
                                 Pointers(&words).data(), Pointers(&environment).data());
  return error == 0 ? pid : -error;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(const ProcessSpec& spec,
                                                                  StopSignal* stop) {
  if (spec.words.empty()) return absl::InvalidArgumentError("no program to start");
  int to_child[2];
  int from_child[2];
  if (pipe2(to_child, O_CLOEXEC) != 0) {
    return absl::ResourceExhaustedError(absl::StrCat("no pipe: ", std::strerror(errno)));
  }
  if (pipe2(from_child, O_CLOEXEC) != 0) {
    const int error = errno;
    close(to_child[0]);
    close(to_child[1]);
    return absl::ResourceExhaustedError(absl::StrCat("no pipe: ", std::strerror(error)));
  }
  const int pid = Spawn(spec, to_child[0], from_child[1]);
  close(to_child[0]);
  close(from_child[1]);
  if (pid < 0) {
    close(to_child[1]);
    close(from_child[0]);
    return absl::UnavailableError(
        absl::StrCat("cannot start ", spec.words[0], ": ", std::strerror(-pid)));
  }
  fcntl(to_child[1], F_SETFL, O_NONBLOCK);
  return std::unique_ptr<ChildProcess>(new ChildProcess(pid, to_child[1], from_child[0], stop));
}

ChildProcess::~ChildProcess() {
  Kill();
  CloseInput();
  // Else somebody else's file might be woken.
  reader_.reset();
  close(output_);
}

absl::Status ChildProcess::Write(absl::string_view text, SteadyTime deadline) {
  const HeldBrokenPipe held;
  while (!text.empty()) {
    const ssize_t written = input_ < 0 ? -1 : write(input_, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<size_t>(written));
      continue;
    }
    if (input_ < 0 || (errno != EAGAIN && errno != EINTR)) {
      held.Drop();
      return absl::UnavailableError("does not take input any more");
    }
    pollfd wait = {input_, POLLOUT, 0};
    if (poll(&wait, 1, PollTimeout(deadline)) == 0) {
      return absl::DeadlineExceededError("does not read its input");
    }
  }
  return absl::OkStatus();
}

bool ChildProcess::TakeLine(std::string* line) {
  const size_t end = buffer_.find('\n', searched_);
  if (end == std::string::npos) {
    searched_ = buffer_.size();
    if (buffer_.size() - begin_ <= kMaxLine) return false;
    // What there is serves as the line.
    line->assign(buffer_, begin_, kMaxLine);
    buffer_.clear();
    begin_ = searched_ = 0;
    dropping_ = true;
    return true;
  }
  line->assign(buffer_, begin_, end - begin_);
  while (!line->empty() && line->back() == '\r') line->pop_back();
  begin_ = searched_ = end + 1;
  if (begin_ == buffer_.size()) {
    buffer_.clear();
    begin_ = searched_ = 0;
  }
  if (dropping_) {
    dropping_ = false;
    return TakeLine(line);
  }
  return true;
}

ReadResult ChildProcess::ReadLine(SteadyTime deadline, CanWait can_wait, std::string* line,
                                  SteadyTime* received) {
  for (;;) {
    if (TakeLine(line)) {
      *received = received_;
      return ReadResult::kLine;
    }
    if (at_end_) return ReadResult::kEndOfOutput;
    const ReadResult result = Fill(deadline, can_wait);
    if (result != ReadResult::kLine) return result;
  }
}

bool ChildProcess::ReadEarlyLine(SteadyTime deadline, std::string* line) {
  char chunk[4096];
  while (!TakeLine(line)) {
    pollfd wait = {at_end_ ? -1 : output_, POLLIN, 0};
    if (poll(&wait, 1, 0) <= 0) return false;
    received_ = Clock::now();
    if (received_ >= deadline) return false;
    const ssize_t count = read(output_, chunk, sizeof chunk);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return false;
    at_end_ = count <= 0;
    DropTaken();
    if (!at_end_) buffer_.append(chunk, static_cast<size_t>(count));
  }
  return true;
}

void ChildProcess::DropTaken() {
  if (dropping_) begin_ = buffer_.size();
  if (begin_ > 0) {
    buffer_.erase(0, begin_);
    searched_ -= std::min(begin_, searched_);
    begin_ = 0;
  }
}

bool ChildProcess::HasUrgentLine(size_t from, CanWait can_wait) {
  for (size_t end; (end = buffer_.find('\n', from)) != std::string::npos; from = end + 1) {
    const size_t begin = std::exchange(line_begin_, end + 1);
    if (can_wait == nullptr || !can_wait(buffer_.data() + begin, end - begin)) return true;
  }
  return false;
}

ReadResult ChildProcess::Fill(SteadyTime deadline, CanWait can_wait) {
  constexpr size_t kChunk = 4096;
  constexpr size_t kMostWaiting = size_t{1} << 15;
  DropTaken();
  line_begin_ = 0;
  char chunk[kChunk];
  reader_->SetDeadline(deadline);
  ssize_t count = 0;
  int error = 0;
  do {
    // After the deadline is set: a signal that comes now wakes the read.
    if (reader_->is_stopped()) break;
    count = read(output_, chunk, kChunk);
    error = errno;
    if (count <= 0) break;
    const size_t size = buffer_.size();
    buffer_.append(chunk, static_cast<size_t>(count));
    if (HasUrgentLine(size, can_wait)) break;
  } while (buffer_.size() < kMostWaiting);
  received_ = Clock::now();
  reader_->ClearDeadline();
  if (reader_->is_stopped()) return ReadResult::kStopped;
  if (count == 0 || (count < 0 && error != EAGAIN && error != EINTR)) at_end_ = true;
  // One that writes without end would otherwise never be late.
  return received_ >= deadline ? ReadResult::kTimeout : ReadResult::kLine;
}

bool ChildProcess::Reap(bool block) {
  while (!has_ended_) {
    const pid_t pid = waitpid(pid_, &wait_status_, block ? 0 : WNOHANG);
    if (pid == 0) return false;
    if (pid == pid_ || errno != EINTR) has_ended_ = true;
  }
  return true;
}

void ChildProcess::CloseInput() {
  if (input_ >= 0) close(input_);
  input_ = -1;
}

bool ChildProcess::WaitForEnd(SteadyTime deadline) {
  CloseInput();
  // Its output is read on, lest it waits for room in the pipe.
  char chunk[4096];
  while (!Reap(/*block=*/false)) {
    if (Clock::now() >= deadline) return false;
    pollfd wait = {at_end_ ? -1 : output_, POLLIN, 0};
    constexpr int kStepMs = 2;
    if (poll(&wait, 1, at_end_ ? kStepMs : std::min(PollTimeout(deadline), 50)) <= 0) continue;
    const ssize_t count = read(output_, chunk, sizeof chunk);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) at_end_ = true;
  }
  return true;
}

void ChildProcess::Kill() {
  // The group may outlive its first process.
  kill(-pid_, SIGKILL);
  Reap(/*block=*/true);
}

std::string ChildProcess::HowItEnded() {
  constexpr auto kGrace = std::chrono::milliseconds(500);
  if (!WaitForEnd(Clock::now() + kGrace)) return "closed its output";
  if (WIFEXITED(wait_status_))
    return absl::StrCat("exited with status ", WEXITSTATUS(wait_status_));
  const int number = WTERMSIG(wait_status_);
  return absl::StrCat("was killed by signal ", number, " (", strsignal(number), ")");
}

}  // namespace chuhe
