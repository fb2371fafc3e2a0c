"""A small suite and synthetic runs, for the tests of the report. Shaped like KAPRO, made of arithmetic."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from knowact.core.charts import grouped_bars, shift_bars, stacked_shares
from knowact.core.record import Outcome, Record, Result, Status
from knowact.core.scatter import Point, scatter_with_r
from knowact.core.suite import AnySuite, Plan
from knowact.core.table import DatasetInfo, Estimate, Figure, Row, Run, Table
from knowact.core.transcript import Transcript, Turn
from knowact.probes.declared_suite import DeclaredSuite
from knowact.report.build import ReportInput

BOUNDARIES = ("external", "hybrid", "internal")
TOPOLOGIES = ("single_hop", "parallel", "multi_hop")
QUADRANTS = ("Kc/Ac", "Kc/Aw", "Kw/Ac", "Kw/Aw")
TOOLS = ("get_forecast", "list_events", "add", "convert_unit")


T = TypeVar("T")


def always(value: T) -> Callable[..., T]:
    """A function that gives `value` whatever it is asked."""

    def give(*_: object) -> T:
        return value

    return give


def make_record(place: int, skill: float, rng: random.Random, item: str = "") -> Record:
    """One trial whose two halves are right with the probability `skill`."""
    knew, acted = rng.random() < skill, rng.random() < skill * 0.9
    boundary, required = BOUNDARIES[place % 3], frozenset(TOOLS[: place % 3])
    return Record(
        item=item or f"task-{place:03}",
        condition="clean" if place % 4 else "distractors-10",
        epoch=1,
        cluster=f"base-{place // 2}",
        labels={"boundary": boundary, "topology": TOPOLOGIES[place // 3 % 3]},
        offered=TOOLS,
        required=required,
        outcomes={"tools_needed": Outcome.ANSWERED, "act": Outcome.ANSWERED},
        needed=required if knew else frozenset(TOOLS),
        used=required if acted else frozenset({"add"}),
        calls=len(required) + (0 if acted else 2),
        knew=knew,
        acted=acted,
        results={
            "jaccard_know": Result.of(1.0 if knew else 0.4),
            "jaccard_act": Result.of(1.0 if acted else 0.2, by="form", why="2 of 5 tools"),
            "pass": Result(Status.NOT_JUDGED),
        },
        tokens=(900, 120),
        seconds=2.5,
        flags={} if acted else {"invented_tool": 1},
    )


def broken_record(place: int) -> Record:
    """A trial that the provider spoilt."""
    outcomes = {"tools_needed": Outcome.ANSWERED, "act": Outcome.INSTRUMENT_ERROR}
    labels = {"boundary": "external", "topology": "parallel"}
    return Record(f"broken-{place}", "clean", 1, f"broken-{place}", labels, TOOLS, frozenset(), outcomes)


def make_run(
    name: str, skill: float, size: int = 60, *, broken: int = 0, missing: int = 0, suite: str = "fake"
) -> Run:
    """A run of `size` good trials, `broken` spoilt ones, and `missing` that were planned only."""
    rng = random.Random(name)
    records = [make_record(place, skill, rng) for place in range(size)]
    records += [broken_record(place) for place in range(broken)]
    return Run(
        id=f"{suite}/everyday@1-A/{name}",
        suite=suite,
        dataset=DatasetInfo("everyday", "1-A", "9c" * 32),
        model=name,
        options={"rules": "definition", "seed": 0, "probe": ["tools_needed", "act"]},
        logs=(f"logs/{suite}/{name}/2026-01-02.eval",),
        planned=size + broken + missing,
        records=records,
        superseded=(f"logs/{suite}/{name}/2026-01-01.eval",),
        problems=("The endpoint answered 500.",) if broken else (),
    )


def mean(records: Sequence[Record], value: Callable[[Record], float]) -> Estimate:
    """A mean with a crude interval; good enough to be drawn."""
    scored = [value(record) for record in records if record.scored]
    if not scored:
        return Estimate(None, 0)
    middle, half = sum(scored) / len(scored), 0.9 / len(scored) ** 0.5
    return Estimate(
        middle,
        len(scored),
        max(0.0, middle - half),
        min(max(1.0, middle), middle + half),
        "cluster bootstrap",
    )


def _kas(run: Run, key: str, name: str) -> Estimate:
    chosen = [record for record in run.records if record.labels[key] == name]
    return mean(chosen, lambda r: (r.value("jaccard_know") + r.value("jaccard_act")) / 2)


def main_table(runs: Sequence[Run]) -> Table:
    measures: dict[str, Callable[[Record], float]] = {
        "Acc know": lambda r: r.value("jaccard_know"),
        "Acc act": lambda r: r.value("jaccard_act"),
        "KAS": lambda r: (r.value("jaccard_know") + r.value("jaccard_act")) / 2,
    }
    rows = [
        Row({"model": run.model, "boundary": name}, measure, mean(chosen, value))
        for run in runs
        for name in BOUNDARIES
        for chosen in [[r for r in run.records if r.labels["boundary"] == name]]
        for measure, value in measures.items()
    ]
    note = "The mean of a subspace is over its tasks; KAS of the example is a plain mean."
    return Table("main", "Main results", "KAPRO, Table 3", tuple(rows), ("boundary",), note)


def _quadrant(record: Record) -> str:
    return f"{'Kc' if record.knew else 'Kw'}/{'Ac' if record.acted else 'Aw'}"


def quadrant_rows(runs: Sequence[Run]) -> tuple[Row, ...]:
    return tuple(
        Row({"model": run.model, "boundary": name}, part, mean(chosen, lambda r, p=part: _quadrant(r) == p))
        for run in runs
        for name in BOUNDARIES
        for chosen in [[r for r in run.records if r.labels["boundary"] == name]]
        for part in QUADRANTS
    )


def quadrant_table(runs: Sequence[Run]) -> Table:
    gaps = tuple(
        Row(
            {"model": run.model, "boundary": name},
            "DirGap",
            Estimate(gap, 20, gap - 0.1, gap + 0.1, "cluster bootstrap"),
        )
        for place, run in enumerate(runs)
        for name, gap in zip(BOUNDARIES, (0.183, -0.2211, 0.01 * place), strict=True)
    )
    rows = quadrant_rows(runs) + gaps
    return Table("quadrants", "Know-act quadrants", "KAPRO, Table 4", rows, ("boundary",))


def calls_table(runs: Sequence[Run]) -> Table:
    rows = tuple(
        Row({"model": run.model}, "mean calls", mean(run.records, lambda r: r.calls)) for run in runs
    )
    return Table("calls", "Calls per task", "knowact", rows, percent=False)


def kas_by_topology(runs: Sequence[Run]) -> Figure:
    rows = [
        Row({"topology": name, "model": run.model}, "KAS", _kas(run, "topology", name))
        for run in runs
        for name in TOPOLOGIES
    ]
    spec = grouped_bars(rows, "topology", "model", value_title="KAS")
    return Figure("kas-topology", "KAS by topology", "KAPRO, Figure 4", spec, "Whiskers are 95 % intervals.")


def quadrant_figure(runs: Sequence[Run]) -> Figure:
    spec = stacked_shares(quadrant_rows(runs), "model", "measure", parts=QUADRANTS, facet="boundary")
    return Figure("quadrants-figure", "Where knowing and acting part", "KAPRO, Figure 3", spec)


def scatter_figure(runs: Sequence[Run]) -> Figure:
    points = [
        Point(run.model, _kas(run, "boundary", "internal"), mean(run.records, lambda r: r.calls))
        for run in runs
    ]
    r = (
        Estimate(-0.748, len(points), -0.9, -0.4, "fisher z")
        if len(points) > 3
        else Estimate(None, len(points))
    )
    spec = scatter_with_r(points, r, x_title="KAS on internal tasks", y_title="Mean tool calls")
    return Figure("calls-kas", "Calls against KAS", "KAPRO, Figure 5", spec, "One dot per run.")


def shift_figure(runs: Sequence[Run]) -> Figure:
    rows = [
        Row(
            {"quadrant": part, "model": run.model},
            "change",
            Estimate(change + place / 50, 60, change - 0.05, change + 0.08, "paired bootstrap"),
        )
        for place, run in enumerate(runs)
        for part, change in zip(QUADRANTS, (-0.12, 0.03, -0.01, 0.1), strict=True)
    ]
    return Figure(
        "shift", "Shift under ten distractors", "KAPRO, Figure 6", shift_bars(rows, "quadrant", "model")
    )


def no_plan(_: object) -> Plan:
    raise AssertionError("a report never plans")


def summary_lines(run: Run) -> list[str]:
    kas = _kas(run, "boundary", "internal").value or 0.0
    side = "below" if kas < 0.7 else "above"
    return [
        f"{side.capitalize()} mark-everything on internal tasks: KAS {kas:.1%}.",
        "It knows more than it does: of the tasks that it judged rightly, it failed in one of five.",
    ]


def make_suite(name: str = "fake", title: str = "KAPRO double") -> DeclaredSuite:
    """The suite; everything in it is real but small."""
    return DeclaredSuite(
        name=name,
        title=title,
        question="Does the agent know which tools a task needs, and then use exactly those?",
        paper="Nobody et al., 2026",
        spec="nowhere:nothing",
        options=(),
        datasets=tuple,
        plan=no_plan,
        measures=("jaccard_know", "jaccard_act", "pass"),
        tables=(main_table, quadrant_table, calls_table),
        figures=(kas_by_topology, quadrant_figure, scatter_figure, shift_figure),
        summary_lines=summary_lines,
        compared=("jaccard_know", "jaccard_act"),
    )


@dataclass(frozen=True, slots=True)
class MadeRate:
    """A rate as a calibration has it."""

    kind: str
    what: str
    estimate: Estimate


def some_rates(model: str, role: str, prompt: str) -> Sequence[MadeRate]:
    """The rates of one model in one role under one prompt; all others were not measured."""
    if (model, role, prompt) != ("openai/gpt-5", "extractor", "abc"):
        return ()
    return (
        MadeRate("number", "missed", Estimate(0.031, 240, 0.015, 0.06, "wilson")),
        MadeRate("asked", "false pass", Estimate(0.0, 80)),
    )


def read_by(run: Run, model: str, **roles: str) -> Run:
    """A run of a model whose replies were read by others."""
    played = {role: (name,) for role, name in roles.items()}
    prompts = {"people/extract": "abc", "fake/judge": "def"}
    return replace(run, model=model, roles=played, wanted=("extractor", "judge"), prompts=prompts)


def make_transcript(record: Record, said: str = "I need get_forecast.") -> Transcript:
    """A transcript with a call, a result and a problem."""
    asked = Turn("user", "How warm will it be in Lisbon tomorrow, and is that above 70 °F?")
    acted = (
        Turn("system", "Today is 2026-01-02."),
        asked,
        Turn(
            "assistant",
            "Let me look that up.",
            (("get_forecast", '{"city": "Lisbon", "day": "2026-01-03"}'),),
        ),
        Turn("tool", '{"high": 17, "unit": "C"}'),
        Turn("assistant", "", (("teleport", '{"to": '),)),
        Turn("tool", "There is no such tool.", problem="unknown_tool"),
        Turn("assistant", said),
    )
    probes = (("tools_needed", (asked, Turn("assistant", said))), ("act", acted))
    return Transcript(record.item, record.condition, record.epoch, probes)


def make_input(runs: Sequence[Run], suite: AnySuite | None = None) -> ReportInput:
    """All that `build` needs, with a transcript for every trial."""
    return ReportInput(
        suites=[(suite or make_suite(), runs)],
        transcripts=lambda _, records: map(make_transcript, records),
        view_command=lambda run, record: f"knowact view {run.logs[0]} --sample {record.item}",
        rates=some_rates,
    )
