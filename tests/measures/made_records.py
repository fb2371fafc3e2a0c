"""Records for the tests of this folder, made as a suite would make them."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from knowact.core.record import Outcome, Record, Result
from knowact.measures.kas import jaccard, overuse, underuse

KNOW, ACT = "acc_know", "acc_act"


def trial(
    item: str,
    offered: str,
    required: str,
    needed: str,
    used: str,
    *,
    cluster: str = "",
    condition: str = "clean",
    epoch: int = 1,
    labels: dict[str, str] | None = None,
) -> Record:
    """A record of tools with one-letter names: trial("1", "abc", "ab", "ac", "abx")."""
    gold, said, did = frozenset(required), frozenset(needed), frozenset(used)
    return Record(
        item=item,
        condition=condition,
        epoch=epoch,
        cluster=cluster or item,
        labels=labels or {},
        offered=tuple(offered),
        required=gold,
        outcomes={"tools_needed": Outcome.ANSWERED, "act": Outcome.ANSWERED},
        needed=said,
        used=did,
        knew=said == gold,
        acted=did == gold,
        results={
            KNOW: Result.of(jaccard(said, gold)),
            ACT: Result.of(jaccard(did, gold)),
            "over_know": Result.of(overuse(said, gold)),
            "under_know": Result.of(underuse(said, gold)),
            "over_act": Result.of(overuse(did, gold)),
            "under_act": Result.of(underuse(did, gold)),
            "agreement": Result.of(jaccard(said, did)),
        },
    )


def scored(
    item: str,
    cluster: str,
    know: float,
    act: float,
    *,
    condition: str = "clean",
    epoch: int = 1,
    labels: dict[str, str] | None = None,
    outcome: Outcome = Outcome.ANSWERED,
) -> Record:
    """A record of which only the two accuracies matter."""
    return Record(
        item=item,
        condition=condition,
        epoch=epoch,
        cluster=cluster,
        labels=labels or {},
        offered=(),
        required=frozenset(),
        outcomes={"act": outcome},
        knew=know == 1,
        acted=act == 1,
        results={KNOW: Result.of(know), ACT: Result.of(act)},
    )


def vectors() -> list[Record]:
    """Seven worked examples."""
    return [
        trial("1", "a", "", "", ""),
        trial("2", "ab", "", "", "a"),
        trial("3", "ab", "ab", "ab", "a"),
        trial("4", "abc", "abc", "ab", "abc"),
        trial("5", "ab", "a", "ab", "a"),
        trial("6", "ab", "a", "b", ""),
        trial("7", "abc", "ab", "ac", "abx"),
    ]


@dataclass(frozen=True)
class Cell:
    """One model and subspace of the published tables; percent as printed, errors as fractions."""

    model: str
    boundary: str
    success: float
    know: float
    act: float
    kas: float
    shares: tuple[float, ...]
    gap: float
    counts: tuple[int, ...]
    n: int
    know_error: float
    act_error: float


@dataclass(frozen=True)
class Model:
    """One row of the published tables."""

    name: str
    average_kas: float
    average_gap: float
    cells: dict[str, Cell]


def published() -> list[Model]:
    """Tables 3, 4 and what is known of 8 of KAPRO."""
    text = (Path(__file__).parent / "published.json").read_text(encoding="utf-8")
    models: dict[str, Any] = json.loads(text)["models"]
    return [
        Model(
            name,
            row["average_kas"],
            row["average_gap"],
            {boundary: _cell(name, boundary, cell) for boundary, cell in row["cells"].items()},
        )
        for name, row in models.items()
    ]


def _cell(model: str, boundary: str, cell: dict[str, Any]) -> Cell:
    rest: dict[str, Any] = dict(cell)
    success, shares, counts = rest.pop("pass"), tuple(rest.pop("shares")), tuple(rest.pop("counts"))
    return Cell(model, boundary, success=success, shares=shares, counts=counts, **rest)
