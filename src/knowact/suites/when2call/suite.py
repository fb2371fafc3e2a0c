"""When2Call: does it know when to call a tool, when to ask, when to decline, and when simply to answer?

Paper: Ross et al., "When2Call: When (not) to Call Tools", NAACL 2025, arXiv 2504.18851.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, Literal, cast, get_args

from pydantic import BeforeValidator

from knowact.core.condition import CLEAN
from knowact.core.declared import Declared
from knowact.core.errors import BadData
from knowact.core.option import Option
from knowact.core.prompts import load_prompt
from knowact.core.record import Answer, Record
from knowact.core.suite import Item, Plan
from knowact.core.task import Query
from knowact.core.tool import Tool
from knowact.core.traits import Evidence, Trait
from knowact.datasets import single_items as single
from knowact.datasets.hub import Release
from knowact.datasets.lines import Line, parse
from knowact.datasets.loose import members, unpacked
from knowact.measures.classes import class_summary, class_tables, restraint, supposing_class
from knowact.measures.going_ahead import pairs_headline, pairs_table
from knowact.measures.run_tables import usual_tables
from knowact.probes.classes import CALL, class_record, done, done_ballots, names_of, pick_probe, picked
from knowact.probes.declared_suite import DeclaredSuite
from knowact.probes.probe import one_reply
from knowact.probes.response import Judged
from knowact.probes.spec import TaskSpec

Behaviour = Literal["direct", "tool_call", "request_for_info", "cannot_answer"]
ALL: Final[tuple[Behaviour, ...]] = get_args(Behaviour)
ASK, NO = "request_for_info", "cannot_answer"
LACKS: Final = {ASK: ("information",), NO: ("tools",)}
SETS: Final = ("mcq", "llm_judge")
TESTS: Final = tuple(f"test/when2call_test_{one}.jsonl" for one in SETS)
RELEASE: Final = Release("nvidia/When2Call", "main", TESTS, "when2call")
FILES: Final = rf"when2call_test_(?P<kind>{'|'.join(SETS)})\.jsonl"
CHOICE, FREE = PROBES = ("choice", "free")
CHOOSE, ASSISTANT, BEHAVIOUR = PROMPTS = tuple(
    load_prompt("knowact.suites.when2call", name) for name in ("choose", "assistant", "behaviour")
)
DATA: Final = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Asked(Item):
    """An item with the four replies that it can be chosen from."""

    replies: Mapping[str, str] = field(default_factory=dict[str, str])


class StoredChoice(single.StoredItem):
    """A row of ours: an item, and a reply for each behaviour."""

    replies: Mapping[Behaviour, str]

    def fields(self, tools: Mapping[str, Tool]) -> dict[str, Any]:
        """As for all rows, with the replies."""
        return {**single.StoredItem.fields(self, tools), "replies": self.replies}


class _Row(single.PublishedRow):
    uuid: str
    question: str
    correct_answer: Behaviour
    answers: Annotated[Mapping[str, str], BeforeValidator(unpacked)]
    tools: tuple[single.Function, ...] = ()
    target_tool: Any = None
    held_out_param: Any = None


def _published(line: Line, _kind: str) -> Asked:
    """Read one published row."""
    row = parse(_Row, line)
    if lost := [name for name in ALL if name not in row.answers]:
        raise BadData(f"the answer {lost[0]!r} is missing", line.place("answers"), "give all four")
    right, tools = row.correct_answer, single.published_tools(row.tools, line, "tools")
    target = members(row.target_tool).get("name", row.target_tool)
    called = [tool.name for tool in tools if tool.name == target] or [tool.name for tool in tools[:1]]
    if right == CALL and not called:
        raise BadData("a call is right, but there is no tool", line.place("tools"), "list the tool")
    opening, called = Query(text=row.question), called if right == CALL else []
    missing = [f"value:{row.held_out_param}"] if right == ASK else []
    return Asked(
        task=single.published_task(row.uuid, opening, tools, called, line),
        condition=CLEAN,
        tools=tools,
        labels={"right": right, "pair": row.uuid},
        lacks=LACKS.get(right, ()),
        missing=frozenset(missing),
        replies=row.answers,
    )


SOURCE: Final = single.Source(RELEASE, FILES, DATA, StoredChoice, Asked, _published, "right")


def plan(options: Mapping[str, Any]) -> Plan:
    """The items of a run, with the votes that free replies take."""
    found = SOURCE.plan(options, 1 + (options["probe"] == "both"), str(options["file"]))
    votes = len(found.items) * int(options["votes"])
    return replace(found, role_calls={} if options["probe"] == CHOICE else {"judge": (0, votes)})


PICKS: Final = {"always-no": NO, "always-ask": ASK, "shy": "direct", "always-idk": ""}


def pick(agent: str, item: Item) -> str:
    """What a built-in agent picks; those that are not named here call whatever they can."""
    return item.labels["right"] if agent in {"oracle", "knows-but-overacts"} else PICKS.get(agent, CALL)


def _declared(said: Declared) -> str:
    """What a built-in agent's words do; to say which value is missing is to ask for it."""
    lacking = said.about("could_not")
    if said.about("asked") or any(part.startswith("value:") for part in lacking):
        return ASK
    return NO if lacking else "direct"


def record(item: Item, epoch: int, judged: Judged) -> Record:
    """Score a trial: the reply that was picked, and what the free one did."""
    told = {CHOICE: picked(CHOICE, item.id, ALL, judged), FREE: done(FREE, judged)}
    return class_record(item, epoch, judged, told, right=item.labels["right"], classes=ALL)


def spec(planned: Plan, options: Mapping[str, Any]) -> TaskSpec:
    """What the engine has to know of a run."""
    votes, how = int(options["votes"]), {"probabilities": bool(options["probabilities"])}
    choice = pick_probe(CHOICE, CHOOSE, lambda one: cast("Asked", one).replies, pick, **how)
    asked = [one for one in (choice, one_reply(FREE, ASSISTANT)) if options["probe"] in ("both", one.name)]
    return TaskSpec(
        plan=planned,
        probes=lambda _: asked,
        record=record,
        ballots=lambda item, seen: done_ballots(FREE, BEHAVIOUR, item, seen, ALL, _declared, votes=votes),
        prompts=PROMPTS,
    )


def answers(records: Sequence[Record]) -> Sequence[Answer]:
    """Calls against restraint, in free replies."""
    return restraint(records, FREE, "right", CALL, tuple(LACKS))


SUITE = DeclaredSuite(
    name="when2call",
    title="When2Call: call, ask, decline or answer",
    question="Does it know when to call a tool, when to ask, when to decline, and when simply to answer?",
    paper="arXiv 2504.18851",
    spec="knowact.suites.when2call.suite:spec",
    options=(
        single.data_option(RELEASE),
        Option("probe", "Pick one of four replies, reply freely, or both.", "both", ("both", *PROBES)),
        Option("file", "Which file of the release.", SETS[0], SETS),
        Option("right", "Only items for which this is right.", "all", ("all", *ALL)),
        Option("probabilities", "Pick by the letters' probabilities, where given.", default=True),
        Option("votes", "The judge's votes per free reply.", 3, least=1),
    ),
    roles=("judge",),
    datasets=SOURCE.datasets,
    plan=plan,
    measures=(*names_of(CHOICE, ALL), *names_of(FREE, ALL)),
    tables=(
        *class_tables(PROBES, "right", ALL, CALL),
        lambda runs: pairs_table(runs, answers),
        *usual_tables({}, "right", PROBES, "")[1:],
    ),
    summary_lines=lambda run: class_summary(run.records, {CHOICE: "picked", FREE: "did"}, "right", ALL),
    headline=pairs_headline(answers, FREE, supposing_class(FREE, "right", ALL)),
    compared=PROBES,
    compared_by="right",
    traits={Trait.ASKS: Evidence.on(FREE, right=ASK), Trait.ADMITS: Evidence.on(FREE, right=NO)},
    answers=answers,
)
