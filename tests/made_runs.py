"""Runs of all six suites without an engine: a few items of each, with results that are drawn.

Two trials are alike exactly if they are of runs that were made alike, so what is drawn is no accident of
order.
"""

import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

from knowact.core.record import Outcome, Record, Result
from knowact.core.suite import Suite
from knowact.core.table import DatasetInfo, Run
from knowact.suites import find

SUITES = ("kapro", "ict", "fail_talms", "car", "when2call", "bfcl")
MODELS = ("lab/one-1", "lab/one-2", "hub/two")

PROBES: Mapping[str, tuple[str, ...]] = {
    "kapro": ("tools_needed", "act"),
    "ict": ("explicit", "implicit"),
    "fail_talms": ("tools", "information", "act"),
    "car": ("conversation",),
    "when2call": ("choice", "free"),
    "bfcl": ("reply",),
}

BROKEN = 0.04
"""Share of trials that the provider spoils."""


@dataclass(frozen=True)
class Made:
    """How a run is made.

    Attributes:
        data: Name and version of its data set.
        edition: Of that version: another one has other items under the same ids.
        options: Those that are not at their defaults.
        settings: What was asked of the engine.
        judge: Who reads and judges; nobody if empty.
        twin_of: Results are drawn as for this run, if given.
    """

    suite: str = "kapro"
    model: str = MODELS[0]
    data: tuple[str, str] = ("everyday", "2-A")
    edition: str = "a"
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    judge: str = ""
    twin_of: "Made | None" = None

    @property
    def id(self) -> str:
        """Tells it apart from every run that is made otherwise."""
        return f"{self.suite}-{_digest(repr(replace(self, twin_of=None)))[:8]}"


def made_run(made: Made) -> Run:
    """The run: items in their order, one epoch after another."""
    suite = find(made.suite)
    options = {**suite.defaults(), "trials": 1, **made.options, **made.settings, "data": made.data[0]}
    limit, drawn_as = int(options["limit"]), made.twin_of or made
    epochs = range(1, int(options["trials"]) + 1)
    items = [one for one in ITEMS[made.suite]() if not limit or int(one.cluster.split("-")[1]) < limit]
    records = [_trial(made, suite, replace(one, epoch=at), drawn_as) for one in items for at in epochs]
    name, version = made.data
    return Run(
        id=made.id,
        suite=made.suite,
        dataset=DatasetInfo(name, version, _digest(repr((made.suite, made.data, made.edition)))),
        model=made.model,
        options=options,
        logs=(f"logs/{made.id}.eval",),
        planned=len(records),
        records=records,
        settings=tuple(made.settings),
        roles=dict.fromkeys(("extractor", "judge"), (made.judge,)) if made.judge else {},
        wanted=("extractor", "judge") if made.judge else (),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _trial(made: Made, suite: Suite, item: Record, drawn_as: Made) -> Record:
    """One trial of an item; a run and its twin draw the same, whatever else they are."""
    rng = random.Random(f"{drawn_as.id} {item.item} {item.epoch}")
    lost = rng.random() < BROKEN
    outcomes = {
        probe: Outcome.INSTRUMENT_ERROR if lost else rng.choices([*ENDINGS], [*ENDINGS.values()])[0]
        for probe in PROBES[made.suite]
    }
    results = {} if lost else {one: Result.of(rng.choice((0.0, 1.0)), "form") for one in suite.measures}
    if "held back" in results:
        results["held back"] = Result.of(1 - results["called"].number)
    noise = int(made.options.get("distractors", 0))
    return replace(
        item,
        condition=f"distractors-{noise}" if noise else item.condition,
        offered=(*item.offered, *(f"spare_{place}" for place in range(noise))),
        outcomes=outcomes,
        needed=frozenset(rng.sample(item.offered, 1)),
        used=frozenset(rng.sample(item.offered, 1)),
        calls=rng.randrange(4),
        knew=None if lost else rng.random() < 0.5,
        acted=None if lost else rng.random() < 0.5,
        results=results,
        tokens=(rng.randrange(500), rng.randrange(50)),
        seconds=rng.random(),
        flags={"invented_tool": 1} if rng.random() < BROKEN else {},
    )


ENDINGS = {Outcome.ANSWERED: 8, Outcome.UNREADABLE: 1, Outcome.LIMIT: 1}
"""How probes end, and how often."""


def _item(name: str, cluster: int, condition: str = "clean", **labels: str) -> Record:
    offered = ("find", "book", "add")
    required = frozenset(offered[: cluster % 3])
    return Record(name, condition, 1, f"base-{cluster}", labels, offered, required, {})


def _kapro() -> list[Record]:
    sides = ("external", "hybrid", "internal")
    return [
        _item(f"task-{at}", at, boundary=sides[at % 3], topology=("parallel", "multi_hop")[at % 2])
        for at in range(9)
    ]


def _ict() -> list[Record]:
    parts = ("AR-AB", "AR-TB", "UR-AB", "UR-TB")
    return [
        _item(
            *(f"{part}-{at}.{gold}", at),
            condition="clean" if gold == "complete" else "removal",
            part=part,
            gold=gold,
            pair=f"{part}-{at}",
            kind="paper",
        )
        for at, part, gold in product(range(3), parts, ("complete", "incomplete"))
    ]


def _fail_talms() -> list[Record]:
    settings = (
        *("perfect", "under-specified", "no-tools"),
        *("unavailable-replaceable", "unavailable-non-replaceable"),
    )
    return [
        _item(
            *(f"health-{at}.{setting}", at, setting),
            setting=setting,
            category="Health",
            possibility="possible" if setting == "perfect" else "impossible",
        )
        for at, setting in product(range(4), settings)
    ]


def _car() -> list[Record]:
    types = ("base", "hallucination", "disambiguation")
    return [
        _item(f"{kind}_{at}", at, type=kind, subtype="user" if kind == types[2] else kind, actions="3")
        for at, kind in product(range(4), types)
    ]


def _when2call() -> list[Record]:
    kinds = ("direct", "request_for_info", "cannot_answer")
    return [
        _item(f"single-{at}.{kind}", at, right=kind, pair=f"single-{at}")
        for at in range(4)
        for kind in ("tool_call", kinds[at % 3])
    ]


def _bfcl() -> list[Record]:
    golds = {"complete": "relevance", "incomplete": "irrelevance"}
    return [
        _item(f"single-{at}.{gold}", at, category=category, gold=gold, pair=f"single-{at}")
        for at, (gold, category) in product(range(4), golds.items())
    ]


ITEMS = {
    "kapro": _kapro,
    "ict": _ict,
    "fail_talms": _fail_talms,
    "car": _car,
    "when2call": _when2call,
    "bfcl": _bfcl,
}


def by_suite(made: Sequence[Made]) -> list[tuple[Suite, list[Run]]]:
    """Runs by suite, none of them twice, as a report takes them."""
    runs = [made_run(one) for one in {one.id: one for one in made}.values()]
    return [(find(name), [run for run in runs if run.suite == name]) for name in SUITES]
