"""From what an agent said and did to a record (spec kapro.md, sections 8 and 12).

Under `definition` a failure of the agent scores 0 by name, whatever T is: an empty reply on an internal
task is not restraint. Under `published` it counts as the empty set, as in the published runner, where an
empty trace is a perfect score on an internal task (spec, section 13.2). Failures of the instrument leave
the item unscored under both.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from knowact.core.names import shown_names
from knowact.core.record import Ending, Record, Status, Verdict
from knowact.core.suite import Item
from knowact.measures.sets import jaccard, overuse, underuse
from knowact.people.judge import Votes, verdict_of
from knowact.probes.outcome import Outcome
from knowact.reading.claims import judge_by_facts
from knowact.reading.tool_decisions import read_tool_decisions
from knowact.suites.kapro.probes import ACT, KNOW

NOT_RUN = Outcome("", Ending.NOT_RUN)
_NOT_APPLICABLE = Verdict(Status.NOT_APPLICABLE)


@dataclass(frozen=True, slots=True)
class Branch:
    """One of the two branches: a set of tools, or the ending that left none.

    Attributes:
        tools: E_know or E_act; None where the agent left nothing that can be read.
    """

    name: str
    ending: Ending
    tools: frozenset[str] | None
    flags: Mapping[str, int]

    def verdicts(self, required: frozenset[str]) -> dict[str, Verdict]:
        """Accuracy and its parts: 1 - acc = over + under + lost."""
        names = [f"{part}_{self.name}" for part in ("acc", "over", "under", "lost")]
        if self.ending is Ending.NOT_RUN:
            return dict.fromkeys(names, _NOT_APPLICABLE)
        if self.ending.instrument:
            return {}
        if self.tools is None:
            values = (0.0, 0.0, 0.0, 1.0)
        else:
            values = (
                jaccard(self.tools, required),
                overuse(self.tools, required),
                underuse(self.tools, required),
                0.0,
            )
        return dict(zip(names, map(Verdict.of, values), strict=True))

    def right(self, required: frozenset[str]) -> bool | None:
        """Whether it is exactly T; None where it was not measured."""
        if self.ending is Ending.NOT_RUN or self.ending.instrument:
            return None
        return self.tools is not None and self.tools == required


def knowing(item: Item, outcome: Outcome, rules: str) -> Branch:
    """Read which tools the agent says it needs; a reply that was cut off must decide on each of them."""
    if not outcome.readable:
        return _failed("know", outcome.ending, frozenset(), rules, {})
    shown = shown_names(tool.name for tool in item.tools)
    names = {name: tool for tool, name in shown.items()}
    reading = read_tool_decisions(outcome.reply, tuple(names))
    flags = {f"read_{note}": 1 for note in reading.notes}
    flags |= {"omitted": len(reading.omitted), "unknown_named": len(reading.unknown)}
    if outcome.cut and (reading.needed is None or reading.omitted):
        return _failed("know", Ending.LIMIT, frozenset(), rules, flags)
    if reading.needed is None:
        return _failed("know", reading.ending, frozenset(), rules, flags)
    return Branch("know", reading.ending, frozenset(names.get(n, n) for n in reading.needed), flags)


def acting(outcome: Outcome, rules: str) -> Branch:
    """Take stock of the calls."""
    problems = Counter(call.problem for call in outcome.calls if call.problem)
    flags = {name: problems[code] for code, name in _COUNTED.items() if problems[code]}
    if outcome.ending is not Ending.ANSWERED:
        return _failed("act", outcome.ending, outcome.used, rules, flags)
    return Branch("act", outcome.ending, outcome.used, flags)


_COUNTED = {
    "unknown_tool": "invented_tool",
    "bad_arguments": "bad_arguments",
    "no_recording": "no_recording",
}


def _failed(name: str, ending: Ending, left: frozenset[str], rules: str, flags: Mapping[str, int]) -> Branch:
    """A branch whose probe came to no answer; `left` is what the published runner would have counted."""
    spoilt = ending.instrument or ending is Ending.NOT_RUN
    return Branch(name, ending, left if rules == "published" and not spoilt else None, flags)


def record_of(
    item: Item, epoch: int, outcomes: Mapping[str, Outcome], graded: Votes | None, rules: str
) -> Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        outcomes: By probe; one that is missing was not run.
        graded: The judge's votes on the answer; None where nobody was asked.
        rules: "definition" or "published".
    """
    know = knowing(item, outcomes.get(KNOW, NOT_RUN), rules)
    act_outcome = outcomes.get(ACT, NOT_RUN)
    act = acting(act_outcome, rules)
    required = item.task.required
    solo = not item.tools
    passed = passing(item, act_outcome, graded)
    if solo:
        verdicts = {"pass_alone": passed["pass"]} if passed else {}
    else:
        verdicts = know.verdicts(required) | act.verdicts(required) | passed
        if know.tools is not None and act.tools is not None:
            verdicts["agreement"] = Verdict.of(jaccard(know.tools, act.tools))
    flags = {**know.flags, **act.flags} | ({"replay_gap": 1} if item.task.replay_gap else {})
    return Record(
        item=item.task.id,
        condition=item.condition.name,
        epoch=epoch,
        cluster=item.task.cluster,
        labels=item.labels,
        offered=tuple(tool.name for tool in item.tools),
        required=required,
        endings={KNOW: know.ending, ACT: act.ending},
        needed=know.tools,
        used=act.tools if act.tools is not None else (act_outcome.used or None),
        calls=len(act_outcome.calls),
        knew=None if solo else know.right(required),
        acted=None if solo else act.right(required),
        verdicts=verdicts,
        flags={name: count for name, count in flags.items() if count},
    )


def passing(item: Item, outcome: Outcome, graded: Votes | None) -> dict[str, Verdict]:
    """Whether the final answer is right: by reference facts, by a grader, and the one that counts.

    Facts go before the grader, because they are the same for every run; both are stored. A task whose
    recordings have gaps cannot be passed fairly and is not judged.
    """
    if outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(("pass", "pass_facts", "pass_grader"), _NOT_APPLICABLE)
    if outcome.ending.instrument:
        return {}
    if item.task.replay_gap and item.tools:
        gap = Verdict(Status.NOT_JUDGED, why=f"no recording of {', '.join(item.task.replay_gap)}")
        return {"pass": gap, "pass_facts": gap, "pass_grader": gap}
    grader = _by_grader(outcome, graded)
    if not item.task.facts:
        none = Verdict(Status.NOT_JUDGED, why="there are no reference facts")
        return {"pass": grader, "pass_facts": none, "pass_grader": grader}
    if outcome.ending is Ending.ANSWERED:
        judged = judge_by_facts(item.task.facts, outcome.reply)
        facts = Verdict.of(judged.passed, by="facts", why=judged.why)
    else:
        facts = Verdict.of(0, by="facts", why=f"the trial ended {outcome.ending.value}")
    return {"pass": facts, "pass_facts": facts, "pass_grader": grader}


def _by_grader(outcome: Outcome, graded: Votes | None) -> Verdict:
    if graded is None:
        return Verdict(Status.NOT_JUDGED, why="no grader was bound")
    if outcome.ending is not Ending.ANSWERED:
        return Verdict.of(0, by="grader", why=f"the trial ended {outcome.ending.value}")
    return verdict_of(graded)
