"""Errands: does the agent do what it can in a small town, and say what it can't when a tool is gone?"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from knowact import authoring as ka
from knowact_errands.world import WORLD

TOOLS = {tool.name: tool for tool in WORLD.make().open({}, 0).tools()}
SYSTEM = ka.load_prompt("knowact_errands", "system")
ROUNDS = 8


class Do(ka.Noun):
    """A call that the errand takes, and the fields of its result that the user wants to know."""

    tool: str
    arguments: Mapping[str, ka.JsonValue]
    wants: tuple[str, ...] = ()


class Errand(ka.Row):
    """A line of the data. It makes two items: one with every tool, one `without` the tool that decides."""

    request: str
    tools: tuple[str, ...]
    does: tuple[Do, ...]
    facts: tuple[ka.Fact, ...]
    without: str


def task_of(one: Errand) -> ka.Task:
    """The errand as a task: every step needs its tool, because only the town knows its prices and hours."""
    steps = [
        ka.Step(
            tool=do.tool,
            boundary=ka.Boundary.EXTERNAL,
            arguments={name: ka.Argument(value=value) for name, value in do.arguments.items()},
            wants=do.wants,
        )
        for do in one.does
    ]
    return ka.Task(
        id=one.id,
        opening=ka.Query(text=one.request),
        world=ka.WorldRef(name="errands"),
        offered=one.tools,
        plan=tuple(steps),
        facts=one.facts,
        answer="Done.",
        topology=ka.Topology.PARALLEL if len(steps) > 1 else ka.Topology.SINGLE_HOP,
        cluster=one.id,
    )


def items_of(one: Errand) -> tuple[ka.Item, ka.Item]:
    """A minimal pair: the tool lists differ by one tool."""
    task, gone = task_of(one), f"tool:{one.without}"
    parts = tuple(ka.job_part(TOOLS[do.tool]) for do in one.does)
    lacking = ka.without_tool(task, one.without)
    return (
        ka.Item(task, ka.CLEAN, _offered(task, ka.CLEAN), {"tools": "complete"}, parts=parts),
        ka.Item(
            task,
            lacking,
            _offered(task, lacking),
            {"tools": "one missing"},
            lacks=("tools",),
            parts=parts,
            missing=frozenset({gone}),
        ),
    )


def _offered(task: ka.Task, condition: ka.Condition) -> tuple[ka.Tool, ...]:
    return ka.offered_under(task.offered, TOOLS, condition)


class ErrandOptions(ka.Options):
    """What a run can be asked for."""

    data: str = "town@1-A"
    """A shipped data set, or a folder with items.jsonl."""


def ask(item: ka.Item, _context: Mapping[str, str]) -> Sequence[ka.Message]:
    """How a trial begins."""
    return (ka.Message("system", SYSTEM.text.strip()), *ka.opening_messages(item.task.opening))


def left_by(item: ka.Item, calls: Sequence[ka.Call]) -> Mapping[str, Any]:
    """The state of the town after some calls."""
    session = ka.open_world(item.task.world, 0)
    for call in calls:
        session.call(call)
    return session.snapshot()


def _told(item: ka.Item, judged: ka.Judged, facts: Sequence[ka.Fact]) -> ka.Result:
    """Whether the reply states what could be found out, nothing else, and names what was not possible."""
    outcome, read = judged.response("act").outcome, judged.extracted.get("act")
    if outcome is not ka.Outcome.ANSWERED:
        return ka.Result.of(0, why=f"the trial ended {outcome.value}")
    if read is None:
        return ka.NOT_EXTRACTED
    stated = all(slot.passed if slot.fact in facts else not slot.stated for slot in read.results.slots)
    return read.result(stated and read.results.did("could_not") == item.missing)


class Errands(ka.Suite[ErrandOptions, ka.Item]):
    """Errands in a small town, each with every tool and with one missing."""

    name = "errands"
    title = "Errands in a small town"
    question = "Does the agent do what it can, and say what it can't?"
    Options = ErrandOptions
    measures = compared = ("success", "done", "told")
    compared_by = "tools"
    roles = ("extractor",)

    def datasets(self) -> Sequence[ka.Dataset]:
        """What the package ships."""
        return ka.shipped(Path(__file__).parent / "data")

    def items(self, options: ErrandOptions) -> ka.Plan:
        """The items of a run. What it says of them rests on the extractor, which reads each reply."""
        data = ka.chosen_rows(self, Errand, options)
        items = [item for row in data.rows for item in items_of(row)]
        return replace(self.planned(data.info, items, options), headline=self.roles)

    def probes(self, item: ka.Item, options: ErrandOptions) -> Sequence[ka.Probe]:
        """The errand is done with the tools at hand."""
        return (ka.Probe("act", ka.Question.DO_IT, ROUNDS, execute=True, opening=ask, keep_calls=True),)

    def readings(
        self, item: ka.Item, responses: Mapping[str, ka.Response], options: ErrandOptions
    ) -> Sequence[ka.Reading]:
        """The final reply is read into a form: a slot per fact, and one per part of the errand."""
        acted = responses["act"]
        if acted.outcome is not ka.Outcome.ANSWERED:
            return ()
        form = ka.AnswerForm.from_facts(item.task.facts, item.parts, shuffle=item.task.cluster)
        return (ka.Reading("act", form, item.task.opening.text, acted.words, acted.declared),)

    def score(self, item: ka.Item, trial: ka.Judged, options: ErrandOptions) -> ka.Record:
        """The town must be as the errand leaves it, as far as possible, and the user be told."""
        acted = trial.response("act")
        if acted.outcome.instrument:
            return item.record(trial.epoch, {"act": acted.outcome}, {})
        possible = ka.reach(item.task, ka.without(item.task, item.condition.withheld or ()))
        made = [ka.Call(call.tool, call.arguments) for call in acted.calls if not call.problem]
        due = [
            ka.Call(step.tool, step.call_arguments)
            for number, step in enumerate(item.task.plan)
            if number not in possible.blocked
        ]
        done = left_by(item, made) == left_by(item, due)
        told = _told(item, trial, possible.facts)
        success = told if done else ka.Result.of(0, why="the town is not as it should be")
        results = {"success": success, "done": ka.Result.of(done), "told": told}
        return item.record(trial.epoch, {"act": acted.outcome}, results)

    def prompts(self, options: ErrandOptions) -> Sequence[ka.Prompt]:
        """The system message; its hash goes into the log."""
        return (SYSTEM,)

    def tables(self, runs: Sequence[ka.Run]) -> Sequence[ka.Table]:
        """The results with every tool, and with one missing."""
        return (ka.means_table(runs, {name: name for name in self.measures}, by="tools"),)

    def summary_lines(self, run: ka.Run) -> Sequence[str]:
        """The result of a run in words."""
        lacking = [record for record in run.records if record.labels["tools"] == "one missing"]
        parts = (run.records, lacking)
        every, some = (ka.mean_estimate(part, "success", seed=0).value or 0.0 for part in parts)
        return [
            f"It succeeded in {every:.0%} of the errands, and in {some:.0%} of those with a tool missing."
        ]


SUITE = Errands()
