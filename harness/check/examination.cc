#include "harness/check/examination.h"

#include <algorithm>
#include <mutex>
#include <thread>

namespace everycrash {
namespace {

/// What the workers share.
class Board {
 public:
  Board(size_t count, const ExaminationOptions& options) : count_(count), options_(options) {
    examined_.complaints.resize(count);
    examined_.judged.resize(count);
  }

  /// The next state to judge, or nothing if all are handed out or the run is to end.
  std::optional<size_t> take() {
    const std::lock_guard guard(mutex_);
    const bool interrupted = options_.interrupted != nullptr && options_.interrupted->load();
    const bool late = options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline;
    if (next_ == count_ || interrupted || late || error_) return std::nullopt;
    return next_++;
  }

  void put(size_t number, std::vector<Complaint> complaints) {
    const std::lock_guard guard(mutex_);
    examined_.complaints[number] = std::move(complaints);
    examined_.judged[number] = true;
    ++done_;
    violated_ += examined_.verdict(number) == Verdict::kViolated ? 1 : 0;
    if (options_.progress) options_.progress(done_, violated_);
  }

  /// The error of the first state in order counts, so that it does not depend on the workers'
  /// speed.
  void fail_at(size_t number, const Error& error) {
    const std::lock_guard guard(mutex_);
    if (error_ && error_number_ < number) return;
    error_ = error;
    error_number_ = number;
  }

  Result<Examined> result() {
    const bool interrupted = options_.interrupted != nullptr && options_.interrupted->load();
    if (error_ && !(interrupted && error_->kind == ErrorKind::kInterrupted))
      return tl::unexpected(*error_);
    return std::move(examined_);
  }

 private:
  const size_t count_;
  const ExaminationOptions& options_;
  std::mutex mutex_;
  size_t next_ = 0;
  size_t done_ = 0;
  size_t violated_ = 0;
  Examined examined_;
  std::optional<Error> error_;
  size_t error_number_ = 0;
};

void work(Board& board, Worker& worker) {
  while (const std::optional<size_t> number = board.take()) {
    const Result<StateView> state = worker.maker->make(*number);
    if (!state) return board.fail_at(*number, state.error());
    if (!state->unavailable.empty()) {
      board.put(*number, {{.verdict = Verdict::kNotMeasured,
                           .message = std::string(state->unavailable),
                           .wrong = Wrong::kNeverCame}});
      continue;
    }
    Result<std::vector<Complaint>> complaints = worker.judgement->judge(*state);
    if (!complaints) return board.fail_at(*number, complaints.error());
    board.put(*number, std::move(*complaints));
  }
}

}  // namespace

size_t Examined::count_judged() const {
  return static_cast<size_t>(std::count(judged.begin(), judged.end(), true));
}

Verdict worst_of(const std::vector<Complaint>& complaints) {
  Verdict worst = Verdict::kSurvived;
  for (const Complaint& complaint : complaints) worst = std::max(worst, complaint.verdict);
  return worst;
}

Verdict Examined::verdict(size_t number) const {
  return judged[number] ? worst_of(complaints[number]) : Verdict::kNotMeasured;
}

Result<Examined> examine(size_t count, std::vector<Worker>& workers,
                         const ExaminationOptions& options) {
  Board board(count, options);
  {
    std::vector<std::jthread> threads;
    for (size_t i = 1; i < workers.size(); ++i) {
      threads.emplace_back([&board, &worker = workers[i]] { work(board, worker); });
    }
    work(board, workers[0]);
  }
  return board.result();
}

}  // namespace everycrash
