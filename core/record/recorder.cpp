#include "core/record/recorder.hpp"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

#include "core/base/format.hpp"

namespace warpscope::record {

namespace {

constexpr Ns kShortest = kSecond / 20;  // shorter intervals contain too few kernel ticks
constexpr Ns kJump = kSecond;           // smaller differences are normal clock adjustments

Ns now_of(clockid_t clock) {
  timespec now{};
  ::clock_gettime(clock, &now);
  return Ns{now.tv_sec} * kSecond + now.tv_nsec;
}

}  // namespace

Clocks system_clocks() {
  return {[] { return now_of(CLOCK_REALTIME); }, [] { return now_of(CLOCK_BOOTTIME); }};
}

Recorder::Recorder(std::vector<std::unique_ptr<Sampler>> samplers, MetricsWriter& writer, Ns interval, Say say,
                   Clocks clocks)
    : samplers_(std::move(samplers)),
      writer_(writer),
      interval_(interval),
      say_(std::move(say)),
      clocks_(std::move(clocks)),
      wall_start_(clocks_.wall()),
      steady_start_(clocks_.steady()) {
  take_readings(steady_start_);
  due_ = steady_start_ + interval_;
}

void Recorder::take_readings(Ns now) {
  samples_.clear();
  const double seconds = last_ ? static_cast<double>(now - *last_) / static_cast<double>(kSecond) : 0;
  for (const auto& sampler : samplers_) sampler->sample(seconds, samples_);
  last_ = now;
}

void Recorder::check_wall_clock(Ns time) {
  const Ns offset = clocks_.wall() - time;
  if (std::abs(offset - offset_) >= kJump)
    say_("the clock was set " + std::string(offset > offset_ ? "forward" : "back") + " by " +
         format_duration(std::abs(offset - offset_)) + "; sample timestamps ignore the jump");
  offset_ = offset;
}

void Recorder::sample() {
  sampled_ = true;
  const Ns now = clocks_.steady();
  const Ns since = last_.value_or(now);
  check_wall_clock(wall_start_ + (now - steady_start_));
  take_readings(now);
  writer_.write(wall_start_ + (since - steady_start_), samples_);
  due_ += interval_;
  if (due_ <= now) due_ = now + interval_;  // the process was suspended, or sampling takes longer than the interval
}

void Recorder::finish() {
  if (!sampled_ || clocks_.steady() - last_.value_or(0) >= std::min(kShortest, interval_)) sample();
  writer_.finish();
}

}  // namespace warpscope::record
