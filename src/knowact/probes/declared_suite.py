"""Suites that are declared field by field: a bridge until all of them are classes (`probes.suite.Suite`)."""

# pyright: reportIncompatibleMethodOverride=false, reportIncompatibleVariableOverride=false

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from knowact.core.option import Option
from knowact.core.record import Answer, Record
from knowact.core.suite import ROLES, Audit, Baseline, Clause, Dataset, Item, Plan, Scene, Section
from knowact.core.table import Figure, Headline, Run, Table, Term
from knowact.core.traits import Evidence, Trait
from knowact.probes.suite import Suite

if TYPE_CHECKING:
    from knowact.roles.calibration import LabelledSet


class _Each(tuple[Any, ...]):
    """Functions of one argument, which can be called together."""

    __slots__ = ()

    def __call__(self, argument: Any) -> list[Any]:
        return [function(argument) for function in self]


def _named(reference: str) -> Any:
    module, _, name = reference.partition(":")
    return getattr(importlib.import_module(module), name) if reference else None


@dataclass(frozen=True, kw_only=True)
class DeclaredSuite(Suite):
    """A suite as it was declared before; see `AnySuite` and `Suite` for what the fields mean."""

    name: str
    title: str
    question: str
    spec: str
    options: tuple[Option, ...] = ()
    datasets: Callable[[], Sequence[Dataset]]
    plan: Callable[[Mapping[str, Any]], Plan]
    measures: tuple[str, ...]
    tables: tuple[Callable[[Sequence[Run]], Table], ...]
    summary_lines: Callable[[Run], Sequence[str]]
    compared: tuple[str | tuple[str, str], ...]
    roles: tuple[str, ...] = ROLES
    trials: int = 1
    version: str = "1-A"
    forge: str = ""
    paper: str = ""
    figures: tuple[Callable[[Sequence[Run]], Figure], ...] = ()
    about: str = ""
    demo: tuple[Scene, ...] = ()
    statistics: tuple[Callable[[Sequence[Item]], Table], ...] = ()
    pictures: tuple[Callable[[Sequence[Item]], Figure], ...] = ()
    audit: Audit | None = None
    sections: Callable[[Item], Sequence[Section]] = lambda _: ()
    clauses: Callable[[Item], Sequence[Clause] | None] = lambda _: None
    baseline: Baseline | None = None
    converses: bool = False
    dropped: Mapping[str, str] = field(default_factory=dict[str, str])
    labelled: str = ""
    asked_by_rules: str = ""
    compared_by: str = "boundary"
    counts: frozenset[str] = frozenset()
    related: Callable[[Sequence[Record]], Sequence[Record]] = lambda records: records
    answers: Callable[[Sequence[Record]], Sequence[Answer]] = lambda _: ()
    traits: Mapping[Trait, Evidence] = field(default_factory=dict[Trait, Evidence])
    headline: Headline | None = None
    terms: Mapping[str, Term] = field(default_factory=dict[str, Term])

    def __post_init__(self) -> None:
        for name in ("tables", "figures", "statistics", "pictures"):
            object.__setattr__(self, name, _Each(getattr(self, name)))

    def recipe(self) -> object | None:
        """What `forge` names."""
        return _named(self.forge)

    def labelled_sets(self) -> "Sequence[LabelledSet]":
        """What `labelled` names makes them."""
        return cast("Sequence[LabelledSet]", _named(self.labelled)() if self.labelled else ())

    def made_spec(self, plan: Plan, options: Mapping[str, Any]) -> Any:
        """What the engine is told, as `spec` names it."""
        return _named(self.spec)(plan, options)
