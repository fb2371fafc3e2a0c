"""The gate of a release: requirements on runs, and what may not get worse (`knowact check`).

A bound is met when the end of the 95 % interval that lies nearest to it meets it. So a gate passes on
evidence, and too few items never pass: that is a failure of its own, with how many items it would take.
"""

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from knowact.core.clean import one_line
from knowact.core.errors import BadUsage
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Run
from knowact.measures.enough import items_for_bound
from knowact.measures.pairing import AMOUNT, data_names, sides
from knowact.measures.profile import usual
from knowact.report.as_text import aligned
from knowact.report.build import RunSummary, summary
from knowact.report.compare import differing, readers_differ, refuse_self_read
from knowact.report.requirements import (
    HEADLINE,
    PROFILE,
    SHARE,
    Limits,
    Requirement,
    change,
    compared_first,
    is_count,
    limits_of,
    measured,
    profiled,
    read,
    refuse_idle_drop,
    refuse_out_of_reach,
    refuse_profiles,
)

_MORE: Final = "no number of items that anybody runs would be enough"


class CheckVerdict(StrEnum):
    """What became of a requirement; all but the first fail the gate."""

    PASSED = "passed"
    MISSED = "missed"
    """The estimate itself lies on the wrong side of the bound."""
    TOO_FEW = "too few items"
    """The estimate lies on the right side, the end of its interval does not."""
    NOT_MEASURED = "not measured"
    """Nothing has a value: no judge was bound, or nothing was scored."""
    NOT_QUOTABLE = "not quotable"
    """More than 2 % of the run's trials are unscored, so no number of it may be quoted."""


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement on one run.

    Attributes:
        name: The requirement as written; or what was held against the baseline.
        run: The run's id; for a profile, the model.
        suite: The run's, or `PROFILE`.
        found: The measure's estimate; or the run's value minus the baseline's.
        why: What a failure comes from and what to do; for a pass, only what a reader has to know.
    """

    name: str
    run: str
    suite: str
    found: Estimate
    verdict: CheckVerdict
    why: str = ""

    @property
    def passed(self) -> bool:
        """Whether it keeps its bound."""
        return self.verdict is CheckVerdict.PASSED


@dataclass(frozen=True, slots=True, repr=False)
class Gate:
    """All checks. True where all passed; printed, it is their table: `assert gate` then says what failed."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    def __bool__(self) -> bool:
        return self.passed

    def __str__(self) -> str:
        failed = sum(not check.passed for check in self.checks)
        heads = ("verdict", "requirement", "found", "n", "run")
        rows = [(c.verdict.value, c.name, number(c.found), f"{c.found.n:,}", c.run) for c in self.checks]
        why = [f"{c.name}, {c.run}: {c.why}" for c in self.checks if c.why]
        summary_line = (
            f"{failed} of {len(self.checks)} failed." if failed else f"All {len(self.checks)} passed."
        )
        return "\n".join([*aligned([heads, *rows], left=2), *map(one_line, why), summary_line])

    __repr__ = __str__


@dataclass(frozen=True, slots=True)
class Baseline:
    """What runs are held against.

    Attributes:
        runs: Of the version that is to be replaced, or of another agent.
        most: How much worse a measure may be: the end of the paired difference's interval stays within it. Of
            what counts (calls, tokens, seconds, cost) it is a share of the baseline's value.
    """

    runs: Sequence[Run]
    most: float


def check(
    runs: Sequence[Run],
    requirements: Sequence[str],
    suite_of: Callable[[str], Suite],
    *,
    baseline: Baseline | None = None,
    point: bool = False,
    seed: int = 0,
) -> Gate:
    """Check runs against requirements and a baseline.

    Every run of a requirement's suite is held to it; to a profile's, every model. Against the baseline goes
    what is required of suites, or where nothing is, what each is compared by first.

    Args:
        runs: Of any suites.
        requirements: As `requirements.read` reads them.
        suite_of: From a suite's name to the suite.
        baseline: None for none.
        point: Go by the estimates instead of their intervals.
        seed: Of the bootstrap.

    Raises:
        BadUsage: A requirement is none, no run belongs to it, nothing is asked for, a baseline is not
            comparable, or what is required has no trials to pair with those of a baseline.
    """
    required = [read(text) for text in requirements]
    if not required and baseline is None:
        raise BadUsage(
            'No requirement is given: name a bound by --require "SUITE.MEASURE>=NUMBER", or --against.'
        )
    if baseline is not None and not (math.isfinite(baseline.most) and baseline.most >= 0):
        raise BadUsage(f"A drop is a number of 0 or more, not {baseline.most:g}.")
    known = {run.suite: suite_of(run.suite) for run in runs}
    if baseline is not None:
        refuse_profiles(required, known)
    checker = _Checker(runs, known, seed, point)
    bounds = [check for requirement in required for check in checker.bounds(requirement)]
    if baseline is None:
        return Gate(tuple(bounds))
    kept = required or [*map(compared_first, known.values())]
    subjects = {requirement.subject: requirement for requirement in kept}.values()
    drops = [check for requirement in subjects for check in checker.drops(requirement, baseline)]
    return Gate((*bounds, *drops))


class _Checker:
    """Holds runs to requirements; each run is completed and summed up once, whatever is required of it.

    Args:
        runs: Of any suites.
        suites: Those that there are runs of, by name.
        seed: Of the bootstrap.
        point: Go by the estimates instead of their intervals.
    """

    def __init__(self, runs: Sequence[Run], suites: Mapping[str, Suite], seed: int, point: bool) -> None:  # noqa: FBT001 - as `check` has it
        self._runs, self._suites, self._seed, self._point = runs, suites, seed, point
        self._summaries: dict[int, RunSummary] = {}
        self._complete: dict[int, Run] = {}

    def bounds(self, requirement: Requirement) -> list[Check]:
        """Hold all runs of a requirement's suite, or all models, to its bound."""
        if requirement.suite == PROFILE:
            refuse_out_of_reach(requirement, SHARE, point=self._point)
            return [
                self._profile(requirement, model) for model in dict.fromkeys(run.model for run in self._runs)
            ]
        own = self._runs_of(requirement)
        refuse_out_of_reach(requirement, self._limits(requirement, own), point=self._point)
        return [self._bound(requirement, run) for run in own]

    def drops(self, requirement: Requirement, baseline: Baseline) -> list[Check]:
        """Hold all runs of a requirement's suite against a baseline."""
        return [self._drop(requirement, run, baseline) for run in self._runs_of(requirement)]

    def _runs_of(self, requirement: Requirement) -> list[Run]:
        own = [run for run in self._runs if run.suite == requirement.suite]
        if not own:
            there = ", ".join(sorted(self._suites)) or "none"
            raise BadUsage(
                f"{requirement.text!r}: there is no run of {requirement.suite!r} here (there are: {there})."
            )
        return own

    def _completed(self, run: Run) -> Run:
        """A run with all its results."""
        if id(run) not in self._complete:
            self._complete[id(run)] = self._suites[run.suite].with_traits(run)
        return self._complete[id(run)]

    def _summary(self, run: Run) -> RunSummary:
        if id(run) not in self._summaries:
            suite, whole = self._suites[run.suite], self._completed(run)
            self._summaries[id(run)] = summary(suite, run, whole=whole)
        return self._summaries[id(run)]

    def _limits(self, requirement: Requirement, runs: Sequence[Run]) -> Limits:
        """Between which values a measure of runs of one suite can lie."""
        return limits_of(requirement, self._suites[runs[0].suite], [*map(self._completed, runs)])

    def _unquotable(self, run: Run) -> str:
        """Why no number of a run may be quoted; empty where they may."""
        whole = self._summary(run)
        return "" if whole.quotable else " ".join(whole.warnings) or f"{run.id} has unscored trials."

    def _spoilt(self, check: Check, run: Run) -> Check | None:
        """The check as it fails where nothing of a run can be held to a bound; None where something can."""
        if why := self._unquotable(run):
            return replace(check, run=run.id, verdict=CheckVerdict.NOT_QUOTABLE, why=why)
        if check.found.value is None:
            why = self._summary(run).no_headline or f"No trial of {run.id} has a value: see its report."
            return replace(check, run=run.id, verdict=CheckVerdict.NOT_MEASURED, why=why)
        return None

    def _bound(self, requirement: Requirement, run: Run) -> Check:
        silent = requirement.measure.lower() == HEADLINE and self._summary(run).no_headline
        suite, whole = self._suites[run.suite], self._completed(run)
        estimate = Estimate(None, 0) if silent else measured(requirement, suite, whole, self._seed)
        blank = Check(requirement.text, run.id, run.suite, estimate, CheckVerdict.PASSED)
        return self._spoilt(blank, run) or self._judged(blank, requirement, requirement.bound)

    def _profile(self, requirement: Requirement, model: str) -> Check:
        """A check of a model's profile; what spoils one of its runs spoils it."""
        own = [
            (suite, [run for run in self._runs if (run.model, run.suite) == (model, name)])
            for name, suite in self._suites.items()
        ]
        completed = [(suite, [*map(self._completed, runs)]) for suite, runs in own]
        estimate = profiled(requirement, completed, self._seed)
        blank = Check(requirement.text, model, PROFILE, estimate, CheckVerdict.PASSED)
        reasons = (self._unquotable(usual(suite, runs)) for suite, runs in own if runs)
        if why := next(filter(None, reasons), ""):
            return replace(blank, verdict=CheckVerdict.NOT_QUOTABLE, why=why)
        if estimate.value is None:
            why = f"No run of {model} shows whether it {requirement.measure}."
            return replace(blank, verdict=CheckVerdict.NOT_MEASURED, why=why)
        return self._judged(blank, requirement, requirement.bound)

    def _drop(self, requirement: Requirement, run: Run, baseline: Baseline) -> Check:
        old = _partner(run, baseline.runs)
        refuse_self_read(old, run)
        both = sides(self._completed(old), self._completed(run))
        compared = change(requirement, self._suites[run.suite], both.second, both.first, self._seed)
        name = f"{requirement.subject} against {old.id}"
        blank = Check(name, run.id, run.suite, compared.difference, CheckVerdict.PASSED)
        if spoilt := self._spoilt(blank, run) or self._spoilt(blank, old):
            return spoilt
        limits = self._limits(requirement, (run, old))
        refuse_idle_drop(requirement, limits, baseline.most)
        most = baseline.most * (abs(compared.first or 0.0) if is_count(limits) else 1.0)
        judged = self._judged(blank, requirement, -most if requirement.at_least else most)
        unpaired = compared.unscored + compared.only_first + compared.only_second
        alone = f"{unpaired:,} trials have no partner." if unpaired else ""
        notes = [judged.why, readers_differ(old, run), both.note, alone]
        return replace(judged, why=" ".join(filter(None, notes)))

    def _judged(self, check: Check, requirement: Requirement, bound: float) -> Check:
        """Hold the estimate of a check to a bound."""
        estimate, at_least = check.found, requirement.at_least
        assert estimate.value is not None
        end = estimate.low if at_least else estimate.high
        beyond, side = ("below", "lower") if at_least else ("above", "upper")
        if not _keeps(estimate.value, bound, at_least=at_least):
            return replace(
                check, verdict=CheckVerdict.MISSED, why=f"{estimate.value:.3f} is {beyond} {bound:g}."
            )
        if self._point or (end is not None and _keeps(end, bound, at_least=at_least)):
            return check
        where = "There is no interval" if end is None else f"The {side} end, {end:.3f}, is {beyond} {bound:g}"
        needed = items_for_bound(estimate, bound, at_least=at_least)
        enough = f"about {needed:,} items would be enough (there are {estimate.n:,})" if needed else _MORE
        return replace(check, verdict=CheckVerdict.TOO_FEW, why=f"{where}: at this estimate {enough}.")


def _keeps(value: float, bound: float, *, at_least: bool) -> bool:
    return value >= bound if at_least else value <= bound


def _partner(run: Run, baseline: Sequence[Run]) -> Run:
    """The run that a run is held against: on the same data, and asked the same.

    Only the agent may differ (its model, and the engine's settings) and who reads its replies, which is said.
    Of several runs it is the one of the same model, then the one with the same settings.

    Raises:
        BadUsage: There is no such run, or there are several.
    """
    of_suite = [other for other in baseline if other.suite == run.suite]
    names = data_names(other.dataset for other in (run, *of_suite))
    needs = f"{run.id!r} needs one baseline run of {run.suite} on {names[run.dataset]}"
    data = run.dataset.name, run.dataset.version
    there = [other for other in of_suite if (other.dataset.name, other.dataset.version) == data]
    asked = [other for other in there if not _asked_otherwise(run, other)]
    if there and not asked:
        which = "; ".join(f"{other.id}: {', '.join(_asked_otherwise(run, other))}" for other in there)
        raise BadUsage(f"{needs} that was asked the same. These differ in options ({which}).")
    for narrower in (
        [other for other in asked if other.model == run.model],
        [other for other in asked if other.model == run.model and not [*differing(run, other)]],
    ):
        asked = narrower or asked
    if len(asked) != 1:
        others = [f"{other.id} on {names[other.dataset]}" for other in of_suite]
        some = ", ".join([other.id for other in asked] or others) or "none"
        raise BadUsage(f"{needs}, and there are {len(asked)} ({some}). Name its log or folder.")
    return asked[0]


def _asked_otherwise(run: Run, other: Run) -> list[str]:
    """The options of the suite with different values, and both values."""
    mine = AMOUNT.union(run.settings, other.settings)
    asked = [
        replace(asked_run, options={k: v for k, v in asked_run.options.items() if k not in mine})
        for asked_run in (other, run)
    ]
    return [*differing(*asked)]


def number(estimate: Estimate) -> str:
    """An estimate with its interval, as fractions: "0.713 [0.662, 0.758]"."""
    if estimate.value is None:
        return "-"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def as_markdown(gate: Gate) -> str:
    """A table for a pull request or a job's summary."""
    head = "| | requirement | found | n | run |\n|---|---|---|---:|---|"
    rows = [
        f"| {'✅' if c.passed else '❌'} {c.verdict} | {_code(c.name)} | {number(c.found)} | {c.found.n:,} "
        f"| {_cell(c.run)} |"
        for c in gate.checks
    ]
    why = [f"- {_code(c.name)}, {_cell(c.run)}: {_cell(c.why)}" for c in gate.checks if c.why]
    title = "### knowact: passed" if gate.passed else "### knowact: failed"
    return "\n".join([title, "", head, *rows, "", *why]).rstrip() + "\n"


def _cell(text: str) -> str:
    """A text within a table's cell: nothing in it ends the cell, is code or is a tag."""
    safe: Mapping[str, str] = {"|": "\\|", "`": "'", "<": "&lt;"}
    return "".join(safe.get(letter, letter) for letter in one_line(text))


def _code(text: str) -> str:
    """A text as code within a table's cell, where tags are none."""
    return f"`{one_line(text).replace('`', chr(39)).replace('|', chr(92) + '|')}`"


def as_junit(gate: Gate) -> str:
    """JUnit XML: a suite of tests per run, a test per requirement."""
    root = ET.Element("testsuites", name="knowact check")
    for run in dict.fromkeys(check.run for check in gate.checks):
        own = [check for check in gate.checks if check.run == run]
        failed = sum(not check.passed for check in own)
        part = ET.SubElement(
            root, "testsuite", name=one_line(run), tests=str(len(own)), failures=str(failed), errors="0"
        )
        for check in own:
            case = ET.SubElement(part, "testcase", classname=check.suite, name=one_line(check.name), time="0")
            text = f"{check.verdict}: {number(check.found)}, n={check.found.n}. {check.why}".strip()
            if not check.passed:
                ET.SubElement(case, "failure", message=one_line(text), type=check.verdict.value)
            ET.SubElement(case, "system-out").text = one_line(text)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'
