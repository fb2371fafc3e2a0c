"""From what an agent said and did to a record.

Under `definition` a failure of the agent scores 0 by name, whatever T is: an empty reply on an internal
task is not restraint. Under `published` it counts as the empty set, as in the published runner, where an
empty trace is a perfect score on an internal task. Failures of the instrument leave
the item unscored under both.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from knowact import authoring as ka
from knowact.core.names import shown_names
from knowact.measures.kas import jaccard, overuse, underuse
from knowact.reading.tool_decisions import read_tool_decisions
from knowact.suites.kapro.probes import ACT, KNOW

PASSING = {"definition": ACT, "published": "act_published"}
"""The ballot about the final answer, by rule set: they put different questions to the judge."""


@dataclass(frozen=True, slots=True)
class Branch:
    """One of the two branches: a set of tools, or the ending that left none.

    Attributes:
        tools: E_know or E_act; None where the agent left nothing that can be read.
    """

    name: str
    outcome: ka.Outcome
    tools: frozenset[str] | None
    flags: Mapping[str, int]

    def results(self, required: frozenset[str]) -> dict[str, ka.Result]:
        """Accuracy and its parts: 1 - acc = over + under + lost."""
        names = [f"{part}_{self.name}" for part in ("acc", "over", "under", "lost")]
        if self.outcome is ka.Outcome.NOT_RUN:
            return dict.fromkeys(names, ka.NOT_APPLICABLE)
        if self.outcome.instrument:
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
        return dict(zip(names, map(ka.Result.of, values), strict=True))

    def right(self, required: frozenset[str]) -> bool | None:
        """Whether it is exactly T; None where it was not measured."""
        if self.outcome is ka.Outcome.NOT_RUN or self.outcome.instrument:
            return None
        return self.tools is not None and self.tools == required


def knowing(item: ka.Item, response: ka.Response, rules: str) -> Branch:
    """Read which tools the agent says it needs; a reply that was cut off must decide on each of them."""
    if not response.readable:
        return _failed("know", response.outcome, frozenset(), rules, {})
    shown = shown_names(tool.name for tool in item.tools)
    names = {name: tool for tool, name in shown.items()}
    reading = read_tool_decisions(response.reply, tuple(names))
    flags = {f"read_{note}": 1 for note in reading.notes}
    flags |= {"omitted": len(reading.omitted), "unknown_named": len(reading.unknown)}
    if response.cut and (reading.needed is None or reading.omitted):
        return _failed("know", ka.Outcome.LIMIT, frozenset(), rules, flags)
    if reading.needed is None:
        return _failed("know", reading.outcome, frozenset(), rules, flags)
    return Branch("know", reading.outcome, frozenset(names.get(n, n) for n in reading.needed), flags)


def acting(response: ka.Response, rules: str) -> Branch:
    """Take stock of the calls."""
    flags = {name: n for name, n in response.failed_calls.items() if n}
    if response.outcome is not ka.Outcome.ANSWERED:
        return _failed("act", response.outcome, response.used, rules, flags)
    return Branch("act", response.outcome, response.used, flags)


def _failed(
    name: str, outcome: ka.Outcome, left: frozenset[str], rules: str, flags: Mapping[str, int]
) -> Branch:
    """A branch whose probe came to no answer; `left` is what the published runner would have counted."""
    spoilt = outcome.instrument or outcome is ka.Outcome.NOT_RUN
    return Branch(name, outcome, left if rules == "published" and not spoilt else None, flags)


def record_of(item: ka.Item, epoch: int, judged: ka.Judged, rules: str) -> ka.Record:
    """Make the record of one trial.

    Args:
        item: What was asked.
        epoch: Counted from 1.
        judged: What came of it.
        rules: "definition" or "published".
    """
    know = knowing(item, judged.response(KNOW), rules)
    acted_response = judged.response(ACT)
    act = acting(acted_response, rules)
    required = item.task.required
    solo = not item.tools
    passed = passing(item, judged, rules)
    if solo:
        results = {"pass_alone": passed["pass"]} if passed else {}
    else:
        results = know.results(required) | act.results(required) | passed
        if know.tools is not None and act.tools is not None:
            results["agreement"] = ka.Result.of(jaccard(know.tools, act.tools))
    flags = {**know.flags, **act.flags} | ({"replay_gap": 1} if item.task.replay_gap else {})
    return replace(
        item.record(epoch, {KNOW: know.outcome, ACT: act.outcome}, results),
        needed=know.tools,
        used=act.tools if act.tools is not None else (acted_response.used or None),
        calls=len(acted_response.calls),
        knew=None if solo else know.right(required),
        acted=None if solo else act.right(required),
        flags={name: count for name, count in flags.items() if count},
        decided=() if solo else (*_said_wrong(know, required), *_did_wrong(act, acted_response, required)),
    )


def _said_wrong(know: Branch, required: frozenset[str]) -> Iterator[ka.Decided]:
    """The reply in which the agent names other tools than the required ones."""
    if know.tools is not None and know.tools != required:
        too_many, too_few = ", ".join(sorted(know.tools - required)), ", ".join(sorted(required - know.tools))
        extra = f"named, but not required: {too_many}" if too_many else ""
        missing = f"required, but not named: {too_few}" if too_few else ""
        yield ka.Decided(KNOW, "; ".join(filter(None, (extra, missing))))


def _did_wrong(act: Branch, response: ka.Response, required: frozenset[str]) -> Iterator[ka.Decided]:
    """The first call to a tool that is not required; else the reply that ended it without a required one."""
    if act.tools is None or act.tools == required:
        return
    tools = [call.tool for call in response.calls]
    place = next((place for place, tool in enumerate(tools) if tool not in required), None)
    if place is not None:
        yield ka.Decided(ACT, f"{tools[place]} is not required", call=place)
    else:
        yield ka.Decided(ACT, f"it ended without a call of {', '.join(sorted(required - act.tools))}")


def passing(item: ka.Item, judged: ka.Judged, rules: str) -> dict[str, ka.Result]:
    """Whether the final answer is right: by its form, by the judge, and the one that counts.

    By the definition the form counts wherever there are reference facts, because its comparison is the same
    for every run; the published rules have a judge read the calls and the free text. A task whose recordings
    have gaps cannot be passed fairly and is not judged.
    """
    response = judged.response(ACT)
    names = ("pass", "pass_form", "pass_judge")
    if response.outcome is ka.Outcome.NOT_RUN:
        return dict.fromkeys(names, ka.NOT_APPLICABLE)
    if response.outcome.instrument:
        return {}
    if item.task.replay_gap and item.tools:
        gap = ka.Result(ka.Status.NOT_JUDGED, why=f"no recording of {', '.join(item.task.replay_gap)}")
        return dict.fromkeys(names, gap)
    by_form, by_judge = _by_form(item, judged), _by_judge(response, judged.votes.get(PASSING[rules]))
    counts = by_form if item.task.facts and rules != "published" else by_judge
    return dict(zip(names, (counts, by_form, by_judge), strict=True))


def _by_form(item: ka.Item, judged: ka.Judged) -> ka.Result:
    if not item.task.facts:
        return ka.Result(ka.Status.NOT_JUDGED, why="there are no reference facts")
    extracted = judged.extracted.get(ACT)
    if extracted is None:
        return ka.NOT_EXTRACTED
    if ended := _ended(judged.response(ACT)):
        return ka.Result.of(0, why=ended)
    return extracted.result(extracted.results.passed, extracted.results.why)


def _by_judge(response: ka.Response, votes: ka.Votes | None) -> ka.Result:
    """A rate over failures alone would be no rate: without a judge they are not judged either."""
    if votes is None:
        return ka.NOT_VOTED
    ended = _ended(response)
    return ka.Result.of(0, why=ended) if ended else ka.result_of(votes)


def _ended(response: ka.Response) -> str:
    """Why there is no answer; empty where there is one."""
    return "" if response.outcome is ka.Outcome.ANSWERED else f"the trial ended {response.outcome.value}"
