"""A suite: a choice of data sets, conditions, probes and measures, with its tables and figures.

Shared code gets to know a suite by this object alone. It is pure: importing it never loads the engine.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any, Final

from knowact.core.condition import Condition
from knowact.core.errors import BadUsage
from knowact.core.option import Option, is_whole
from knowact.core.parts import Part
from knowact.core.record import Answer, Outcome, Record, Result
from knowact.core.schema import losses
from knowact.core.table import DatasetInfo, Figure, Headline, Run, Table, Term
from knowact.core.task import Task
from knowact.core.tool import Tool
from knowact.core.traits import Evidence, Trait, with_traits

ROLES: Final = ("extractor", "judge", "user", "helper")
"""The roles of a run."""


@dataclass(frozen=True, slots=True)
class Item:
    """A task under a condition, ready to be asked.

    Attributes:
        tools: Offered in this order.
        labels: What tables group by. No value is "all": that is what tables call all items.
        lacks: What is missing for doing it ("information", "tools"): where anything is, an agent that knows
            its limits does not say that it can go on. Suites that do not ask that leave it empty.
    """

    task: Task
    condition: Condition
    tools: tuple[Tool, ...]
    labels: Mapping[str, str]
    lacks: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    missing: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if "all" in self.labels.values():
            raise ValueError(
                f"a label of {self.id!r} has the value 'all', which is what tables call all items"
            )

    @property
    def id(self) -> str:
        """Unique in a run: the task's id, and the condition where it is not the clean one."""
        return self.task.id if self.condition.name == "clean" else f"{self.task.id}@{self.condition.name}"

    @property
    def required(self) -> frozenset[str]:
        """The tools that a trial's use is held against; a suite may leave out what nobody can use here."""
        return self.task.required

    def record(self, epoch: int, outcomes: Mapping[str, Outcome], results: Mapping[str, Result]) -> Record:
        """The record of one trial; `dataclasses.replace` adds what else a suite has to say.

        Args:
            epoch: Counted from 1.
            outcomes: How each probe ended, by its name.
            results: By measure.
        """
        return Record(
            item=self.task.id,
            condition=self.condition.name,
            epoch=epoch,
            cluster=self.task.cluster,
            labels=self.labels,
            offered=tuple(tool.name for tool in self.tools),
            required=self.required,
            outcomes=outcomes,
            results=results,
            content=self.task.content,
        )


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run would do, known before anything is called.

    Attributes:
        calls: Fewest and most model calls for one pass over the items.
        notes: What the user should know (replay gaps), a sentence each; `remarks` adds lossy schemas.
        world_seed: Opens the worlds that the tasks live in; it belongs to the data, not to the run.
        at_terminal: Whether somebody at the terminal is asked while the run goes on, so that nothing else may
            draw on it.
        obstacle: Why these items cannot be run as they are, though they can be looked at; "" where they can.
        roles: Roles without which the options make no sense, each with the option that needs it.
        role_calls: Fewest and most calls of models in each role for one pass over the items.
        headline: The roles without which the headline is not judged; empty where calls and requested formats
            decide it.
        built_in_only: Why only the built-in agents can take part (somebody is played by a script), in a
            sentence that says what to do; "" where every agent can.
    """

    dataset: DatasetInfo
    items: tuple[Item, ...]
    calls: tuple[int, int]
    notes: tuple[str, ...] = ()
    world_seed: int = 0
    at_terminal: bool = False
    obstacle: str = ""
    roles: Mapping[str, str] = field(default_factory=dict[str, str])
    role_calls: Mapping[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])
    headline: tuple[str, ...] = ()
    built_in_only: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The notes, and what agents are not shown of each tool's schema, a sentence each."""
        return (*self.notes, *losses(tool for item in self.items for tool in item.tools))


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set that a suite ships."""

    name: str
    version: str
    size: int
    licence: str
    path: Path


COMMON_DEFAULTS: Mapping[str, bool | int | str] = {"seed": 0, "trials": 1, "rules": "definition", "limit": 0}
"""Options of every suite: the seed of all random choices, epochs (unless a suite says otherwise), rule set,
first N base tasks (0: all)."""


@dataclass(frozen=True, slots=True)
class Scene:
    """One run of the demo: a built-in agent (without prefix) and what differs from the defaults."""

    agent: str
    options: Mapping[str, bool | int | str] = field(default_factory=dict[str, bool | int | str])


@dataclass(frozen=True, slots=True)
class Section:
    """Lines about an item under a title; spaces before a line say how deep it stands."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AuditQuestion:
    """One question that people are asked about a task, with what the data say it should be answered.

    Attributes:
        id: Stable; answers are stored under it.
        text: What the annotator reads.
        choices: Answer to what it means, in the order shown; people type its number or how it begins.
        label: What the data say; "" where they say nothing, so that answers are counted alone.
        guide: How to decide, in a few sentences; shown on request.
    """

    id: str
    text: str
    choices: Mapping[str, str]
    label: Callable[[Task], str]
    guide: str = ""


@dataclass(frozen=True, slots=True)
class Facet:
    """One thing about a task that people vouch for; right where all of its questions agree with the data.

    Attributes:
        sees_plan: Whether the plan is shown. It gives labels away, so such facets come after all others.
    """

    id: str
    title: str
    questions: tuple[AuditQuestion, ...]
    sees_plan: bool = False


@dataclass(frozen=True, slots=True)
class Audit:
    """What people are asked about the data of a suite, and about how many tasks.

    Attributes:
        facets: In the order asked; those that show the plan last.
        sample: How many tasks, unless the command says otherwise.
        strata: The labels of items that the sample is spread over, in proportion.
        about: What an annotator has to know first, in a few sentences.
        thing: What it asks about: tasks, or something else that a suite's data rest on.
        sections: What is shown of an item before its plan; None for what an agent is shown of it.
        verdicts: Which verdicts of a judge people check, and how many, unless the command says otherwise.
    """

    facets: tuple[Facet, ...]
    sample: int
    strata: tuple[str, ...]
    about: str
    thing: str = "task"
    sections: Callable[[Item], Sequence[Section]] | None = None
    verdicts: Mapping[str, int] = field(default_factory=dict[str, int])

    def __post_init__(self) -> None:
        seen = [facet.sees_plan for facet in self.facets]
        if seen != sorted(seen):
            raise ValueError("a facet that shows the plan comes before one that must not see it")
        ids = [question.id for question in self.questions]
        if not ids or len(set(ids)) < len(ids):
            raise ValueError("an audit needs questions, each with an id of its own")
        for question in self.questions:
            if len(question.choices) < 2:  # noqa: PLR2004 - one answer is no question
                raise ValueError(f"the question {question.id!r} leaves no choice")

    @property
    def questions(self) -> tuple[AuditQuestion, ...]:
        """All questions, in the order asked."""
        return tuple(question for facet in self.facets for question in facet.questions)

    @property
    def blind(self) -> frozenset[str]:
        """The ids of the questions that are asked before the plan is shown."""
        return frozenset(q.id for facet in self.facets if not facet.sees_plan for q in facet.questions)


def load_audit(
    package: str,
    labels: Mapping[str, Callable[[Task], str]],
    sections: Callable[[Item], Sequence[Section]] | None = None,
) -> Audit:
    """Read an audit from `audit.toml` in a package.

    Args:
        package: The suite's, or where else the file is.
        labels: What the data say of a task, by the name that a question's `label` gives; a label that is not
            among them is the answer itself, the same for every task.
        sections: See `Audit`.
    """
    found = tomllib.loads((resources.files(package) / "audit.toml").read_text(encoding="utf-8"))

    def question(one: dict[str, Any]) -> AuditQuestion:
        label = str(one.pop("label"))
        return AuditQuestion(label=labels.get(label, lambda _: label), **one)

    def facet(one: dict[str, Any]) -> Facet:
        return Facet(questions=tuple(map(question, one.pop("questions"))), **one)

    facets = tuple(map(facet, found["facets"]))
    strata, thing = tuple(found["strata"]), found.get("thing", "task")
    return Audit(facets, found["sample"], strata, found["about"], thing, sections, found.get("verdicts", {}))


def load_terms(package: str) -> Mapping[str, Term]:
    """Read `terms.toml` of a package: by word its meaning, or a table of `meaning` and `better`."""
    found = tomllib.loads((resources.files(package) / "terms.toml").read_text(encoding="utf-8"))
    return {word: Term(one) if isinstance(one, str) else Term(**one) for word, one in found.items()}


@dataclass(frozen=True, slots=True)
class Baseline:
    """What people are asked as agents are, so that their answers stand beside the models'.

    Attributes:
        text: The one question, as the annotator reads it.
        choices: Answer to what it means, in the order shown.
        record: From an item and an answer to the record that an agent would have which says the same.
        table: People beside models: made of all runs of the suite.
        sample: How many items, unless the command says otherwise.
        by: The label that makes the classes; as many items of each are drawn.
        strata: Labels that each class is spread over evenly.
        about: What an annotator has to know first, in a few sentences.
        guide: How to decide, in a few sentences; shown on request.
    """

    text: str
    choices: Mapping[str, str]
    record: Callable[[Item, str], Record]
    table: Callable[[Sequence[Run]], Table]
    sample: int
    by: str
    strata: tuple[str, ...]
    about: str
    guide: str = ""


@dataclass(frozen=True, slots=True)
class Clause:
    """Something that a proof claims, and what was found that speaks against it: nothing where it holds."""

    claim: str
    against: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Suite:
    """Everything that shared code needs to know of a suite.

    Attributes:
        name: As in Python and in the engine ("fail_talms").
        question: What it asks, in one line.
        spec: "package.module:function" that makes a `TaskSpec` of a plan and its options, imported only when
            the suite runs.
        forge: "package.module:NAME" of the recipe that its data are made by; empty where there is none.
        options: Its own options.
        trials: How often each item is tried, unless a run says otherwise.
        datasets: What it ships.
        plan: Options (common ones included: `data`, `seed`, `rules`) to the items of a run.
        measures: Names of the results in its records, the headline first.
        tables: Each makes one table of all runs of this suite.
        figures: Each makes one figure of all runs of this suite.
        summary_lines: The result of one run in words, the most important sentence first.
        compared: Which results `knowact compare` puts side by side; a pair stands for the KAS of both.
        compared_by: The label by which it does so group by group, beside all trials.
        counts: Results that count something (turns, tokens): 0 or more; the others are shares of 0 to 1.
        related: Adds the results that take several trials (minimal pairs) to the records of one run; None
            where there are none.
        roles: The roles that models can have something to do in, under some options.
        version: Of its task in the engine: N comparability, X interface.
        paper: Where it was published; empty for one of your own.
        about: What a reader has to know to read its numbers, in a few sentences.
        demo: What `knowact demo` runs of it.
        statistics: Each makes one table of a data set's items, beside those that every suite has.
        pictures: Each makes one figure of a data set's items, likewise.
        audit: What people are asked about its data; None where nobody is asked.
        sections: What there is to say of an item, in place of its plan and its reference facts; None leaves
            it at those.
        clauses: Proves one item on the spot, a clause each; None leaves it to the general prover.
        baseline: What people are asked in an agent's place; None where nobody is asked.
        converses: Whether its trials are conversations, so that only agents that converse can take part.
        labelled: "package.module:function" of the labelled sets that measure prompts of its own; empty where
            it has none.
        dropped: Options of earlier versions, each with the sentence that names its successor.
        answers: Whether each trial went ahead, beside whether it could, so that sets can be compared; items
            to which neither applies are left out. None where trials cannot be put so.
        asked_by_rules: What the rule set changes about what is asked, in a sentence; empty for nothing.
        traits: Where its records show asking and admitting; a trait that they cannot show is left out.
        headline: The number that places its runs beside each other; None for the mean of its first measure.
        terms: What the words in the heads of its tables mean, besides those that all suites share.
    """

    name: str
    title: str
    question: str
    spec: str
    options: tuple[Option, ...]
    datasets: Callable[[], Sequence[Dataset]]
    plan: Callable[[Mapping[str, Any]], Plan]
    measures: tuple[str, ...]
    tables: tuple[Callable[[Sequence[Run]], Table], ...]
    summary_lines: Callable[[Run], Sequence[str]]
    compared: tuple[str | tuple[str, str], ...]
    roles: tuple[str, ...] = ROLES
    trials: int = 1
    version: str = "1-A"
    forge: str = ""
    paper: str = ""
    figures: tuple[Callable[[Sequence[Run]], Figure], ...] = ()
    about: str = ""
    demo: tuple[Scene, ...] = ()
    statistics: tuple[Callable[[Sequence[Item]], Table], ...] = ()
    pictures: tuple[Callable[[Sequence[Item]], Figure], ...] = ()
    audit: Audit | None = None
    sections: Callable[[Item], Sequence[Section]] | None = None
    clauses: Callable[[Item], Sequence[Clause]] | None = None
    baseline: Baseline | None = None
    converses: bool = False
    dropped: Mapping[str, str] = field(default_factory=dict[str, str])
    labelled: str = ""
    asked_by_rules: str = ""
    compared_by: str = "boundary"
    counts: frozenset[str] = frozenset()
    related: Callable[[Sequence[Record]], Sequence[Record]] | None = None
    answers: Callable[[Sequence[Record]], Sequence[Answer]] | None = None
    traits: Mapping[Trait, Evidence] = field(default_factory=dict[Trait, Evidence])
    headline: Headline | None = None
    terms: Mapping[str, Term] = field(default_factory=dict[str, Term])

    def defaults(self) -> dict[str, bool | int | str]:
        """Every option at its default."""
        own = {option.name: option.default for option in self.options}
        return own | dict(COMMON_DEFAULTS) | {"trials": self.trials}

    def with_related(self, run: Run) -> Run:
        """A run with the results that take several trials."""
        return run if self.related is None else replace(run, records=self.related(run.records))

    def with_traits(self, run: Run) -> Run:
        """A run with all results: those that take several trials, and what each trial shows of each trait."""
        rules = str(run.options.get("rules", COMMON_DEFAULTS["rules"]))
        return replace(run, records=with_traits(self.with_related(run).records, self.traits, rules))


LIMIT: Final = "limit_tasks"
"""The task argument that stands for the option `limit`: the engine has a limit of its own."""

RULES: Final = ("definition", "published")

ASKED_UNDER: Final = "asked_under"
"""Option of a run that was scored again under other rules than those by which it was asked: these."""


def options_of(suite: Suite, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a suite's options, common ones included, from the arguments of its task.

    Raises:
        BadUsage: An argument that the option does not take, named with what it does take.
    """
    common = (
        Option(LIMIT, "", COMMON_DEFAULTS["limit"]),
        Option("trials", "", COMMON_DEFAULTS["trials"], least=1),
        Option("rules", "", COMMON_DEFAULTS["rules"], RULES),
    )
    for option in (*common, *suite.options):
        if option.name in arguments:
            option.check(arguments[option.name])
    seed = arguments.get("seed", 0)
    if not is_whole(seed):
        raise BadUsage(f"The option seed takes a whole number, not {seed!r}.")
    options = dict(arguments)
    # `-T solo=true`: the engine reads a flag without a value so.
    for option in suite.options:
        if option.bare and isinstance(options.get(option.name), bool):
            options[option.name] = option.bare * options[option.name]
    options["limit"] = options.pop(LIMIT, 0)
    return options
