"""A suite: a choice of data sets, conditions, probes and measures, with its tables and figures.

Shared code gets to know a suite by this object alone. It is pure: importing it never loads the engine.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Generic

from typing_extensions import TypeVar

from knowact.core.condition import Condition
from knowact.core.errors import BadUsage
from knowact.core.option import (
    LIMIT,
    RULES,
    Option,
    common_defaults,
    common_options,
    is_whole,
    own_options,
)
from knowact.core.option import Options as AnyOptions
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


ItemT = TypeVar("ItemT", bound=Item, default=Any)
ItemT_co = TypeVar("ItemT_co", bound=Item, default=Item, covariant=True)


@dataclass(frozen=True, slots=True)
class Plan(Generic[ItemT_co]):
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
    items: tuple[ItemT_co, ...]
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


@dataclass(frozen=True, slots=True)
class Viewed:
    """A number that the engine's own viewer and data frames show of a run, over all trials and by groups.

    Attributes:
        measure: The result whose mean it is; a pair stands for the KAS of both, group by group.
        by: The label that makes the groups.
        with_toolless: Whether items without tools count; they are a group of their own otherwise.
    """

    measure: str | tuple[str, str]
    by: str
    with_toolless: bool = False


class AnySuite(Generic[ItemT]):
    """What commands, measures and pages know of a suite, whatever its options and its items.

    How it asks and scores is in `knowact.probes.suite.Suite`, which every suite derives from.

    Attributes:
        name: As in Python and in the engine ("fail_talms").
        title: As the head of a page has it ("KAPRO: from knowing to acting").
        question: What it asks, in one line.
        paper: Where it was published; empty for one of your own.
        about: What a reader has to know to read its numbers, in a few sentences.
        version: Of its task in the engine: N comparability, X interface.
        Options: The class of its options.
        measures: Names of the results in its records, the headline first.
        compared: Which results `knowact compare` puts side by side; a pair stands for the KAS of both.
        compared_by: The label by which it does so group by group, beside all trials.
        counts: Results that count something (turns, tokens): 0 or more; the others are shares of 0 to 1.
        headline: The number that places its runs beside each other; None for the mean of its first measure.
        viewed: What the engine's viewer shows beside the headline; empty for the mean of the first measure.
        terms: What the words in the heads of its tables mean, besides those that all suites share.
        traits: Where its records show asking and admitting; a trait that they cannot show is left out.
        roles: The roles that models can have something to do in, under some options.
        converses: Whether its trials are conversations, so that only agents that converse can take part.
        demo: What `knowact demo` runs of it.
        audit: What people are asked about its data; None where nobody is asked.
        baseline: What people are asked in an agent's place; None where nobody is asked.
        dropped: Options of earlier versions, each with the sentence that names its successor.
        asked_by_rules: What the rule set changes about what is asked, in a sentence; empty for nothing.
    """

    name: str
    title: str
    question: str
    paper: str = ""
    about: str = ""
    version: str = "1-A"
    Options: type[AnyOptions] = AnyOptions
    measures: tuple[str, ...]
    compared: tuple[str | tuple[str, str], ...]
    compared_by: str = "boundary"
    counts: frozenset[str] = frozenset()
    headline: Headline | None = None
    viewed: tuple[Viewed, ...] = ()
    terms: Mapping[str, Term] = MappingProxyType({})
    traits: Mapping[Trait, Evidence] = MappingProxyType({})
    roles: tuple[str, ...] = ROLES
    converses: bool = False
    demo: tuple[Scene, ...] = ()
    audit: Audit | None = None
    baseline: Baseline | None = None
    dropped: Mapping[str, str] = MappingProxyType({})
    asked_by_rules: str = ""

    def datasets(self) -> Sequence[Dataset]:
        """What it ships."""
        return ()

    def plan(self, options: Mapping[str, Any]) -> Plan[ItemT]:
        """The items of a run, from its options by name.

        Raises:
            BadUsage: The options do not go together, or leave no item.
            BadData: The data are not as they should be.
        """
        raise NotImplementedError

    def tables(self, runs: Sequence[Run]) -> Sequence[Table]:
        """The tables of all its runs, the headline's first."""
        raise NotImplementedError

    def figures(self, runs: Sequence[Run]) -> Sequence[Figure]:
        """The figures of all its runs."""
        return ()

    def summary_lines(self, run: Run) -> Sequence[str]:
        """The result of one run in words, the most important sentence first."""
        raise NotImplementedError

    def related(self, records: Sequence[Record]) -> Sequence[Record]:
        """The records of one run, with the results that take several trials (minimal pairs)."""
        return records

    def answers(self, records: Sequence[Record]) -> Sequence[Answer]:
        """Whether each trial went ahead, beside whether it could, so that sets can be compared.

        Items to which neither applies are left out; nothing where trials cannot be put so.
        """
        return ()

    def statistics(self, items: Sequence[ItemT]) -> Sequence[Table]:
        """Tables of a data set's items, beside those that every suite has."""
        return ()

    def pictures(self, items: Sequence[ItemT]) -> Sequence[Figure]:
        """Figures of a data set's items, likewise."""
        return ()

    def sections(self, item: ItemT) -> Sequence[Section]:
        """What there is to say of an item in place of its plan and its facts; nothing leaves it at those."""
        return ()

    def clauses(self, item: ItemT) -> Sequence[Clause] | None:
        """A proof of one item on the spot, a clause each; None leaves it to the general prover."""
        return None

    def recipe(self) -> object | None:
        """The recipe (`forge.recipe.Recipe`) that its data are made by; None where there is none."""
        return None

    @property
    def options(self) -> tuple[Option, ...]:
        """Its own options, as the command line and the engine take them."""
        return own_options(self.Options)

    @property
    def trials(self) -> int:
        """How often each item is tried, unless a run says otherwise."""
        return int(self.Options.model_fields["trials"].default)

    def defaults(self) -> dict[str, bool | int | str]:
        """Every option at its default."""
        own = {option.name: option.default for option in self.options}
        return own | common_defaults(self.Options) | {"trials": self.trials}

    def with_related(self, run: Run) -> Run:
        """A run with the results that take several trials."""
        return replace(run, records=self.related(run.records))

    def with_traits(self, run: Run) -> Run:
        """A run with all results: those that take several trials, and what each trial shows of each trait."""
        rules = str(run.options.get("rules", RULES[0]))
        return replace(run, records=with_traits(self.with_related(run).records, self.traits, rules))


Suite = AnySuite
"""Its name in modules that are not moved yet; it goes when they are."""

ASKED_UNDER: Final = "asked_under"
"""Option of a run that was scored again under other rules than those by which it was asked: these."""


def options_of(suite: AnySuite, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return a suite's options, common ones included, from the arguments of its task.

    Raises:
        BadUsage: An argument that the option does not take, named with what it does take.
    """
    for option in (*common_options(suite.Options), *suite.options):
        name = LIMIT if option.name == "limit" else option.name
        if name in arguments:
            replace(option, name=name).check(arguments[name])
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
