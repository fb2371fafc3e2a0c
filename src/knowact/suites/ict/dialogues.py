"""Dialogues in the making: what was called before, and what the last message asks for.

API-Bank's dialogues, from which the paper's come, have about six messages with one or two calls
(ICT). Here the first jobs of a draft are done before its last one is asked for; in half of the dialogues the
user also says something in between.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from knowact.core.seeds import generator
from knowact.core.task import Argument, Dialogue, PastCall, Task, Topology, Utterance
from knowact.forge.briefs import Brief, Version, Written, brief_of, digest
from knowact.forge.drafts import Draft
from knowact.forge.withholding import Gap, gap_of, versions_of
from knowact.worlds.material import Material

_REMOVALS: Final = 0.76
"""So many of the dialogues that can lack something do, which makes 304 of 727 (ICT)."""
_REMARKS: Final = 0.5


@dataclass(frozen=True, slots=True)
class Turn:
    """A message before the last one.

    Attributes:
        role: Who speaks.
        job: The step that is asked for, or reported; None for a remark, and what is said to it.
    """

    role: Literal["user", "assistant"]
    job: int | None


def last_step(draft: Draft) -> int:
    """The step that the last message asks for."""
    return len(draft.task.plan) - 1


def lost_of(draft: Draft, material: Material, seed: int) -> Gap | None:
    """What the incomplete version of a dialogue does not say; None where its tools are to be replaced."""
    if generator(seed, "manipulation", draft.sketch.key).random() >= _REMOVALS:
        return None
    last = last_step(draft)
    return gap_of(draft, material, seed, range(last, last + 1))


def turns(draft: Draft, gap: Gap | None, seed: int) -> tuple[Turn, ...]:
    """The messages before the last one: jobs that are done, and for some dialogues a remark.

    What is put vaguely in the end is said in the remark.
    """
    rng = generator(seed, "turns", draft.sketch.key)
    exchanges = [(Turn("user", job), Turn("assistant", job)) for job in range(last_step(draft))]
    masked = gap is not None and gap.how != "left out"
    if masked or (len(exchanges) == 1 and rng.random() < _REMARKS):
        exchanges.insert(rng.randint(0, len(exchanges)), (Turn("user", None), Turn("assistant", None)))
    return tuple(turn for exchange in exchanges for turn in exchange)


def dialogue_brief(draft: Draft, material: Material, seed: int) -> Brief:
    """The brief of a dialogue, in one version or two."""
    plain, last = brief_of(draft, material, seed), last_step(draft)
    parts = tuple(
        part.model_copy(update={"asked": number == last})
        if number == last
        else part.model_copy(
            update={"asked": True, "gave": json.dumps(draft.results[number], ensure_ascii=False)}
        )
        for number, part in enumerate(plain.parts)
    )
    gap = lost_of(draft, material, seed)
    said = {one.key: one for part in parts for one in part.said}
    wanted = (Version(),) if gap is None else versions_of(gap, said)
    script = turns(draft, gap, seed)
    versions = tuple(one.model_copy(update={"before": _notes(script, one)}) for one in wanted)
    whole = plain.model_copy(
        update={"id": "", "parts": parts, "versions": versions, "length": "short messages"}
    )
    return whole.model_copy(update={"id": digest(whole)})


def _notes(script: Sequence[Turn], version: Version) -> tuple[str, ...]:
    """What each message before the last one is."""
    (remark,) = version.before or ("the user: a remark on the matter, no request",)
    found: list[str] = []
    for turn in script:
        if turn.role == "user":
            found.append(remark if turn.job is None else f"the user: asks for part {turn.job + 1}")
        else:
            what = "a few words back" if turn.job is None else f"says what came of part {turn.job + 1}"
            found.append(f"the assistant: {what}")
    return tuple(found)


def dialogue_of(draft: Draft, written: Written, script: Sequence[Turn]) -> Dialogue:
    """Put calls and their results between the messages."""
    said: list[Utterance] = []
    for turn, text in zip(script, written.before, strict=True):
        if turn.role == "assistant" and turn.job is not None:
            said.append(Utterance(role="assistant", calls=(past_call(draft, turn.job),)))
        said.append(Utterance(role=turn.role, text=text))
    return Dialogue(utterances=(*said, Utterance(role="user", text=written.text)))


def past_call(draft: Draft, number: int) -> PastCall:
    """The call of a job that is done."""
    step = draft.task.plan[number]
    return PastCall(tool=step.tool, arguments=step.call_arguments, result=draft.results[number])


def last_task(draft: Draft, brief: Brief, complete: Written, script: Sequence[Turn]) -> Task:
    """The task of the last message alone; what earlier calls found stands in the dialogue."""
    task, number = draft.task, last_step(draft)
    step = task.plan[number]
    arguments = {
        name: Argument(value=one.value) if one.origin == "step" else one
        for name, one in step.arguments.items()
    }
    facts = tuple(
        fact.model_copy(update={"sources": tuple(f"0.{one.partition('.')[2]}" for one in fact.sources)})
        for fact in task.facts
        if any(one.startswith(f"{number}.") for one in fact.sources)
    )
    prefix = f"{number + 1}."
    said = {
        f"0.{key.removeprefix(prefix)}": words
        for key, words in complete.words.items()
        if key.startswith(prefix)
    }
    return task.model_copy(
        update={
            "opening": dialogue_of(draft, complete, script),
            "plan": (step.model_copy(update={"arguments": arguments}),),
            "facts": facts,
            "topology": Topology.SINGLE_HOP,
            "provenance": {**task.provenance, "brief": brief.id, "said": said},
        }
    )
