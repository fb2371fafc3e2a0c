"""Runs every suite on a real small model, and KAPRO on two services of somebody's own: does anything break?

    make real

It says nothing about the model: 135 million parameters follow none of the instructions. What it tests is what
scripted agents can't: rambling replies, broken JSON, replies cut at the token limit, requests that are too
long. See docs/real-model.md.
"""

import html
import os
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from own_tools import OWN, forged

from knowact.core.record import CUT_OFF, OVER_CONTEXT, Outcome, Record, Status
from knowact.core.table import Run
from knowact.engine.persons import NO_ANSWER
from knowact.engine.reader import find_logs, read_runs
from knowact.engine.reasons import most_common_reasons
from knowact.report.build import summary
from knowact.report.readers import reading_counts
from knowact.suites import find

ROOT = Path(__file__).parent.parent
SERVER = (str(ROOT / ".venv-real" / "bin" / "python"), str(ROOT / "benchmarks" / "real_server.py"))
FOLDER = ROOT / "knowact-real"
"""Logs, report and the server's own log; made anew by each run."""

MODEL = "openai-api/real/smollm2-135m"
ENGINE = ("--", "--max-tokens", "96", "--attempt-timeout", "600")
LIMITS = {CUT_OFF: "limit (tokens)", OVER_CONTEXT: "limit (context)"}
READY_SECONDS, RUN_SECONDS, TIMED_OUT = 60, 2400, 124
TRACEBACK = "Traceback (most recent call last)"
GATES = (("kapro.kas>=0.6", 4), ("kapro.calls<=100", 0))
"""Bounds on own tools' runs, each with the exit code of `check`: this model does not pass the first."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One run of a suite.

    Attributes:
        name: What tells it from the others, also as a folder.
        words: The suite and further words of the command.
        server: Words for the server.
        overflows: Whether no request of the agent's fits the context.
    """

    name: str
    words: tuple[str, ...]
    server: tuple[str, ...] = ()
    overflows: bool = False


SELF_READ = ("--judge", "self")
USER = (
    "--user",
    "model",
    "--role",
    f"user={MODEL}",
    "--reruns",
    "1",
    "--votes",
    "1",
    "--limit",
    "1",
    "--trials",
    "1",
)
HELPER = ("--helper", "model", "--role", f"helper={MODEL}")

SITTINGS = (
    Sitting("kapro", ("kapro", *SELF_READ, "--limit", "2", "--rounds", "3"), ("--context", "4096")),
    Sitting(
        "kapro-unread",
        ("kapro", "--judge", "none", "--limit", "2", "--rounds", "3"),
        ("--context", "768"),
    ),
    Sitting("ict", ("ict", *SELF_READ, "--limit", "2"), ("--context", "4096")),
    Sitting(
        "fail-talms",
        ("fail-talms", *SELF_READ, *HELPER, "--limit", "1", "--rounds", "3", "--votes", "3"),
        ("--context", "4096"),
    ),
    Sitting("car", ("car", *SELF_READ, *USER, "--steps", "2"), ("--no-tools",)),
    Sitting("car-overflowing", ("car", *SELF_READ, *USER, "--steps", "3"), overflows=True),
)
"""The context of the unread KAPRO run holds some of its requests and not others. CAR's 57 tools fit no
context of this model, so its conversations are held once without showing them, and once refused (with a step
more, or a report would take both for the same run)."""


@dataclass(frozen=True, slots=True)
class Sat:
    """What came of a sitting: the run that its log holds (None without one), seconds, and what went wrong."""

    sitting: Sitting
    run: Run | None
    seconds: float
    problems: tuple[str, ...]


@contextmanager
def serving(words: tuple[str, ...], log: Path) -> Generator[str]:
    """Start the server, wait until it answers, give its base URL; stop it, whatever happens."""
    with log.open("ab") as errors:
        server = subprocess.Popen(
            (*SERVER, *words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            if not url:
                sys.exit(f"The server did not start; {log} says why.")
            wait_for(f"{url.removesuffix('/v1')}/health")
            yield url
        finally:
            server.kill()
            server.communicate()


def wait_for(url: str) -> None:
    """Return once there is an answer with status 200."""
    until = time.monotonic() + READY_SECONDS
    while True:
        try:
            with urllib.request.urlopen(url, timeout=READY_SECONDS):  # noqa: S310 - our own server's address
                return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)


def knowact(*words: str, url: str = "") -> tuple[int, str]:
    """Run a command of ours; its exit code, and everything that it said."""
    # The address reaches the engine's provider like this, for models `openai-api/real/…`.
    tools = str(FOLDER / "own" / "tools")
    given = {**os.environ, "REAL_BASE_URL": url, "REAL_API_KEY": "none", "KNOWACT_TOOLS": tools}
    # The server has said that it is ready; where others use the cores, its first word takes longer than 15 s.
    given["KNOWACT_PREFLIGHT"] = "0"
    try:
        done = subprocess.run(
            [sys.executable, "-m", "knowact", *words],
            check=False,
            cwd=ROOT,
            env=given,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=RUN_SECONDS,
        )
    except subprocess.TimeoutExpired:
        return TIMED_OUT, f"It was stopped after {RUN_SECONDS} seconds."
    return done.returncode, done.stdout


def sit(sitting: Sitting) -> Sat:
    """Run a suite on a server of its own, and look at what it left behind."""
    began = time.monotonic()
    logs = FOLDER / "logs" / sitting.name
    with serving(sitting.server, FOLDER / "server.log") as url:
        words = ("run", *sitting.words, "--model", MODEL, "--max-connections", "1", "--log-dir", str(logs))
        code, said = knowact(*words, *ENGINE, url=url)
    seconds = time.monotonic() - began
    print(f"\n{sitting.name}, {seconds:.0f} s\n{said}", flush=True)
    found = find_logs([logs]) if logs.exists() else []
    runs = read_runs(found)
    run = runs[0] if runs else None
    problems = [*said_wrong(code, said), *recorded_wrong(sitting, run)]
    problems += [one for one in most_common_reasons([log.path for log in found]) if NO_ANSWER not in one]
    return Sat(sitting, run, seconds, tuple(problems))


def sit_with_own(name: str) -> Sat:
    """Run KAPRO on somebody's own tools, and hold the run to a bound that it misses and one that it meets."""
    here = FOLDER / "own"
    here.mkdir(exist_ok=True)
    with OWN[name](here) as source:
        data = forged(name, source, here, knowact)
        words = ("kapro", "--data", str(data), "--judge", "none", "--limit", "4", "--rounds", "3")
        sat = sit(Sitting(f"own-{name}", words, ("--context", "4096")))
    wrong = [problem for gate in GATES for problem in gate_wrong(FOLDER / "logs" / sat.sitting.name, *gate)]
    return replace(sat, problems=(*sat.problems, *wrong))


def gate_wrong(logs: Path, bound: str, expected: int) -> list[str]:
    """What is wrong with a gate: it leaves with another code, or with a traceback."""
    code, said = knowact("check", str(logs), "--require", bound)
    print(said)
    found = [] if code == expected else [f"check {bound} left with {code}, not {expected}"]
    return [*found, "check showed a traceback"] if TRACEBACK in said else found


def said_wrong(code: int, said: str) -> list[str]:
    """What the command itself shows to be wrong."""
    found = [] if code in {0, 1} else [f"it left with {code}"]
    return [*found, "it showed a traceback"] if TRACEBACK in said else found


def recorded_wrong(sitting: Sitting, run: Run | None) -> list[str]:
    """What the records show to be wrong: the server is well, so every trial has an outcome.

    A model this weak may fail as judge, user or helper; then no score, and why, is the outcome.
    """
    if run is None:
        return ["there is no log"]
    found = list(run.problems)
    if len(run.records) != run.planned:
        found.append(f"{len(run.records)} of {run.planned} trials have a record")
    for record in run.records:
        if by_role(record):
            continue
        if not record.scored:
            found.append(f"{record.item}: {dict(record.outcomes)}")
        elif sitting.overflows and not any(flag.startswith(OVER_CONTEXT) for flag in record.flags):
            found.append(f"{record.item}: nothing says that the request did not fit")
    return found


def page_wrong(folder: Path, every: Sequence[Sat]) -> list[str]:
    """What the report does not say: that an agent read itself, or that a headline is not to be quoted."""
    page = folder / "index.html"
    if not page.exists():
        return ["there is no page"]
    shown = page.read_text(encoding="utf-8")
    found: list[str] = []
    for one in every:
        if one.run is None:
            continue
        told = summary(find(one.run.suite), one.run)
        if one.run.self_read != (SELF_READ[1] in one.sitting.words):
            found.append(f"{one.sitting.name}: who read it is not told")
        if told.unscored and told.quotable:
            found.append(f"{one.sitting.name}: {told.unscored} are unscored, and yet it may be quoted")
        found += [
            f"the page lacks {warning!r}" for warning in told.warnings if html.escape(warning) not in shown
        ]
    return found


def by_role(record: Record) -> bool:
    """Whether it is a model in a role that left a trial unscored, and the record says so."""
    faulty = Outcome.USER_FAULT in record.outcomes.values()
    unsettled = any(one.status is Status.JUDGE_ERROR and one.why for one in record.results.values())
    return faulty or unsettled or not record.results


def reading(run: Run) -> str:
    """What became of the replies that were to be read, by name and number."""
    suite = find(run.suite)
    counts = reading_counts(suite, run.records)
    counts["trials unscored"] = len(run.records) - run.scored
    return ", ".join(f"{name} {count}" for name, count in counts.items() if count)


def outcomes(run: Run) -> str:
    """How the probes ended, by name and number; of limits, which one."""
    found: Counter[str] = Counter()
    for record in run.records:
        for probe, outcome in record.outcomes.items():
            which = [words for flag, words in LIMITS.items() if flag + probe in record.flags]
            limit = outcome is Outcome.LIMIT
            found[(which or ["limit (rounds)"])[0] if limit else outcome.value.replace("_", " ")] += 1
    return ", ".join(f"{name} {count}" for name, count in found.most_common())


def stopped(*_: object) -> None:
    """Leave through every `finally`, as after an interrupt."""
    sys.exit("Stopped.")


def main() -> None:
    if not Path(SERVER[0]).exists():
        sys.exit("The model's environment is missing; `make real` sets it up and runs this.")
    signal.signal(signal.SIGTERM, stopped)
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    every = [*(sit(sitting) for sitting in SITTINGS), *map(sit_with_own, OWN)]
    code, said = knowact("report", str(FOLDER / "logs"), "--out", str(FOLDER / "report"))
    print(said)
    print("| run | trials | seconds | outcomes of its probes | reading |\n|---|---|---|---|---|")
    for one in every:
        trials, told = (len(one.run.records), outcomes(one.run)) if one.run else (0, "")
        came = reading(one.run) if one.run else ""
        print(f"| {one.sitting.name} | {trials} | {one.seconds:.0f} | {told} | {came} |")
    problems = [f"{one.sitting.name}: {problem}" for one in every for problem in one.problems]
    problems += [f"report: {problem}" for problem in said_wrong(code, said)]
    problems += page_wrong(FOLDER / "report", every)
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
