"""ICT: are the conditions complete?

Paper: arXiv 2406.12307 (IncompleteToolBench).
Run it: `knowact run ict --model knowact/oracle`.
"""

from collections.abc import Sequence

from knowact.core.suite import Instrument, Option, Scene, Suite
from knowact.reading.completeness_calibration import completeness_instruments
from knowact.suites.ict.audit import AUDIT
from knowact.suites.ict.cases import DEFAULT_DATA
from knowact.suites.ict.figures import FIGURES
from knowact.suites.ict.items import KINDS, MANIPULATIONS, PROBES, SOURCES, datasets, plan
from knowact.suites.ict.people import BASELINE, people
from knowact.suites.ict.probes import STRATEGIES
from knowact.suites.ict.scoring import MEASURES
from knowact.suites.ict.statistics import STATISTICS
from knowact.suites.ict.tables import TABLES
from knowact.suites.ict.words import verdict

VERSION = "1-A"
"""Of the task in the engine: N comparability, X interface."""

ABOUT = (
    "Each item comes twice: complete, and with something missing, be it the right tool (a similar one stands "
    "in its place) or words that the user would have to say. Before anything is called, the agent is asked "
    "outright whether the request can be handled, and it is let to go on with the dialogue. Right is yes, or "
    "a call, on the complete one; and no, or a question, or a statement of limits, on the other. Only both "
    "together count."
)

DEMO_PAIRS = 20
"""Pairs of each scene in the demo."""


def instruments() -> Sequence[Instrument]:
    """The readers of verdicts, continuations and explanations, with their error rates."""
    return completeness_instruments()


SUITE = Suite(
    name="ict",
    title="ICT: complete conditions, or not",
    question="Does it notice that a tool or a piece of information is missing, before it calls anything?",
    paper="arXiv 2406.12307",
    task="knowact.suites.ict.task:ict",
    options=(
        Option("data", "A shipped data set, a folder or file of the release, or ddehun/ICT.", DEFAULT_DATA),
        Option("probe", "Ask outright, let it go on, both; or the feedback study.", "both", PROBES),
        Option("strategy", "How it is asked outright.", STRATEGIES[0], STRATEGIES),
        Option("manipulation", "Only items of one manipulation.", "all", MANIPULATIONS),
        Option("source", "Only dialogues, or only single requests.", "all", SOURCES),
        Option("kind", "The paper's two classes, the partly possible ones, or all.", "paper", KINDS),
        Option("why", "After a no, ask why.", default=True),
        Option("plain", "Ask in one plain text, for base models.", default=False),
        Option("votes", "Votes per judgement, where a grader is bound; odd.", 3, least=1),
        Option("corruption_types", "What unknown values in the release mean: X=utterance_removal.", ""),
    ),
    datasets=datasets,
    plan=plan,
    measures=MEASURES,
    tables=(*TABLES, people),
    figures=FIGURES,
    verdict=verdict,
    instruments=instruments,
    compared=("explicit", "implicit"),
    about=ABOUT,
    demo=tuple(Scene(agent, {"limit": DEMO_PAIRS}) for agent in ("oracle", "always-no", "always-act")),
    statistics=STATISTICS,
    audit=AUDIT,
    baseline=BASELINE,
)
"""What shared code knows of this suite."""

__all__ = ["MEASURES", "SUITE", "VERSION"]
