"""BFCL relevance: does it call a tool where one fits, and leave it where none does?

Paper: Patil et al., "The Berkeley Function Calling Leaderboard (BFCL)", ICML 2025; of its categories
irrelevance, live irrelevance and live relevance. Run it: `knowact run bfcl --model knowact/oracle`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, cast

from knowact.core.condition import CLEAN
from knowact.core.errors import BadData
from knowact.core.option import Option
from knowact.core.prompts import load_prompt
from knowact.core.record import Answer, Outcome, Record, Result
from knowact.core.suite import Item, Plan
from knowact.core.table import Run, Table
from knowact.core.task import Dialogue, Query, Utterance
from knowact.datasets import single_items as single
from knowact.datasets.hub import Release
from knowact.datasets.lines import Line, parse
from knowact.measures.confusion import Score, estimate
from knowact.measures.going_ahead import (
    CALLED,
    HELD_BACK,
    answers_of,
    pairs_headline,
    pairs_table,
    supposing_call,
)
from knowact.measures.run_tables import shares_by, usual_tables
from knowact.probes.declared_suite import DeclaredSuite
from knowact.probes.probe import one_reply
from knowact.probes.response import Judged, MadeCall, Response
from knowact.probes.spec import TaskSpec

IRRELEVANCE, RELEVANCE = "irrelevance", "relevance"
CATEGORIES: Final = (IRRELEVANCE, "live_irrelevance", "live_relevance", RELEVANCE)
"""The published ones, and `relevance` for our own data; a call is right but in the irrelevance ones."""

RELEASE: Final = Release(
    "gorilla-llm/Berkeley-Function-Calling-Leaderboard",
    "main",
    tuple(f"BFCL_v3_{category}.json" for category in CATEGORIES[:3]),
    "bfcl",
)
FILES: Final = rf"BFCL_v\d+_(?P<kind>{'|'.join(CATEGORIES)})\.jsonl?"
DATA: Final = Path(__file__).parent / "data"
REPLY: Final = "reply"
PROMPT: Final = load_prompt("knowact.suites.bfcl", "assistant")


@dataclass(frozen=True, slots=True)
class Asked(Item):
    """An item, with the system message that published rows bring along."""

    system: str = ""

    @property
    def fits(self) -> bool:
        """Whether a tool on offer serves the request, so that a call is right."""
        return self.labels["gold"] == "complete"


class _Message(single.PublishedRow):
    role: Literal["system", "user", "assistant"]
    content: str


class _Row(single.PublishedRow):
    id: str
    question: tuple[tuple[_Message, ...], ...]
    function: tuple[single.Function, ...]


def _published(line: Line, category: str) -> Asked:
    """Read one published row. Which tool is relevant is not said; the first stands for it (oracle)."""
    row = parse(_Row, line)
    said = [message for turn in row.question for message in turn]
    if not said or said[-1].role != "user" or not said[-1].content.strip():
        raise BadData(
            "the last message must be the user's", line.place("question"), "end with what the user says"
        )
    spoken = [
        Utterance(role=one.role, text=one.content) for one in said if one.role != "system" and one.content
    ]
    opening = Query(text=spoken[0].text) if len(spoken) == 1 else Dialogue(utterances=tuple(spoken))
    tools, fits = single.published_tools(row.function, line, "function"), IRRELEVANCE not in category
    if fits and not tools:
        raise BadData("a relevant function is missing", line.place("function"), "list at least one")
    called = [tools[0].name] if fits else []
    labels = {"category": category, "gold": "complete" if fits else "incomplete", "pair": row.id}
    return Asked(
        task=single.published_task(row.id, opening, tools, called, line),
        condition=CLEAN,
        tools=tools,
        labels=labels,
        lacks=() if fits else ("tools",),
        system="\n\n".join(one.content for one in said if one.role == "system"),
    )


SOURCE: Final = single.Source(RELEASE, FILES, DATA, single.StoredItem, Asked, _published, "category")


def decoded(response: Response) -> Sequence[MadeCall]:
    """The calls that the leaderboard finds: it decodes a reply as a whole, and validates no argument."""
    return [] if any(call.arguments is None for call in response.calls) else response.calls


def record(item: Item, epoch: int, judged: Judged, *, published: bool) -> Record:
    """Score one reply.

    By the published rules a reply with arguments that are no JSON makes no call, an invented tool is as good
    as one on offer, and whatever makes no call is restraint, be it empty or cut off.
    """
    assert isinstance(item, Asked)
    response = judged.response(REPLY)
    calls = decoded(response) if published else response.calls
    good = calls if published else [call for call in calls if call.offered]
    held_back = not calls and (published or response.outcome is Outcome.ANSWERED)
    right = bool(good) if item.fits else held_back
    results = {"right": Result.of(right), CALLED: Result.of(bool(calls)), HELD_BACK: Result.of(held_back)}
    lost = response.outcome.instrument
    flags = {
        "invented_tool": sum(not call.offered for call in response.calls),
        "bad_arguments": sum(call.arguments is None for call in response.calls),
    }
    made = item.record(epoch, {REPLY: response.outcome}, {} if lost else results)
    return replace(
        made,
        used=response.used,
        calls=len(response.calls),
        acted=None if lost else right,
        flags={name: count for name, count in flags.items() if count},
    )


def spec(planned: Plan, options: Mapping[str, Any]) -> TaskSpec:
    """What the engine has to know of a run: one reply, tools registered, nothing carried out."""
    published = options["rules"] == "published"
    probe = one_reply(REPLY, PROMPT, lambda item: cast("Asked", item).system)
    return TaskSpec(
        plan=planned,
        probes=lambda _: (probe,),
        record=lambda item, epoch, judged: record(item, epoch, judged, published=published),
        prompts=(PROMPT,),
    )


def answers(records: Sequence[Record]) -> Sequence[Answer]:
    """Calls against restraint; a call that serves nobody, of an invented tool, is neither."""
    return [
        replace(said, said="unreadable") if said.said and said.right and not one.value("right") else said
        for said, one in zip(answers_of(records), records, strict=True)
    ]


def _pairs(runs: Sequence[Run]) -> Table:
    return pairs_table(runs, answers)


NOTE: Final = "Right: at least one call where a tool fits (relevance), none where none does (irrelevance)."
MEASURED: Final = {"right": "accuracy", CALLED: "called"}
TABLES: Final = (_pairs, *usual_tables(MEASURED, "category", (REPLY,), NOTE))


def summary_lines(run: Run) -> Sequence[str]:
    """The result of a run in words."""
    both = estimate(Score.PAIR_ACCURACY, answers(run.records)).value
    pairs = [] if both is None else [f"Right in both versions of {both:.0%} of the requests."]
    return [*pairs, f"Right by category: {shares_by(run.records, 'right', 'category')}."]


SUITE = DeclaredSuite(
    name="bfcl",
    title="BFCL: relevance and irrelevance",
    question="Does it call a tool where one fits, and leave it where none does?",
    paper="PMLR 267, Patil et al. 2025",
    spec="knowact.suites.bfcl.suite:spec",
    options=(
        Option("data", f"A shipped data set, files of the release, or {RELEASE.hub}.", "everyday@2-A"),
        Option("category", "Only items of one category.", "all", ("all", *CATEGORIES)),
    ),
    roles=(),
    datasets=SOURCE.datasets,
    plan=SOURCE.plan,
    measures=("right", CALLED, HELD_BACK),
    tables=TABLES,
    summary_lines=summary_lines,
    headline=pairs_headline(answers, "right", supposing_call("right")),
    compared=("right",),
    compared_by="category",
    answers=answers,
)
"""What shared code knows of this suite."""
