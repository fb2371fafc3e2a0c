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
from knowact.people.extractor import NOT_EXTRACTED
from knowact.people.judge import NOT_VOTED, Votes, verdict_of
from knowact.probes.outcome import Judged, Outcome
from knowact.reading.tool_decisions import read_tool_decisions
from knowact.suites.kapro.probes import ACT, KNOW

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


def record_of(item: Item, epoch: int, judged: Judged, rules: str) -> Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        judged: What came of it.
        rules: "definition" or "published".
    """
    know = knowing(item, judged.outcome(KNOW), rules)
    act_outcome = judged.outcome(ACT)
    act = acting(act_outcome, rules)
    required = item.task.required
    solo = not item.tools
    passed = passing(item, judged, rules)
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


def passing(item: Item, judged: Judged, rules: str) -> dict[str, Verdict]:
    """Whether the final answer is right: by its form, by the judge, and the one that counts.

    By the definition the form counts wherever there are reference facts, because its comparison is the same
    for every run; the published rules have a judge read the free text. A task whose recordings have gaps
    cannot be passed fairly and is not judged.
    """
    outcome = judged.outcome(ACT)
    names = ("pass", "pass_form", "pass_judge")
    if outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(names, _NOT_APPLICABLE)
    if outcome.ending.instrument:
        return {}
    if item.task.replay_gap and item.tools:
        gap = Verdict(Status.NOT_JUDGED, why=f"no recording of {', '.join(item.task.replay_gap)}")
        return dict.fromkeys(names, gap)
    by_form, by_judge = _by_form(item, judged), _by_judge(outcome, judged.votes.get(ACT))
    counts = by_form if item.task.facts and rules != "published" else by_judge
    return dict(zip(names, (counts, by_form, by_judge), strict=True))


def _by_form(item: Item, judged: Judged) -> Verdict:
    if not item.task.facts:
        return Verdict(Status.NOT_JUDGED, why="there are no reference facts")
    extracted = judged.extracted.get(ACT)
    if extracted is None:
        return NOT_EXTRACTED
    if ended := _ended(judged.outcome(ACT)):
        return Verdict.of(0, by="form", why=ended)
    return extracted.verdict(extracted.results.passed, extracted.results.why)


def _by_judge(outcome: Outcome, votes: Votes | None) -> Verdict:
    """A rate over failures alone would be no rate: without a judge they are not judged either."""
    if votes is None:
        return NOT_VOTED
    ended = _ended(outcome)
    return Verdict.of(0, by="judge", why=ended) if ended else verdict_of(votes)


def _ended(outcome: Outcome) -> str:
    """Why there is no answer; empty where there is one."""
    return "" if outcome.ending is Ending.ANSWERED else f"the trial ended {outcome.ending.value}"
