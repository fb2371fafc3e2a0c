"""Requirements: "SUITE.kas[internal]>=0.6", read and measured on a run.

    SUITE.MEASURE[^K or @K][GROUP,…] >= NUMBER        also <=; a NUMBER may be a percentage ("60%")

MEASURE is `headline`, the number that the page leads with; a result of the suite's records (its name as in
`csv/items.csv`); `kas` where the suite compares knowing with acting; a trait ("knows", "acts", "asks",
"admits", "consistent"); a know-act quadrant ("Kc/Aw"), "DirGap"; calls, tokens, seconds or cost. SUITE may be
"profile" for a trait: the mean over a model's suites. "^3" asks for Pass^3 of a 0/1 result, "@3" for Pass@3.
GROUP keeps the records with one value of a label: "internal", or "topology=parallel" where several have it.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from knowact.core.errors import BadUsage, UnknownName
from knowact.core.record import Record
from knowact.core.suite import Suite
from knowact.core.table import Estimate, Run
from knowact.core.traits import Trait
from knowact.measures.columns import FIELDS
from knowact.measures.enough import items_for_bound
from knowact.measures.group_means import applicable, group_mean, grouping
from knowact.measures.headline import headline_of
from knowact.measures.intervals import wilson
from knowact.measures.limits import COUNT, SHARE, Limits
from knowact.measures.limits import limits_of as limits_of_measure
from knowact.measures.paired import Comparison, compare_kas, compare_means
from knowact.measures.pass_k import AVERAGE, Power, rates, tallies
from knowact.measures.profile import average, consistency, profile
from knowact.measures.quadrants import DIRECTION_GAP, Quadrant
from knowact.measures.summary import average_kas, mean_estimate

KAS: Final = "kas"
HEADLINE: Final = "headline"
_PERCENT: Final = 100
_LEAST_PERCENT: Final = 2
"""What lies between 1 and this is taken for a slip and not for a percentage."""
_LITTLE: Final = 0.05
"""How far from the end of a range a bound lies that is proposed, as a part of the range."""
_WRITTEN: Final = re.compile(
    r"""\s* (?P<suite>[A-Za-z][\w-]*) \. (?P<measure>[A-Za-z][\w/-]*?)
        (?: (?P<power>[\^@]) (?P<k>\d{1,4}) )?
        (?: \[ (?P<group>[^\]]*) \] )?
        \s* (?P<sign>>=|<=) \s* (?P<bound>-?(?:\d+(?:\.\d+)?|\.\d+)) (?P<percent>%?) \s*""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Requirement:
    """One bound that a measure must keep.

    Attributes:
        text: As it was written.
        suite: As in Python ("fail_talms").
        measure: As it was written.
        power: Pass^k or Pass@k of the measure; None for its mean.
        k: How many trials that looks at; 0 for its mean.
        group: The labels and values that records must have; a value without a label stands under "".
        at_least: Whether the bound is a lower one.
        bound: A fraction, or whatever the measure counts.
    """

    text: str
    suite: str
    measure: str
    power: Power | None
    k: int
    group: Mapping[str, str]
    at_least: bool
    bound: float

    @property
    def subject(self) -> str:
        """What it is about, without the bound."""
        return re.split(r">=|<=", self.text)[0].strip()


def read(text: str) -> Requirement:
    """Read a requirement.

    Raises:
        BadUsage: It is none.
    """
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise BadUsage(
            f"{text!r:.200} is not a requirement. Write SUITE.MEASURE[GROUP]>=NUMBER or <=, such as "
            '"SUITE.kas[internal]>=0.6" or "SUITE.success^3>=40%".'
        )
    group: dict[str, str] = {}
    for part in filter(None, (piece.strip() for piece in (match["group"] or "").split(","))):
        label, _, value = part.rpartition("=")
        group[label.strip()] = value.strip()
    powers = {"^": Power.HAT, "@": Power.AT}
    return Requirement(
        text=" ".join(text.split()),
        suite=match["suite"].replace("-", "_"),
        measure=match["measure"],
        power=powers.get(match["power"] or ""),
        k=int(match["k"] or 0),
        group=group,
        at_least=match["sign"] == ">=",
        bound=float(match["bound"]) / (100 if match["percent"] else 1),
    )


def compared_first(suite: Suite) -> Requirement:
    """What runs of a suite are compared by first, trial by trial, as a requirement that anything meets."""
    first = suite.compared[0]
    name = first if isinstance(first, str) else KAS
    return Requirement(f"{suite.name}.{name}", suite.name, name, None, 0, {}, at_least=True, bound=-math.inf)


def measured(requirement: Requirement, suite: Suite, run: Run, seed: int) -> Estimate:
    """Measure what a requirement is about on a run with all its results (`Suite.with_traits`).

    KAS is the task-weighted average over the subspaces of the group, and a `GroupMean` the unweighted mean
    over the groups, as in the suite's tables.

    Raises:
        UnknownName: The run has no such measure, or no such group.
        BadUsage: Pass^k or Pass@k of what is no success or failure, or of more trials than there are.
    """
    records = _grouped(requirement, suite, run)
    if requirement.measure.lower() == HEADLINE:
        if requirement.power is not None:
            raise BadUsage(f"{requirement.text!r}: a headline has no Pass^k. Name another measure.")
        return headline_of(suite).of(replace(run, records=records))
    if pair := _pair(requirement, suite):
        return average_kas(records, *pair, suite.compared_by, seed)
    name = _measure(requirement, records)
    if name == Trait.CONSISTENT and requirement.power is None:
        return consistency(records, seed)
    if requirement.power is None and (by := grouping(suite, name)):
        return group_mean(records, name, by, seed)
    if requirement.power is None:
        return mean_estimate(records, name, seed, _limits(name, suite, records))
    by = suite.compared_by
    try:
        by_kind = rates(
            tallies(applicable(records, name, by), name, by), requirement.power, requirement.k, seed
        )
    except ValueError as error:
        raise BadUsage(f"{requirement.text!r}: {error}. Leave out {requirement.power}.") from None
    return (by_kind.get(AVERAGE) or next(iter(by_kind.values()))).estimate


PROFILE: Final = "profile"
"""In the place of a suite: all suites of a model."""


def profiled(requirement: Requirement, suites: Sequence[tuple[Suite, Sequence[Run]]], seed: int) -> Estimate:
    """Measure a trait over all suites of one model.

    Args:
        requirement: Its suite is `PROFILE`.
        suites: Each suite with the model's runs, with all their results.
        seed: Fixes the bootstrap.

    Raises:
        BadUsage: It asks for what is no trait, for Pass^k or for a group.
    """
    name = requirement.measure.lower()
    if name not in set(Trait) or requirement.power is not None or requirement.group:
        raise BadUsage(f"{requirement.text!r}: a profile has {', '.join(Trait)}, without groups and Pass^k.")
    trait = Trait(name)
    return average(list(profile(suites, seed, (trait,))[trait].values()))


def change(requirement: Requirement, suite: Suite, run: Run, baseline: Run, seed: int) -> Comparison:
    """Compare what a requirement is about with a baseline, paired by trial.

    Both runs have all their results (`Suite.with_traits`), and are the `sides` of a comparison.

    Raises:
        UnknownName: As for `measured`.
        BadUsage: Pass^k, Pass@k, consistency or a headline, which have no pairs of trials.
    """
    if requirement.power is not None or requirement.measure.lower() in {Trait.CONSISTENT, HEADLINE}:
        raise BadUsage(
            f"{requirement.subject!r} can't be compared with a baseline: it has no trials to pair. "
            "Name a result of the records."
        )
    same = run.is_read_from_logs_of(baseline)
    new, old = (_grouped(requirement, suite, side) for side in (run, baseline))
    if pair := _pair(requirement, suite):
        return compare_kas(old, new, pair, suite.compared_by, seed, same_trials=same)
    name = _measure(requirement, [*new, *old])
    limits, by = _limits(name, suite, [*new, *old]), grouping(suite, name)
    return compare_means(
        applicable(old, name, by) if by else old,
        applicable(new, name, by) if by else new,
        name,
        seed,
        limits=limits,
        same_trials=same,
        by=by,
    )


def refuse_profiles(requirements: Sequence[Requirement], suites: Iterable[str]) -> None:
    """Refuse to hold a profile against a baseline: it is a mean over suites, whose trials have no partners.

    Args:
        requirements: All of them.
        suites: The names of those that there are runs of.

    Raises:
        BadUsage: One of them is on a profile.
    """
    for requirement in requirements:
        if requirement.suite == PROFILE:
            instead = " or ".join(f'"{suite}.{requirement.measure}"' for suite in suites)
            raise BadUsage(
                f"{requirement.subject!r} can't be compared with a baseline: a mean over suites has no "
                f"trials to pair. Name the trait suite by suite ({instead}), or check the profile without "
                "--against."
            )


def is_count(limits: Limits) -> bool:
    """Whether something with these limits counts (calls, seconds), and is no share."""
    return limits == COUNT


def _pair(requirement: Requirement, suite: Suite) -> tuple[str, str] | None:
    """The results of knowing and acting, where KAS is asked for."""
    if requirement.measure.lower() != KAS:
        return None
    pair = next((measure for measure in suite.compared if not isinstance(measure, str)), None)
    if pair is None or requirement.power is not None:
        lacking = "no Pass^k" if pair else "none"
        raise BadUsage(f"{requirement.text!r}: KAS has {lacking} in {suite.name}. Name another measure.")
    return pair


def _grouped(requirement: Requirement, suite: Suite, run: Run) -> Sequence[Record]:
    """The records of the requirement's group."""
    records = run.records
    for label, value in requirement.group.items():
        name = label or _label_of(value, suite, records)
        known = {record.labels[name] for record in records if name in record.labels}
        if not known:
            raise UnknownName(
                "label", name, {known_label for record in records for known_label in record.labels}
            )
        if value not in known:
            raise UnknownName(f"value of {name}", value, known)
        records = [record for record in records if record.labels.get(name) == value]
    return records


def _label_of(value: str, suite: Suite, records: Sequence[Record]) -> str:
    """The one label that has a value; that by which the suite is compared goes before others.

    Raises:
        UnknownName: None has it.
        BadUsage: Several have it.
    """
    values: dict[str, set[str]] = {}
    for record in records:
        for label, its_value in record.labels.items():
            values.setdefault(label, set()).add(its_value)
    having = [label for label, some in values.items() if value in some]
    if not having:
        raise UnknownName("group", value, set[str]().union(*values.values()))
    if suite.compared_by in having:
        return suite.compared_by
    if len(having) > 1:
        which = " or ".join(f"{label}={value}" for label in having)
        raise BadUsage(f"{value!r} is a value of several labels. Write {which}.")
    return having[0]


def _measure(requirement: Requirement, records: Sequence[Record]) -> str:
    """The measure's name in the records: hyphens may stand for underscores, case does not matter."""
    results = {name for record in records for name in record.results}
    known = {
        measure.lower().replace("-", "_"): measure
        for measure in (*Quadrant, DIRECTION_GAP, *FIELDS, Trait.CONSISTENT, *results)
    }
    name = known.get(requirement.measure.lower().replace("-", "_"))
    if name is None:
        raise UnknownName("measure", requirement.measure, [HEADLINE, KAS, *known.values()])
    return str(name)


def limits_of(requirement: Requirement, suite: Suite, runs: Sequence[Run]) -> Limits:
    """Between which values what a requirement is about can lie; infinite where there is no end.

    KAS, Pass^k, quadrants and traits are shares; a headline says itself where it lies.

    Args:
        requirement: The requirement.
        suite: Whose it is.
        runs: Of that suite, with all their results.

    Raises:
        UnknownName: The runs have no such measure.
    """
    name = requirement.measure.lower()
    if name == HEADLINE:
        headline = headline_of(suite)
        return headline.least, headline.ceiling
    if name == KAS or requirement.power is not None:
        return SHARE
    records = [record for run in runs for record in run.records]
    return _limits(_measure(requirement, records), suite, records)


def _limits(name: str, suite: Suite, records: Sequence[Record]) -> Limits:
    # A suite of somebody else's may not say that a result counts.
    return COUNT if name in suite.counts else limits_of_measure(name, records)


def refuse_out_of_reach(requirement: Requirement, limits: Limits, *, point: bool) -> None:
    """Refuse a bound that no run can meet, or that none can miss.

    The end of an interval never reaches the end of what a measure can be, however many items there are: that
    all of n items were right does not show that all are. So ">=1" on a share takes `point`.

    Args:
        requirement: The requirement.
        limits: Of its measure.
        point: Whether the estimate is held to the bound, and not the end of its interval.

    Raises:
        BadUsage: It is one; the sentence names the range and the nearest bound that can be met.
    """
    low, high = limits
    if limits == COUNT and requirement.text.endswith("%"):
        raise BadUsage(
            f"{requirement.text!r}: {requirement.measure} is a count, not a share. Leave out the %."
        )
    nearest = _nearest(requirement.bound, limits)
    better = f'Write "{requirement.subject}{">=" if requirement.at_least else "<="}{nearest:g}"'
    if not low <= requirement.bound <= high:
        between = f"lies between {low:g} and {high:g}" if math.isfinite(high) else f"is {low:g} or more"
        raise BadUsage(f"{requirement.text!r}: {requirement.measure} {between}. {better}.")
    end, side = (high, "lower") if requirement.at_least else (low, "upper")
    if point or requirement.bound != end:
        return
    takes = ""
    if limits == SHARE:
        needed = items_for_bound(
            wilson(1, 1), nearest if requirement.at_least else 1 - nearest, at_least=True
        )
        takes = f" (that takes {needed} independent items, without an exception)"
    raise BadUsage(
        f"{requirement.text!r}: the {side} end of an interval never reaches {end:g}, with any number of "
        f"items. {better}{takes}, or add --point to go by the estimate."
    )


def refuse_idle_drop(requirement: Requirement, limits: Limits, most: float) -> None:
    """Refuse a drop that no run can exceed.

    Args:
        requirement: What may get worse.
        limits: Of its measure.
        most: By how much.

    Raises:
        BadUsage: It is as wide as all that the measure can be.
    """
    width = limits[1] - limits[0]
    if most >= width:
        nearest = most / _PERCENT if most / _PERCENT < width else _LITTLE * width
        raise BadUsage(
            f"A drop of {most:g} is not a bound for {requirement.subject}, which lies between {limits[0]:g} "
            f"and {limits[1]:g}. Write --max-drop {nearest:g}."
        )


def _nearest(bound: float, limits: Limits) -> float:
    """The nearest bound that says something and can be met, percentages read as such."""
    low, high = limits
    if not math.isfinite(high):
        return abs(bound) or _LITTLE
    width = high - low
    share = bound / _PERCENT if _LEAST_PERCENT <= abs(bound) <= _PERCENT and limits != COUNT else bound
    if low == 0:
        share = abs(share)
    return min(max(share, low + _LITTLE * width), high - _LITTLE * width)
