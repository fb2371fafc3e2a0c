"""CAR: is an agent consistent over a whole conversation, and does it admit what it cannot do?

Paper: "CAR-bench: Evaluating the Consistency and Limit-Awareness of LLM Agents under Real-World
Uncertainty", arXiv 2601.22027.
Run it: `knowact run car --model knowact/oracle --trials 3`.
"""

from knowact.core.suite import Option, Scene, Suite
from knowact.suites.car.arms import BOTH, BOTH_CONDUCT, with_joint
from knowact.suites.car.figures import FIGURES
from knowact.suites.car.items import (
    CROSSED,
    SPLITS,
    STRATEGIES,
    TOOL_LISTS,
    TYPES,
    USERS,
    datasets,
    plan,
)
from knowact.suites.car.records import MEASURES
from knowact.suites.car.showing import clauses, sections
from knowact.suites.car.statistics import PICTURES, STATISTICS
from knowact.suites.car.tables import TABLES
from knowact.suites.car.task_files import DEFAULT_DATA
from knowact.suites.car.words import verdict
from knowact.worlds.car.record import MOST_STEPS

VERSION = "1-A"
"""Of the task in the engine: N comparability, X interface."""

VOTES = 3
"""Of the judge on each message, on each policy and on the user (spec, D-38)."""

RERUNS = 2
"""Further attempts after one whose user was at fault."""

ABOUT = (
    "A driver talks with the assistant of their car, which looks things up and changes the car by calls. "
    "Base tasks have every tool they need. They also lack one they don't need, so that the tool list alone "
    "does not reveal the task type. In hallucination tasks a tool, a parameter or a result was taken "
    "away: the agent has to say so, and to leave the rest in order. In disambiguation tasks something is "
    "left open, to be settled by what can be looked up, or by asking the driver where nothing else will "
    "do. Conduct is right when the agent goes ahead on a base task, names what is missing, looks up what it "
    "can find out, and asks what only the driver knows; the headline counts pairs of a task and its base "
    "task. A trial succeeds when the car ends where it should, passes only states on the way, what had to "
    "be found out was, no rule was broken, and the conversation ended well. Tasks are tried several "
    "times, because an assistant has to be reliable."
)

DEMO_BASES = 4
"""Base tasks of each scene in the demo."""

SUITE = Suite(
    name="car",
    title="CAR: a whole conversation in the car",
    question="Is the agent consistent, does it admit what it cannot do, does it settle what is open?",
    paper="arXiv 2601.22027",
    task="knowact.suites.car.task:car",
    options=(
        Option("data", "A shipped data set, a folder in our layout, or published tasks.", DEFAULT_DATA),
        Option("type", "Only tasks of one type.", "all", TYPES),
        Option("split", "Only tasks of one half.", "all", SPLITS),
        Option(
            "user",
            "Who plays the user: the script (for built-in agents), a model (--role user=MODEL), or you.",
            "scripted",
            USERS,
            others="model",
        ),
        Option("strategy", "A run factor: what the agent is told besides.", "none", STRATEGIES),
        Option(
            "tool_lists",
            "Whether complete tasks lack a part, too, that they don't need (the paper: whole).",
            CROSSED,
            TOOL_LISTS,
        ),
        Option("steps", "Most messages of the agent in one conversation.", MOST_STEPS, least=1),
        Option(
            "votes", "Votes on messages, policies and users, where a judge is bound; odd.", VOTES, least=1
        ),
        Option("reruns", "Further attempts of a trial whose user was at fault.", RERUNS),
        Option("databases", "A folder of the published databases, for published tasks.", ""),
    ),
    datasets=datasets,
    plan=plan,
    measures=MEASURES,
    tables=TABLES,
    figures=FIGURES,
    verdict=verdict,
    compared=(BOTH_CONDUCT, BOTH, "success", "acknowledged"),
    compared_by="type",
    related=with_joint,
    about=ABOUT,
    demo=(
        Scene("oracle", {"limit": DEMO_BASES}),
        Scene("fabricator", {"limit": DEMO_BASES}),
    ),
    statistics=STATISTICS,
    pictures=PICTURES,
    sections=sections,
    clauses=clauses,
    converses=True,
    dropped={"driver": "--driver is now --user: --user scripted, --user model or --user person."},
)
