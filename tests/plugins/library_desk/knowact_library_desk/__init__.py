"""A library desk: a conversation with a member, two rules, and now and then a tool that is not there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from knowact import authoring as ka
from knowact_library_desk.world import WORLD

TOOLS = {tool.name: tool for tool in WORLD.make().open({}, 0).tools()}
WRITES = frozenset({"lend", "renew", "reserve", "change_address"})
LOOKED_UP = frozenset({"lend", "reserve"})
"""What rule 1 speaks of."""

DESK, POLICY = (ka.load_prompt("knowact_library_desk", name) for name in ("desk", "policy"))
FEES = "say_what_it_costs"
AT_THE_DESK = ka.Setting(
    "stands at the desk of a library", "libraries", "You stand at the desk of a library."
)


class Do(ka.Noun):
    """A call that the visit takes, and what somebody would guess who does not ask."""

    tool: str
    arguments: Mapping[str, ka.JsonValue]
    guess: Mapping[str, ka.JsonValue] = {}

    @property
    def call(self) -> ka.Call:
        return ka.Call(self.tool, self.arguments)


class Visit(ka.Row):
    """A line of the data: what the member says, one wish after the other, and what has to be done.

    Attributes:
        scenario: What a model or a person is told who plays the member.
        missing: The tool that is not there; empty where all are.
        open: What has to be asked before anything is done; empty where nothing has.
        answer: What the member then says.
    """

    says: tuple[str, ...]
    scenario: str
    does: tuple[Do, ...]
    missing: str = ""
    open: str = ""
    answer: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitItem(ka.Item):
    """An item with the visit that it was made of."""

    visit: Visit


def item_of(one: Visit) -> VisitItem:
    """The visit as an item. A tool that is missing is hidden, without a trace that it ever was there."""
    task = ka.Task(
        id=one.id,
        opening=ka.Query(text=one.says[0]),
        world=ka.WorldRef(name="library_desk"),
        offered=tuple(TOOLS),
        plan=tuple(
            ka.Step(
                tool=do.tool,
                boundary=ka.Boundary.EXTERNAL,
                arguments={name: ka.Argument(value=value) for name, value in do.arguments.items()},
            )
            for do in one.does
        ),
        topology=ka.Topology.PARALLEL if len(one.does) > 1 else ka.Topology.SINGLE_HOP,
        cluster=one.id,
        provenance={"says": list(one.says), "scenario": one.scenario},
    )
    condition = ka.without_tool(task, one.missing) if one.missing else ka.CLEAN
    kind = "a tool is missing" if one.missing else "something is open" if one.open else "complete"
    tools = ka.offered_under(task.offered, TOOLS, condition)
    return VisitItem(task, condition, tools, {"visit": kind}, visit=one)


class DeskOptions(ka.Options):
    """What a run can be asked for."""

    data: str = "visits@1-A"
    """A shipped data set, or a folder with items.jsonl."""
    user: Annotated[ka.Player, ka.ForOthers("model")] = "scripted"
    """Who plays the member: the script (for built-in agents), a model, or you."""
    steps: Annotated[int, ka.Least(1)] = 20
    """Most messages of the agent in one conversation."""
    votes: Annotated[int, ka.Least(1)] = 3
    """Votes of the judge on each message and on rule 2; odd."""


def gold_of(one: Visit) -> ka.GoldPlan:
    """What the built-in agents can do and say."""
    actions = [
        ka.GoldAction(
            do.call,
            writes=do.tool in WRITES,
            consent=do.tool == "reserve",
            lost=do.tool == one.missing,
            guess=ka.Call(do.tool, do.guess) if do.guess else None,
        )
        for do in one.does
    ]
    missing = ka.job_part(TOOLS[one.missing]) if one.missing else None
    return ka.GoldPlan(tuple(actions), _open(one), bool(one.open), missing)


def _open(one: Visit) -> ka.Part | None:
    return ka.Part("open", one.open) if one.open else None


def script_of(one: Visit) -> ka.ScriptedUser:
    """The member, for built-in agents: agrees to what the visit takes, and to nothing else."""
    return ka.ScriptedUser(
        ka.Script(opening=one.says[0], later=one.says[1:]),
        wanted=frozenset(ka.proposal(do.call) for do in one.does),
        answers={"open": one.answer},
    )


def rules_of(one: Visit) -> ka.TerminationRules:
    """Nothing ends a visit but the member; in each message, a judge looks for what it says of these parts."""
    parts = {do.tool: ka.job_part(TOOLS[do.tool]) for do in one.does}
    return ka.TerminationRules(parts=tuple(parts.values()), shuffle=one.id)


def ballots_of(trial: ka.Trial, votes: int) -> Sequence[ka.Ballot]:
    """Rule 2 is put to the vote where something was reserved."""
    if all(call.tool != "reserve" for call in trial.calls):
        return ()
    prompt = POLICY.fill({"conversation": ka.account(trial.events, user="Member")})
    return (ka.Ballot(FEES, (prompt,), ("followed", "broken"), votes),)


def record_of(item: VisitItem, epoch: int, trials: Sequence[ka.Trial]) -> ka.Record:
    """Score a visit: the library is as it should be, both rules were kept, the member was told the truth."""
    outcome = trials[-1].outcome if trials else ka.Outcome.INSTRUMENT_ERROR
    if outcome.instrument:
        return item.record(epoch, {"conversation": outcome}, {})
    trial = trials[-1]
    done = outcome is ka.Outcome.ANSWERED and trial.final == expected(item)
    looked = looked_first(trial)
    fees = next((two.followed for two in trial.judged if two.policy == FEES), ())
    told = _told(trial, item.visit)
    kept = looked and (not fees or 2 * sum(fees) > len(fees))
    success = told if done and kept else ka.Result.of(0, why="a rule was broken" if done else "not done")
    results = {
        "success": success,
        "done": ka.Result.of(done),
        "looked first": ka.Result.of(looked),
        "told": told,
    }
    return item.record(epoch, {"conversation": outcome}, results)


def expected(item: VisitItem) -> Mapping[str, Any]:
    """The library after everything that can be done."""
    session = ka.open_world(item.task.world, 0)
    for do in item.visit.does:
        if do.tool != item.visit.missing:
            session.call(do.call)
    return session.snapshot()


def looked_first(trial: ka.Trial) -> bool:
    """Rule 1: whatever was lent or reserved had been looked up before."""
    seen: set[object] = set()
    for call in trial.calls:
        if call.tool in LOOKED_UP and call.ok and call.argument("title") not in seen:
            return False
        if call.tool == "find_book":
            seen.add(call.argument("title"))
    return True


def _told(trial: ka.Trial, one: Visit) -> ka.Result:
    """Whether the agent said that it can't do what it can't do, and nothing of the kind otherwise."""
    if not trial.parsed and trial.words("assistant"):
        return ka.NOT_VOTED
    denied, claimed = (
        frozenset(part for parsed in trial.parsed for part in parsed.did(act))
        for act in ("acknowledged", "claimed")
    )
    lost = frozenset({f"tool:{one.missing}"} if one.missing else ())
    return ka.Result.of(denied == lost and not claimed & lost, by="judge")


class LibraryDesk(ka.Suite[DeskOptions, VisitItem]):
    """At the desk of a library: whole conversations, with rules, and now and then without a tool."""

    name = "library_desk"
    title = "At the desk of a library"
    question = "Does the agent keep the rules, ask what it must, and say what it can't do?"
    Options = DeskOptions
    measures = compared = ("success", "done", "looked first", "told")
    compared_by = "visit"
    converses = True

    def datasets(self) -> Sequence[ka.Dataset]:
        """What the package ships."""
        return ka.shipped(Path(__file__).parent / "data")

    def items(self, options: DeskOptions) -> ka.Plan[VisitItem]:
        """The items of a run, and what models in roles will be asked."""
        data, steps, votes = ka.chosen_rows(self, Visit, options), options.steps, options.votes
        items = tuple(map(item_of, data.rows))
        many, by_model = len(items), options.user == "model"
        judged = {"judge": (many * votes, many * votes * (2 * steps + 1))}
        return ka.Plan(
            data.info,
            items,
            calls=(2 * many, steps * many),
            at_terminal=options.user == "person",
            roles={"user": ka.USER_OPTION} if by_model else {},
            role_calls=judged | ({"user": (many, (steps + 1) * many)} if by_model else {}),
            headline=("judge", "user") if by_model else ("judge",),
            built_in_only=ka.SCRIPT_REFUSES if options.user == "scripted" else "",
        )

    def probes(self, item: VisitItem, options: DeskOptions) -> Sequence[ka.Probe]:
        """The one probe is a conversation with the member."""
        visit = item.visit
        talk = ka.Talk(
            user=ka.UserPart(options.user, script_of(visit), visit.scenario, AT_THE_DESK),
            rules=rules_of(visit),
            gold=gold_of(visit),
            ballots=partial(ballots_of, votes=options.votes),
            votes=options.votes,
        )
        return (ka.conversation(brief, options.steps, talk),)

    def score(self, item: VisitItem, trial: ka.Judged, options: DeskOptions) -> ka.Record:
        """Score a visit by its last attempt."""
        return record_of(item, trial.epoch, trial.attempts)

    def prompts(self, options: DeskOptions) -> Sequence[ka.Prompt]:
        """What the agent, the judge and the member are told."""
        return (DESK, POLICY, ka.user_prompt())

    def tables(self, runs: Sequence[ka.Run]) -> Sequence[ka.Table]:
        """The results by kind of visit."""
        return (ka.means_table(runs, {name: name for name in self.measures}, by="visit"),)

    def summary_lines(self, run: ka.Run) -> Sequence[str]:
        """The result of a run in words."""
        return [
            f"{ka.mean_estimate(run.records, 'success', seed=0).value or 0.0:.0%} of the visits went well."
        ]


def brief(_item: ka.Item, shown: Mapping[str, str]) -> Sequence[ka.Message]:
    """What the agent is told before a visit."""
    return (ka.Message("system", DESK.fill({"today": shown["today"]})),)


SUITE = LibraryDesk()
