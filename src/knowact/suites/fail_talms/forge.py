"""How `fail_talms/everyday` is made: which drafts become base items, and what each setting makes of them.

As in the paper, every request needs two tools; 575 requests, and of each one a variant
with something unsaid (of 24 a second one), one with a tool gone, and one without tools.

*Crossed minimal pairs*: base items come in couples, whose missing tools are
exchanged for one another, so each set of tools is enough for one request and too little for another. A value
that is put vaguely or pointed at stands in the same words where an earlier message says it.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal

from knowact.conditions.removal import no_tools
from knowact.core.condition import CLEAN, Condition
from knowact.core.errors import BadUsage
from knowact.core.proof import Possibility, prove_task, prove_withheld
from knowact.core.seeds import generator
from knowact.core.task import Boundary, Query, Topology
from knowact.forge.alike import neighbours
from knowact.forge.briefs import COMPLETE, Brief, Version, brief_of
from knowact.forge.choose import Kind, interleaved
from knowact.forge.crossing import Seat, crossed, crosses, shuffled, together
from knowact.forge.drafts import Draft
from knowact.forge.proving import CROWD, unproven_in_a_crowd
from knowact.forge.ratings import could_give
from knowact.forge.recipe import Finished, Recipe
from knowact.forge.withholding import AGAIN, gap_of, gaps_of, with_versions
from knowact.suites.fail_talms.cases import Case, Missing, in_a_crowd
from knowact.suites.fail_talms.layout import Split
from knowact.worlds.material import Material

GENERATOR: Final = "knowact forge fail-talms 2"
SIZES: Final[Mapping[Kind, int]] = {
    (Boundary.EXTERNAL, Topology.PARALLEL, 2): 230,
    (Boundary.EXTERNAL, Topology.MULTI_HOP, 2): 75,
    (Boundary.HYBRID, Topology.PARALLEL, 2): 140,
    (Boundary.HYBRID, Topology.MULTI_HOP, 2): 130,
}
_HOW: Final[Mapping[str, Literal["left_out", "vague", "pointing", "two_candidates"]]] = {
    "left out": "left_out",
    "vague": "vague",
    "pointing": "pointing",
    "two candidates": "two_candidates",
}
_TWICE: Final = 24 / 575
"""Of how many base items a second value is left out as well: the paper has 599 under-specified queries."""
_ASKED_TWICE: Final = 0.25
"""Of how many drafts a second incomplete version is written, where it can be; a few stay unused."""
_REPLACEABLE: Final = 261 / 575
"""In how many base items the person could give what the missing tool gives (the paper's section 3.3)."""
_SUFFIXES: Final = {Split.REPLACEABLE: ".r", Split.NON_REPLACEABLE: ".n"}


def fits(draft: Draft, material: Material, seed: int) -> bool:
    """Whether a draft can be a base item: nothing in it is told, and something can be missing."""
    if any(step.told for step in draft.task.plan):
        return False
    return gap_of(draft, material, seed) is not None


def brief(draft: Draft, material: Material, seed: int) -> Brief:
    """The brief of a base item: a complete text, and one or two of which each lacks a value."""
    gaps = gaps_of(draft, material, seed)
    first = next(gaps, None)
    assert first is not None, "only such drafts are chosen"
    again = None
    if first.how == "left out" and generator(seed, "again", draft.sketch.key).random() < _ASKED_TWICE:
        again = next(gaps, None)
    return with_versions(brief_of(draft, material, seed), first, again)


def rows(done: Sequence[Finished], material: Material, seed: int) -> list[Case]:
    """Make the cases of finished base items, in stratified order."""
    seats: defaultdict[Split, list[Seat]] = defaultdict(list)
    for number, (one, (tool, setting)) in enumerate(zip(done, _hidden(done, material), strict=True)):
        seats[setting].append(Seat(number, one.draft.task, (tool,)))
    twice = _twice(done)
    ranks = neighbours(list(material.tools.values()))

    def cost(one: Seat, other: Seat) -> float:
        return ranks.rank(one.gone[0], other.gone[0]) if one.gone != other.gone else len(ranks.ranked)

    found: list[list[Case]] = []
    for setting, waiting in seats.items():
        couples, alone = crossed(waiting, material, cost, lambda seat: _holds(seat, done, material, seed))
        seated = (*couples, *_guests(alone, couples, done, material, seed))
        found += [
            _cases(done[seat.number], seat, setting, material, seed, twice=seat.number in twice)
            for seat in seated
        ]
    return _ordered(_named(found))


def _twice(done: Sequence[Finished]) -> frozenset[int]:
    """The places of the base items that become two under-specified cases."""
    able = [number for number, one in enumerate(done) if AGAIN in one.answer.versions]
    return frozenset(able[: round(_TWICE * len(done))])


def _guests(
    alone: Sequence[Seat], couples: Sequence[Seat], done: Sequence[Finished], material: Material, seed: int
) -> Iterator[Seat]:
    """Seat those without a partner beside somebody who has one; with own tools not all of them can be.

    Raises:
        BadUsage: There is nobody beside whom one can sit.
    """
    for seat in alone:
        for host in couples:
            both = together(seat, host)
            if both and crosses(both[0], material) and _holds(both[0], done, material, seed):
                yield both[0]
                break
        else:
            if material.seeded:
                raise BadUsage(f"No tool of {done[seat.number].text!r} can be taken away. Refuse that brief.")


def _hidden(done: Sequence[Finished], material: Material) -> list[tuple[str, Split]]:
    """The tool that goes missing from each base item, and whether the person could give what it gives.

    Where tools of both kinds may go, they are shared out evenly, so that the whole has its share of either.
    """
    kinds = [
        {
            step.tool: Split.REPLACEABLE if _gives(one, step.tool, material) else Split.NON_REPLACEABLE
            for step in one.draft.task.plan
            if step.external
        }
        for one in done
    ]
    free = [number for number, of in enumerate(kinds) if len({*of.values()}) > 1]
    settled = sum({*of.values()} == {Split.REPLACEABLE} for of in kinds)
    wanted = min(max(round(_REPLACEABLE * len(done)) - settled, 0), len(free))
    chosen = {
        number: Split.REPLACEABLE
        if (place + 1) * wanted // len(free) > place * wanted // len(free)
        else Split.NON_REPLACEABLE
        for place, number in enumerate(free)
    }
    found: list[tuple[str, Split]] = []
    for number, of in enumerate(kinds):
        kind = chosen.get(number) or next(iter(of.values()))
        found.append((min(name for name in of if of[name] is kind), kind))
    return found


def _gives(one: Finished, tool: str, material: Material) -> bool:
    """Whether the person could give what a tool gives, as readers decided."""
    return could_give(one.readings[COMPLETE], material.tools[tool])


def _holds(seat: Seat, done: Sequence[Finished], material: Material, seed: int) -> bool:
    """Whether a value that is not said cannot be had with a seat's tools either, and all holds in a crowd."""
    one = done[seat.number]
    missing = (
        prove_withheld(seat.complete, material.tools, *version.place)
        for version in one.brief.versions
        if version.leaves_out
    )
    if any(proof.possibility is Possibility.POSSIBLE for proof in missing):
        return False
    if unproven_in_a_crowd(seat.complete, material):
        return False
    every = tuple(material.tools.values())
    case = _unavailable(_perfect(one, seat, material, seed), seat, Split.NON_REPLACEABLE, material)
    crowd = in_a_crowd(case, material.tools, every, CROWD, 0)
    return prove_task(case.task, material.tools, crowd).possibility is case.possibility


def _cases(
    one: Finished, seat: Seat, setting: Split, material: Material, seed: int, *, twice: bool
) -> list[Case]:
    """All cases of a base item."""
    perfect = _perfect(one, seat, material, seed)
    lacking = [version for version in one.brief.versions if version.leaves_out]
    return [
        perfect,
        *(
            _under_specified(one, version, perfect, f".u{number}", material)
            for number, version in enumerate(lacking if twice else lacking[:1], start=1)
        ),
        _unavailable(perfect, seat, setting, material),
        _without_tools(perfect, material),
    ]


def _perfect(one: Finished, seat: Seat, material: Material, seed: int) -> Case:
    (tool,) = seat.gone
    name = one.brief.id
    written = one.answer.versions[COMPLETE]
    task = seat.complete.model_copy(
        update={
            "id": name,
            "cluster": name,
            "opening": Query(text=written.whole),
            "provenance": {**one.provenance(GENERATOR, seed), "said": one.said, **material.proof},
        }
    )
    return Case(
        id=name,
        setting=Split.PERFECT,
        category=material.tools[tool].category,
        task=shuffled(task, seed),
        query=written.text,
        remarks=written.before,
        condition=CLEAN,
        possibility=Possibility.POSSIBLE,
        cluster=name,
        given=tuple(sorted(name for name in seat.task.required if _gives(one, name, material))),
    )


def _under_specified(one: Finished, version: Version, perfect: Case, suffix: str, material: Material) -> Case:
    complete, incomplete = one.answer.versions[COMPLETE], one.answer.versions[version.name]
    (key,), (number, parameter) = version.leaves_out, version.place
    step = perfect.task.plan[number]
    before, after = next(
        (was, now) for was, now in zip(complete.messages, incomplete.messages, strict=True) if was != now
    )
    proof = prove_withheld(perfect.task, material.tools, number, parameter)
    missing = Missing(
        kind="value",
        tool=step.tool,
        step=number,
        parameter=parameter,
        value=step.arguments[parameter].value,
        words=complete.words[key],
        before=before,
        after=after,
        how=_HOW[version.how],
        phrase=incomplete.words.get(key, ""),
    )
    return perfect.model_copy(
        update={
            "id": f"{perfect.id}{suffix}",
            "setting": Split.UNDER_SPECIFIED,
            "query": incomplete.text,
            "remarks": incomplete.before,
            "condition": Condition(name="under-specified", withheld=(f"value:{step.tool}.{parameter}",)),
            "possibility": proof.possibility,
            "missing": missing,
        }
    )


def _unavailable(perfect: Case, seat: Seat, setting: Split, material: Material) -> Case:
    condition = seat.condition("unavailable")
    return perfect.model_copy(
        update={
            "id": f"{perfect.id}{_SUFFIXES[setting]}",
            "setting": setting,
            "condition": condition,
            "possibility": prove_task(perfect.task, material.tools, condition).possibility,
            "missing": Missing(kind="tool", tool=seat.gone[0]),
            "by_model": False if setting is Split.REPLACEABLE else None,
        }
    )


def _without_tools(perfect: Case, material: Material) -> Case:
    condition = no_tools(perfect.task)
    return perfect.model_copy(
        update={
            "id": f"{perfect.id}.x",
            "setting": Split.NO_TOOLS,
            "condition": condition,
            "possibility": prove_task(perfect.task, material.tools, condition).possibility,
        }
    )


def _named(found: Sequence[Sequence[Case]]) -> Iterator[list[Case]]:
    """Number the base items by category."""
    numbers: Counter[str] = Counter()
    for cases in found:
        category = cases[0].category
        numbers[category] += 1
        name = f"{category.lower()}-{numbers[category]:03}"
        task = cases[0].task.model_copy(update={"id": name, "cluster": name})
        yield [
            case.model_copy(update={"id": case.id.replace(case.cluster, name), "task": task, "cluster": name})
            for case in cases
        ]


def _ordered(found: Iterable[Sequence[Case]]) -> list[Case]:
    """Put cases into stratified order: every prefix is a fair sample of settings and base items."""
    by_setting: defaultdict[str, list[Case]] = defaultdict(list)
    for case in (case for cases in found for case in cases):
        by_setting[case.setting.value].append(case)
    return interleaved([by_setting[setting] for setting in sorted(by_setting)])


def kind(row: Case) -> str:
    """What a case is, for counting."""
    return row.setting.value.replace("_", " ")


RECIPE: Final = Recipe(
    "everyday", "2-A", SIZES, rows, GENERATOR, "knowact.suites.fail_talms", brief, fits, kind=kind
)
"""What the forge knows of this suite."""
