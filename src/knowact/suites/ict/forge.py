"""How `ict/everyday` is made: dialogues and requests written for it, and requests of two other data sets.

In the paper there are 423 and 477 pairs with replaced tools, 304 and 406 with something unsaid, in dialogues
and in single requests. Complete requests of `kapro` get their tools replaced; `fail-talms` has requests that
lack a value, beside their complete versions.

*Crossed minimal pairs*: replacements come in couples whose tools are exchanged for one another, so neither a
request nor its tools alone tell which version it is; what is put vaguely stands in the same words where an
earlier message of the dialogue says it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from knowact.conditions.distractors import distractors
from knowact.core.condition import Add, Condition
from knowact.core.proof import Possibility
from knowact.core.seeds import generator
from knowact.core.task import Boundary, Opening, Query, Task, Topology
from knowact.forge.alike import Neighbours, neighbours
from knowact.forge.briefs import COMPLETE, Brief, brief_of
from knowact.forge.choose import Kind, interleaved
from knowact.forge.crossing import Seat, crossed, shuffled
from knowact.forge.drafts import Draft
from knowact.forge.recipe import Finished, Recipe
from knowact.forge.withholding import INCOMPLETE, Gap, gap_of, with_versions
from knowact.suites.ict.cases import Gone, Incomplete, Level, Lost, Manipulation, Pair, Source
from knowact.suites.ict.dialogues import dialogue_brief, dialogue_of, last_task, lost_of, turns
from knowact.suites.ict.making import Making
from knowact.suites.ict.proving import prove_complete, prove_incomplete
from knowact.suites.ict.replacing import LEVELS, level_of
from knowact.worlds.material import Material

GENERATOR: Final = "knowact forge ict 2"
SIZES: Final[Mapping[Kind, int]] = {
    (Boundary.EXTERNAL, Topology.SINGLE_HOP, 1): 290,
    (Boundary.EXTERNAL, Topology.PARALLEL, 2): 400,
    (Boundary.EXTERNAL, Topology.MULTI_HOP, 2): 137,
    (Boundary.EXTERNAL, Topology.PARALLEL, 3): 110,
    (Boundary.EXTERNAL, Topology.MULTI_HOP, 3): 80,
}
"""Requests that lack something, and 727 dialogues: 423 with replaced tools, 304 with something unsaid."""
_REPLACED, _REMOVED, _PARTLY = 477 / 727, 406 / 727, 24 / 727
"""Single requests of each kind, for each dialogue; partly possible ones are a class of their own."""
_TOOL_GOES: Final = 0.5
"""Of the single requests with own tools that could lose a value, so many lose their tool."""
_OFFERED: Final = 5
"""How many tools a single request is offered, about (5.13 and 5.51 in the paper)."""
_CROWD_SEED: Final = 1


def fits(draft: Draft, material: Material, seed: int) -> bool:
    """Whether every step needs its tool, and none is told; of a single one a value can be missing."""
    if any(step.told or material.by_size(step.tool, step.call_arguments) for step in draft.task.plan):
        return False
    return len(draft.task.plan) > 1 or gap_of(draft, material, seed) is not None


def brief(draft: Draft, material: Material, seed: int) -> Brief:
    """The brief of a dialogue, or of a single request that leaves a value out."""
    if len(draft.task.plan) > 1:
        return dialogue_brief(draft, material, seed)
    gap = gap_of(draft, material, seed)
    assert gap is not None, "only such drafts are chosen"
    return with_versions(brief_of(draft, material, seed), gap.model_copy(update={"how": "left out"}))


def own_fits(draft: Draft, material: Material, _seed: int) -> bool:
    """Whether every step needs its tool, and none is told: then at least its tool can go missing."""
    return not any(step.told or material.by_size(step.tool, step.call_arguments) for step in draft.task.plan)


def own_brief(draft: Draft, material: Material, seed: int) -> Brief:
    """The brief of a dialogue, or of a single request that loses a value or its tool, each as often."""
    if len(draft.task.plan) > 1:
        return dialogue_brief(draft, material, seed)
    plain = brief_of(draft, material, seed)
    gap = gap_of(draft, material, seed)
    if gap is None or generator(seed, "manipulation", draft.sketch.key).random() < _TOOL_GOES:
        return plain
    return with_versions(plain, gap.model_copy(update={"how": "left out"}))


def rows(done: Sequence[Finished], material: Material, seed: int) -> list[Pair]:
    """Make the pairs of finished dialogues and of the requests that come with them, in stratified order."""
    dialogues = [one for one in done if _is_dialogue(one)]
    single = [one for one in done if not _is_dialogue(one)]
    lacking = [one for one in single if _loses(one) and not one.answer.versions[COMPLETE].before]
    replaced, removed, partly = (round(share * len(dialogues)) for share in (_REPLACED, _REMOVED, _PARTLY))
    maker = _Maker(material, seed)
    said = maker.removals(lacking, Source.SINGLE_REQUEST)[:removed]
    # From both ends, so that no request is used twice while there are others.
    several = [one for one in reversed(lacking) if len(one.draft.task.required) > 1]
    halves = [
        maker.replacements(several[::2], Source.SINGLE_REQUEST, half=True)[:partly],
        maker.removals(several[1::2], Source.SINGLE_REQUEST, Possibility.PARTLY)[:partly],
    ]
    used = {pair.cluster for pairs in (said, *halves) for pair in pairs}
    whole = [one for one in single if not _loses(one)]
    whole += [one for one in lacking if one.brief.id not in used]
    cells = [
        maker.replacements([one for one in dialogues if not _loses(one)], Source.MULTI_TURN),
        maker.replacements(whole, Source.SINGLE_REQUEST)[: replaced + replaced % 2],  # couples stay whole
        maker.removals([one for one in dialogues if _loses(one)], Source.MULTI_TURN),
        said,
        *halves,
    ]
    return _named(interleaved([cell for cell in cells if cell]))


def own_rows(done: Sequence[Finished], material: Material, seed: int) -> list[Pair]:
    """Make the pairs of dialogues and requests for somebody's own tools, in stratified order."""
    return _named(interleaved([cell for cell in _cells(done, _Maker(material, seed)) if cell]))


def _cells(done: Sequence[Finished], maker: "_Maker") -> list[list[Pair]]:
    """Replacements and removals, each in dialogues and in single requests."""
    return [
        make([one for one in done if _is_dialogue(one) is dialogue and _loses(one) is loses], source)
        for loses, make in ((False, maker.replacements), (True, maker.removals))
        for dialogue, source in ((True, Source.MULTI_TURN), (False, Source.SINGLE_REQUEST))
    ]


def _is_dialogue(one: Finished) -> bool:
    return any(part.gave for part in one.brief.parts)


def _loses(one: Finished) -> bool:
    return INCOMPLETE in one.answer.versions


class _Maker:
    """Makes pairs of finished drafts."""

    def __init__(self, material: Material, seed: int) -> None:
        self._material, self._seed = material, seed
        self._ranks: Neighbours = neighbours(list(material.tools.values()))

    def replacements(self, done: Sequence[Finished], source: Source, *, half: bool = False) -> list[Pair]:
        """Exchange the tools of couples of requests.

        Args:
            done: The requests.
            source: How the user speaks.
            half: Whether one of two required tools stays.
        """
        seats = [
            Seat(number, task, self._gone(one, task, half=half))
            for number, one in enumerate(done)
            if (task := self._task(one, source)).required
        ]
        wanted: Incomplete = Possibility.PARTLY if half else Possibility.IMPOSSIBLE

        def pair_of(seat: Seat, crossed_by: str) -> Pair:
            return self._replaced(done[seat.number], seat, source, wanted, crossed_by)

        seated, _ = crossed(
            seats, self._material, self._cost, lambda seat: self._proven(pair_of(seat, "couple"))
        )
        stem = f"{source.value}-{wanted.value}-couple"
        return [pair_of(seat, f"{stem}-{place // 2 + 1:03}") for place, seat in enumerate(seated)]

    def _task(self, one: Finished, source: Source) -> Task:
        """The complete task, with the tools that are on the table anyway."""
        complete = one.answer.versions[COMPLETE]
        if source is Source.MULTI_TURN:
            gap = lost_of(one.draft, self._material, self._seed)
            task = last_task(one.draft, one.brief, complete, turns(one.draft, gap, self._seed))
        else:
            provenance = {**one.draft.task.provenance, "brief": one.brief.id, "said": one.said}
            task = one.draft.task.model_copy(
                update={"id": one.brief.id, "opening": Query(text=complete.text), "provenance": provenance}
            )
            task = self._with_bystanders(task)
        provenance = {
            **task.provenance,
            "generator": GENERATOR,
            "seed": self._seed,
            "writer": one.answer.writer,
            "attempts": one.answer.attempts,
            **self._material.proof,
        }
        return task.model_copy(update={"id": one.brief.id, "cluster": one.brief.id, "provenance": provenance})

    def _with_bystanders(self, task: Task) -> Task:
        """Offer a single request some tools that it does not need."""
        # Its partner brings as many again; of few tools some are left for partners to lack.
        spare = len(self._material.tools) - 2 * len(task.required)
        count = max(0, min(_OFFERED - len(task.required), spare)) // 2
        crowd = distractors(
            task, self._material.tools, tuple(self._material.tools.values()), count, _CROWD_SEED
        )
        added = [change.tool for change in crowd.changes if isinstance(change, Add)]
        return task.model_copy(update={"offered": (*task.offered, *added)})

    def _gone(self, one: Finished, task: Task, *, half: bool) -> tuple[str, ...]:
        gone = [step.tool for step in task.plan if step.external]
        if half:
            return (generator(self._seed, "half", one.brief.id).choice(gone),)
        return tuple(gone)

    def _cost(self, one: Seat, other: Seat) -> float:
        """How far the tools of two seats are from the level that is wanted for the first."""
        rng = generator(self._seed, "level", one.task.id)
        (wanted,) = rng.choices(list(LEVELS), list(LEVELS.values()))
        ways = [*zip(one.gone, other.gone, strict=False), *zip(other.gone, one.gone, strict=False)]
        levels = [self._level(tool, by) for tool, by in ways if tool != by]
        return sum(level is not wanted for level in levels) + len(LEVELS) * (len(ways) - len(levels))

    def _level(self, tool: str, by: str) -> Level:
        return level_of(self._ranks.rank(tool, by))

    def _replaced(
        self, one: Finished, seat: Seat, source: Source, wanted: Incomplete, crossed_by: str
    ) -> Pair:
        gone = tuple(
            Gone(tool=tool, by=by, rank=self._ranks.rank(tool, by), level=self._level(tool, by))
            for tool, by in seat.instead.items()
        )
        return Pair(
            id=one.brief.id,
            source=source,
            manipulation=Manipulation.REPLACEMENT,
            possibility=wanted,
            task=shuffled(seat.complete, self._seed),
            plain=one.answer.versions[COMPLETE].text,
            condition=seat.condition("api-replacement"),
            gone=gone,
            cluster=one.brief.id,
            crossed=crossed_by,
        )

    def removals(
        self, done: Sequence[Finished], source: Source, wanted: Incomplete = Possibility.IMPOSSIBLE
    ) -> list[Pair]:
        """Take a value out of each request; where that leaves more or less possible, it is passed over."""
        pairs = (self._removed(one, source, wanted) for one in done)
        return [pair for pair in pairs if self._proven(pair)]

    def _removed(self, one: Finished, source: Source, wanted: Incomplete) -> Pair:
        complete, incomplete = one.answer.versions[COMPLETE], one.answer.versions[INCOMPLETE]
        dialogue = source is Source.MULTI_TURN
        gap = (lost_of if dialogue else gap_of)(one.draft, self._material, self._seed)
        assert gap is not None, "only such drafts have an incomplete version"
        task = shuffled(self._task(one, source), self._seed)
        step = 0 if dialogue else gap.step
        opening: Opening = Query(text=incomplete.text)
        if dialogue:
            opening = dialogue_of(one.draft, incomplete, turns(one.draft, gap, self._seed))
        return Pair(
            id=one.brief.id,
            source=source,
            manipulation=Manipulation.REMOVAL,
            possibility=wanted,
            task=task,
            plain=complete.text,
            incomplete=opening,
            condition=Condition(
                name="utterance-removal",
                withheld=(f"value:{task.plan[step].tool}.{gap.parameter}",),
            ),
            lost=_lost(task, opening, gap, step, one),
            cluster=one.brief.id,
        )

    def _proven(self, pair: Pair) -> bool:
        """Whether both versions are what they claim to be."""
        tools = self._material.tools
        return (
            prove_complete(pair, tools).possibility is Possibility.POSSIBLE
            and prove_incomplete(pair, tools).possibility is pair.possibility
            and not {call.tool for call in pair.past} & {one.tool for one in pair.gone}
        )


def _lost(task: Task, opening: Opening, gap: Gap, step: int, one: Finished) -> Lost:
    before, after = task.opening.utterances, opening.utterances
    turn = next(n for n, (was, now) in enumerate(zip(before, after, strict=True)) if was != now)
    return Lost(
        what="value",
        tool=task.plan[step].tool,
        step=step,
        parameter=gap.parameter,
        value=task.plan[step].arguments[gap.parameter].value,
        words=one.answer.versions[COMPLETE].words[gap.key],
        phrase=one.answer.versions[INCOMPLETE].words.get(gap.key, ""),
        how=one.lacking.how,
        turn=turn,
        before=before[turn].text,
        after=after[turn].text,
        beside=(gap.other,) if one.lacking.other is not None else (),
        invented=gap.other,
    )


def _named(pairs: Sequence[Pair]) -> list[Pair]:
    """Number the pairs by kind."""
    numbers: Counter[str] = Counter()
    found: list[Pair] = []
    for pair in pairs:
        stem = f"{pair.source.value.partition('_')[0]}-{pair.manipulation.value.partition('_')[2]}"
        stem += "-partly" if pair.possibility is Possibility.PARTLY else ""
        numbers[stem] += 1
        name = f"{stem}-{numbers[stem]:03}"
        task = pair.task.model_copy(update={"id": name, "cluster": name})
        found.append(pair.model_copy(update={"id": name, "cluster": name, "task": task}))
    return found


def kind(row: Pair) -> str:
    """What a pair is, for counting."""
    where = "a dialogue" if row.source is Source.MULTI_TURN else "a single request"
    return f"{'a tool replaced' if row.gone else 'a value left out'} in {where}"


OWN_TOOLS: Final = Recipe(
    "everyday",
    "1-A",
    {**SIZES, (Boundary.EXTERNAL, Topology.SINGLE_HOP, 1): 883},
    own_rows,
    GENERATOR,
    "knowact.suites.ict",
    own_brief,
    own_fits,
    kind=kind,
)
"""The same for somebody's own tools: nothing is borrowed, so single requests come from here (477 and 406)."""

RECIPE: Final = Recipe(
    "everyday",
    "2-A",
    SIZES,
    rows,
    GENERATOR,
    "knowact.suites.ict",
    brief,
    fits,
    borrows=("kapro", "fail-talms"),
    pairing=Making,
    kind=kind,
    own_tools=OWN_TOOLS,
)
"""What the forge knows of this suite."""
