"""Switches planted faults on, one at a time, and prints those that no test notices.

    judge.py COPY PROGRAM MINUTES

PROGRAM are the tests of the API, built in COPY. Each test first runs by itself and says which faults it reaches. Then each
fault is run with the tests that reach it, those first that sound like it or reach little else. Tests that compare plans or
count statements are left out: they notice every change. Faults come in random order, so that a part of them is a sample.
"""

import functools
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from statements import faults

LEFT_OUT = re.compile(r"^(costs|counts|documents|flat_lists|plans)::|::postgres$|histories")
# A fault is run with this many tests at most, in batches, and for this many seconds of a run without it.
BATCHES, SECONDS_MAX = (8, 40, 110), 10
# A fault that makes a test wait for ever is noticed.
TIMEOUT = 90
WORKERS = os.cpu_count() or 1


@dataclass
class Test:
    name: str
    reaches: list[str]
    seconds: float


@dataclass
class Fault:
    what: str
    reached_at: str
    variables: dict[str, str]


class Judge:
    def __init__(self, copy: Path, program: Path) -> None:
        self.copy, self.program = copy, program
        # As on a machine without the services that some tests need.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SVC_")}

    def run(self, tests: Iterable[str], variables: dict[str, str]) -> subprocess.Popen[str]:
        command = [str(self.program), "--exact", "--test-threads", "3", *tests]
        environment = self.environment | variables
        return subprocess.Popen(
            command,
            cwd=self.copy / "svc-server",
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def reach(self, name: str) -> Test | None:
        """What a test reaches; none if it fails by itself."""
        with tempfile.NamedTemporaryFile("r", encoding="utf-8") as log:
            began = time.monotonic()
            running = self.run([name], {"PLANTED_LOG": log.name})
            running.communicate()
            reached = log.read().splitlines()
        return Test(name, reached, time.monotonic() - began) if running.returncode == 0 else None

    def tests(self) -> list[Test]:
        listed = subprocess.run([self.program, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()
        names = [line.removesuffix(": test") for line in listed if line.endswith(": test")]
        with ThreadPoolExecutor(WORKERS + 1) as pool:
            ran = pool.map(self.reach, [name for name in names if not LEFT_OUT.search(name)])
        return [test for test in ran if test]

    def is_noticed(self, fault: Fault, tests: list[Test]) -> bool:
        names = [test.name for test in chosen(fault, tests)]
        begins = (0, *BATCHES)
        return any(self.fails(names[begin:end], fault) for begin, end in zip(begins, BATCHES, strict=False))

    def fails(self, names: list[str], fault: Fault) -> bool:
        """Whether one of these tests fails; the others are not awaited."""
        if not names:
            return False
        running = self.run(names, fault.variables)
        limit = threading.Timer(TIMEOUT, kill, [running])
        limit.start()
        assert running.stdout
        has_failed = any(line.startswith("test ") and line.endswith("FAILED\n") for line in running.stdout)
        if has_failed:
            kill(running)
        limit.cancel()
        return running.wait() != 0 or has_failed


def kill(running: subprocess.Popen[str]) -> None:
    try:
        os.killpg(running.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def chosen(fault: Fault, tests: list[Test]) -> list[Test]:
    """The tests that are most likely to notice a fault."""
    by_merit = sorted(tests, key=lambda test: (-likeness(fault.what, test.name), len(test.reaches)))
    left, taken = float(SECONDS_MAX), list[Test]()
    for test in by_merit:
        if test.seconds <= left and len(taken) < BATCHES[-1]:
            left -= test.seconds
            taken.append(test)
    return taken


def likeness(fault: str, test: str) -> int:
    module = stems(test.split("::")[0])
    return min(3, 2 * len(stems(fault) & module) + len(stems(fault) & stems(test)))


@functools.cache
def stems(text: str) -> set[str]:
    """The beginnings of its words, but for those that are everywhere."""
    found = {word[:6].rstrip("s") for word in re.findall(r"[a-z]{4,}", text.lower())}
    return found - {"accoun", "crate", "from", "insert", "select", "server", "servic", "sqlite", "update", "where"}


def planted(copy: Path, reached: Iterable[str]) -> list[Fault]:
    """The faults in code, and those in the statements that were reached."""
    lines = [line.split("\t", 1) for line in (copy / "planted.tsv").read_text().splitlines()]
    found = [Fault(what, number, {"PLANTED": number}) for number, what in lines]
    for statement in sorted(reached):
        text = statement.replace("\x01", "\n")
        if re.match(r"\s*(delete|insert|select|update|with)\b", text):
            shown = " ".join(text.split())
            found += [
                Fault(f"{shown}\t{what}", statement, {"PLANTED_FROM": text, "PLANTED_TO": changed})
                for what, changed in faults(text)
            ]
    return found


def main() -> None:
    copy, program, minutes = Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3])
    judge = Judge(copy, program)
    tests = judge.tests()
    reaching: defaultdict[str, list[Test]] = defaultdict(list)
    for test in tests:
        for what in test.reaches:
            reaching[what].append(test)
    all_faults = planted(copy, (what for what in reaching if not what.isdigit()))
    random.Random(0).shuffle(all_faults)
    end = time.monotonic() + 60 * minutes
    score: Counter[str] = Counter()

    def judged(fault: Fault) -> None:
        reached_by = reaching[fault.reached_at]
        if time.monotonic() > end:
            verdict = "not run"
        elif not reached_by:
            verdict = "not reached"
        else:
            verdict = "noticed" if judge.is_noticed(fault, reached_by) else "not noticed"
        score[verdict] += 1
        if verdict.startswith("not ") and verdict != "not run":
            print(f"{verdict}\t{len(reached_by)}\t{fault.what}", flush=True)

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(judged, all_faults))
    print(f"{len(tests)} tests; {len(all_faults)} faults: {dict(score)}", file=sys.stderr)


main()
