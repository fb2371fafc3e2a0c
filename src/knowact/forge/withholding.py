"""What an incomplete version leaves out, and how it goes missing.

Mostly by silence. What is put vaguely, pointed at, or one of two stands in the same words in the complete
version, where an earlier message says what is meant: so the words of the request alone tell nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Final

from pydantic import JsonValue

from knowact.core.model import Noun
from knowact.core.proof import Possibility, Unprovable, prove_withheld
from knowact.core.seeds import generator
from knowact.core.world import Call
from knowact.forge.briefs import COMPLETE, Brief, How, StatedValue, Version, digest
from knowact.forge.drafts import Draft, Unusable, drafted
from knowact.worlds.material import Material

INCOMPLETE: Final = "incomplete"
AGAIN: Final = "incomplete-2"
"""A second incomplete version, of which another value is left out."""
SHARES: Final[Mapping[How, float]] = {"left out": 0.6, "vague": 0.2, "pointing": 0.1, "two candidates": 0.1}
"""How often values go missing in which way."""
_OTHER_TURNS: Final = 12
"""So many draws of the same jobs are looked at for another value."""


class Gap(Noun):
    """A value that is not said.

    Attributes:
        step: The step of the plan, from 0.
        parameter: The argument.
        how: How it goes missing.
        other: Another value that a call could carry, with another result.
    """

    step: int
    parameter: str
    how: How
    other: JsonValue

    @property
    def key(self) -> str:
        """The value's key in the brief."""
        return f"{self.step + 1}.{self.parameter}"


def gap_of(draft: Draft, material: Material, seed: int, steps: range | None = None) -> Gap | None:
    """Choose what an incomplete version of a draft leaves out; None where nothing can be missing.

    Args:
        draft: The draft.
        material: The world.
        seed: The world's seed; it fixes the choice, too.
        steps: The steps that may lack something; all of them where nobody says.
    """
    return next(gaps_of(draft, material, seed, steps), None)


def gaps_of(draft: Draft, material: Material, seed: int, steps: range | None = None) -> Iterator[Gap]:
    """Yield all that an incomplete version of a draft may leave out, in the order of `gap_of`."""
    rng = generator(seed, "gap", draft.sketch.key)
    open_steps = range(len(draft.task.plan)) if steps is None else steps
    places = list(_withholdable(draft, material, open_steps))
    rng.shuffle(places)
    (how,) = rng.choices(list(SHARES), list(SHARES.values()))
    for step, parameter in places:
        other = _other(draft, step, parameter, material, seed)
        if other is not None:
            yield Gap(step=step, parameter=parameter, how=how, other=other)


def _withholdable(draft: Draft, material: Material, steps: range) -> Iterator[tuple[int, str]]:
    """Yield the arguments without which the task cannot be done, and that nobody would fill in."""
    every = [argument.value for step in draft.task.plan for argument in step.arguments.values()]
    for number in steps:
        step = draft.task.plan[number]
        tool = material.tools[step.tool]
        if not step.external or material.by_size(step.tool, step.call_arguments):
            continue
        for name, argument in step.arguments.items():
            if (
                argument.origin in {"query", "context"}
                and name in tool.required
                and "enum" not in tool.properties[name]
                and not isinstance(argument.value, list)
                and every.count(argument.value) == 1
                and not material.usual(step.tool, name)
                and _proves_missing(draft, material, number, name)
            ):
                yield number, name


def _proves_missing(draft: Draft, material: Material, step: int, parameter: str) -> bool:
    try:
        proof = prove_withheld(draft.task, material.tools, step, parameter)
    except Unprovable:  # a step that nobody asks about, say: such a plan is never chosen
        return False
    return proof.possibility is not Possibility.POSSIBLE


def _other(draft: Draft, step: int, parameter: str, material: Material, seed: int) -> JsonValue:
    """Another value with which the call succeeds, too; of a tool that reads, with another result."""
    plan = draft.task.plan[step]
    capability = material.tools[plan.tool].capability
    writes = capability is not None and bool(capability.changes)
    for value in _others(draft, step, parameter, material, seed):
        seen = material.open({}, seed).call(Call(plan.tool, {**plan.call_arguments, parameter: value}))
        if seen.problem is None and (writes or seen.value != draft.results[step]):
            return value
    return None


def _others(draft: Draft, step: int, parameter: str, material: Material, seed: int) -> Iterator[JsonValue]:
    """Other values of an argument: as other draws of the jobs have it, then of the table that it is from."""
    own = draft.task.plan[step].arguments[parameter].value
    for turn in range(_OTHER_TURNS):
        with suppress(Unusable):
            other = drafted(draft.sketch.model_copy(update={"turn": turn}), material, seed)
            value = other.task.plan[step].arguments[parameter].value
            if value != own:
                yield value
    rng = generator(seed, "other", draft.sketch.key, parameter)
    for keys in material.keys.values():
        if own in keys:
            yield from rng.sample([key for key in keys if key != own], len(keys) - 1)


def with_versions(brief: Brief, gap: Gap, again: Gap | None = None) -> Brief:
    """The brief, wanting a complete text, and an incomplete one for each gap."""
    values = {value.key: value for part in brief.parts for value in part.said}
    versions = versions_of(gap, values)
    if again is not None:
        versions += (Version(name=AGAIN, leaves_out=(again.key,), how="left out"),)
    whole = brief.model_copy(update={"versions": versions})
    return whole.model_copy(update={"id": digest(whole)})


def versions_of(gap: Gap, said: Mapping[str, StatedValue]) -> tuple[Version, ...]:
    """The texts that a brief with a gap wants.

    Args:
        gap: What is missing.
        said: The brief's values by key.
    """
    if gap.how == "left out":
        return Version(), Version(name=INCOMPLETE, leaves_out=(gap.key,), how=gap.how)
    value, other = said[gap.key].value, gap.other
    same = "the user: speaks of the same matter in other words, and does not say it"
    both = f"the user: names both {value!r} and {other!r}, and does not say which of them it is to be"
    return (
        Version(
            name=COMPLETE,
            how=gap.how,
            before=(f"the user: says {gap.key} ({value!r}) while talking of the matter",),
            earlier=(gap.key,),
        ),
        Version(
            name=INCOMPLETE,
            leaves_out=(gap.key,),
            how=gap.how,
            before=(both if gap.how == "two candidates" else same,),
            other=other if gap.how == "two candidates" else None,
        ),
    )
