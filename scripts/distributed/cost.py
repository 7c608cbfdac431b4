#!/usr/bin/env python3
"""What a sweep over many workers costs, on paper: time, balance, and where more stop paying.

Every worker enumerates all states, since which part a state belongs to follows from its digest, and
judges its own part; the merge enumerates once more. So the wall time is

    enumerate all + judge the largest part + merge (enumerate all again)

The sizes of parts are those of a fair draw (a digest is as good as random); the cost of a state is
drawn from a log-normal distribution with a given mean, since some states take a checker longer.
Times are given, not measured here: see README.md for where the defaults come from.
"""
import argparse
import math
import random
import statistics

CHECKERS = (("in one process (--check-server)", 0.1), ("a C program", 0.6),
            ("a Python program", 14.0))
SPREAD = 1.0  # sigma of the logarithm of a state's cost


def part_sizes(states, parts, generator):
    """How many states each part has; the normal approximation of a binomial draw."""
    mean = states / parts
    deviation = math.sqrt(mean * (1 - 1 / parts))
    return [max(0.0, generator.gauss(mean, deviation)) for _ in range(parts)]


def judging_s(size, mean_ms, generator):
    """Seconds to judge SIZE states; the sum of many draws is normal, whatever each one is."""
    deviation_ms = mean_ms * math.sqrt(math.exp(SPREAD**2) - 1)
    return max(0.0, generator.gauss(size * mean_ms, math.sqrt(size) * deviation_ms)) / 1000


def simulate(options, mean_ms, workers, generator):
    enumerate_s = options.states * options.enumerate_us / 1e6
    judge_s = [judging_s(size, mean_ms * generator.lognormvariate(0, options.machines), generator)
               for size in part_sizes(options.states, workers, generator)]
    lost = [seconds for seconds in judge_s if generator.random() < options.lost]
    # A part that is lost starts again, whole, when its loss is noticed: at its end.
    sweep_s = enumerate_s + max(judge_s)
    if lost:
        sweep_s = max(sweep_s, 2 * (enumerate_s + max(lost)))
    return {
        "wall_h": (sweep_s + enumerate_s) / 3600,
        "cpu_h": (sum(judge_s) + sum(lost) + enumerate_s * (workers + len(lost) + 1)) / 3600,
        "balance": max(judge_s) / statistics.mean(judge_s),
        "judging": sum(judge_s) / (sum(judge_s) + enumerate_s * workers),
        "alone_h": (enumerate_s + sum(judge_s)) / 3600,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--states", type=float, default=1e9)
    parser.add_argument("--workers", type=int, nargs="+", default=[10, 100, 1000, 10000])
    parser.add_argument("--enumerate-us", type=float, default=15.0, help="for a state not judged")
    parser.add_argument("--machines", type=float, default=0.05,
                        help="spread of the machines' speeds (sigma of the logarithm)")
    parser.add_argument("--lost", type=float, default=0.005, help="share of parts that are lost")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(f"{options.states:g} states, {options.enumerate_us:g} us to enumerate one, "
          f"{options.lost:.1%} of the parts lost, seed {options.seed}\n")
    print("| checker | ms a state | workers | wall, h | CPU, h | speed-up | slowest / mean | "
          "share of judging |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for name, mean_ms in CHECKERS:
        for workers in options.workers:
            run = simulate(options, mean_ms, workers, random.Random(options.seed))
            print(f"| {name} | {mean_ms:g} | {workers} | {run['wall_h']:.2f} | {run['cpu_h']:.0f} "
                  f"| {run['alone_h'] / run['wall_h']:.0f} | {run['balance']:.3f} "
                  f"| {run['judging']:.0%} |")


if __name__ == "__main__":
    main()
