"""CAR: is an agent consistent over a whole conversation, and does it admit what it cannot do?

Paper: "CAR-bench: Evaluating the Consistency and Limit-Awareness of LLM Agents under Real-World
Uncertainty", arXiv 2601.22027.
Run it: `knowact run car --model knowact/oracle`.
"""

from knowact.core.option import Option
from knowact.core.suite import Scene, load_audit, load_terms
from knowact.core.traits import Evidence, Trait
from knowact.measures.group_means import GroupMean
from knowact.probes.declared_suite import DeclaredSuite
from knowact.probes.strategies import VERIFY, strategy_option
from knowact.suites.car.figures import FIGURES
from knowact.suites.car.items import (
    CROSSED,
    HAS,
    OPENS,
    SPLITS,
    TOOL_LISTS,
    TYPES,
    USERS,
    datasets,
    plan,
)
from knowact.suites.car.records import ACKNOWLEDGED, COUNTS, MEASURES, REFUSED, SUCCESS
from knowact.suites.car.run_groups import BOTH, BOTH_CONDUCT, K, with_joint
from knowact.suites.car.showing import before_the_plan, clauses, sections
from knowact.suites.car.statistics import PICTURES, STATISTICS
from knowact.suites.car.tables import TABLES
from knowact.suites.car.task_files import DEFAULT_DATA
from knowact.suites.car.words import HEADLINE, summary_lines
from knowact.worlds.car.record import MOST_STEPS

VOTES = 3
"""Of the judge on each message, on each policy and on the user."""

RERUNS = 2
"""Further attempts after one whose user was at fault."""

ABOUT = (
    "A driver talks with an in-car assistant, which looks things up and changes the car through tool calls. "
    "Base tasks have every tool they need. They also lack one they don't need, so that the tool list alone "
    "does not reveal the task type. Hallucination tasks lack a tool, a parameter or a result that they need: "
    "the agent must say so, and change nothing it should not. Disambiguation tasks leave something open: the "
    "agent must look it up, or ask the driver if nothing else resolves it. Conduct is right if the agent "
    "goes ahead on a base task, names what is missing, looks up what it can, and asks what only the driver "
    "knows. The headline counts pairs of a task and its base task. A trial succeeds if the car ends in the "
    "right state and passes only states on the way, the agent found out what it had to, no policy was "
    "broken, and the conversation ended well. Tasks are repeated, because an assistant has to be reliable."
)

ALOUD = "its steps would be read to the driver. Use acknowledge-limits, which checks the same unspoken."

DEMO_BASES = 4
"""Base tasks of each scene in the demo."""

SUITE = DeclaredSuite(
    name="car",
    title="CAR: a whole conversation in the car",
    question="Is the agent consistent, does it admit what it cannot do, does it resolve ambiguity correctly?",
    paper="arXiv 2601.22027",
    version="2-A",
    spec="knowact.suites.car.task:spec",
    trials=K,
    options=(
        Option("data", "A shipped data set, a folder in our layout, or published tasks.", DEFAULT_DATA),
        Option("type", "Run only tasks of one type.", "all", TYPES),
        Option("split", "Run only tasks of one split.", "all", SPLITS),
        Option(
            "user",
            "Who plays the user: the script (for built-in agents), a model (--role user=MODEL), or you.",
            "scripted",
            USERS,
            others="model",
        ),
        strategy_option({VERIFY: ALOUD}),
        Option(
            "tool_lists",
            "crossed: complete tasks also lack a part, which they don't need. whole: as in the paper.",
            CROSSED,
            TOOL_LISTS,
        ),
        Option("steps", "Maximum number of agent messages per conversation.", MOST_STEPS, least=1),
        Option(
            "votes", "Votes of the judge on each message, policy and user; an odd number.", VOTES, least=1
        ),
        Option("reruns", "Maximum repetitions of a trial after a fault of the simulated user.", RERUNS),
        Option("databases", "The folder of the published databases, for published tasks.", ""),
    ),
    roles=("extractor", "judge", "user"),
    datasets=datasets,
    plan=plan,
    measures=MEASURES,
    tables=TABLES,
    figures=FIGURES,
    summary_lines=summary_lines,
    headline=HEADLINE,
    terms=load_terms("knowact.suites.car"),
    compared=(GroupMean(BOTH_CONDUCT), GroupMean(BOTH), GroupMean(SUCCESS), ACKNOWLEDGED, REFUSED),
    compared_by="type",
    counts=COUNTS,
    traits={
        Trait.ASKS: Evidence.on("asked_first", level="user"),
        Trait.ADMITS: Evidence.on(ACKNOWLEDGED, type="hallucination").under("definition"),
    },
    related=with_joint,
    about=ABOUT,
    asked_by_rules=(
        "The published rules' car has the faults of the original, and a faulty simulated user is "
        "not replaced."
    ),
    demo=(
        Scene("oracle", {"limit": DEMO_BASES}),
        Scene("fabricator", {"limit": DEMO_BASES}),
    ),
    statistics=STATISTICS,
    pictures=PICTURES,
    sections=sections,
    clauses=clauses,
    audit=load_audit(
        "knowact.suites.car",
        {
            "natural": lambda task: "yes" if task.provenance[OPENS] else "",
            "has": lambda task: str(task.provenance[HAS]),
        },
        before_the_plan,
    ),
    converses=True,
    dropped={"driver": "--driver is now --user: --user scripted, --user model or --user person."},
)
