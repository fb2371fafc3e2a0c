"""ICT: are the conditions complete?

Paper: arXiv 2406.12307 (IncompleteToolBench).
Run it: `knowact run ict --model knowact/oracle`.
"""

from typing import Final

from knowact.core.option import Option
from knowact.core.record import TRANSFER
from knowact.core.suite import Scene, load_audit, load_terms
from knowact.core.traits import Evidence, Trait
from knowact.probes import transfer
from knowact.probes.declared_suite import DeclaredSuite
from knowact.probes.strategies import ACKNOWLEDGE, GATHER, NONE
from knowact.suites.ict.asked import LACKS
from knowact.suites.ict.cases import DEFAULT_DATA, Manipulation
from knowact.suites.ict.figures import FIGURES
from knowact.suites.ict.items import KINDS, MANIPULATIONS, PROBES, SOURCES, datasets, plan
from knowact.suites.ict.people import BASELINE, people
from knowact.suites.ict.probes import STRATEGIES
from knowact.suites.ict.run_groups import all_or_none
from knowact.suites.ict.scoring import MEASURES
from knowact.suites.ict.tables import STATISTICS, TABLES
from knowact.suites.ict.transfer import TRANSFERRED
from knowact.suites.ict.words import HEADLINE, summary_lines

ABOUT = (
    "Each item comes twice: complete, and with something missing, be it the right tool (a similar one stands "
    "in its place) or words that the user would have to say. Before anything is called, the agent is asked "
    "whether the request can be handled (explicit probe), and goes on with the dialogue (implicit probe). "
    "Right is yes, or a call, on the complete item; on the other it is no, or a question or a statement of "
    "limits. Only both together count."
)

LACKING = {"nothing": "yes", "tool": "tool", "information": "information", "half": "half"}
LEFT = {"nothing": "all", "tool": "none", "information": "none", "half": "part"}
"""What the data say to both questions about what is missing, by what was taken away."""

LACKS_WORDS: Final = {"manipulation": Manipulation.REMOVAL.value, "gold": "incomplete"}
LACKS_A_TOOL: Final = {"manipulation": Manipulation.REPLACEMENT.value, "gold": "incomplete"}

DEMO_PAIRS = 20
"""Pairs of each scene in the demo."""


SUITE = DeclaredSuite(
    name="ict",
    title="ICT: complete conditions, or not",
    question="Does it notice that a tool or a piece of information is missing, before it calls anything?",
    paper="arXiv 2406.12307",
    spec="knowact.suites.ict.task:spec",
    forge="knowact.suites.ict.forge:RECIPE",
    labelled="knowact.suites.ict.labelled:sets",
    options=(
        Option("data", "A shipped data set, a folder or file of the release, or ddehun/ICT.", DEFAULT_DATA),
        Option("probe", "The explicit probe, the implicit one, both; or the feedback study.", "both", PROBES),
        Option(
            "strategy",
            "How the explicit probe asks, and what is added to the implicit one.",
            STRATEGIES[0],
            (*STRATEGIES, NONE, ACKNOWLEDGE),
            refused={GATHER: "no call is carried out, so there is nothing to gather."},
            several=True,
        ),
        Option("manipulation", "Only items of one manipulation.", "all", MANIPULATIONS),
        Option("source", "Only dialogues, or only single requests.", "all", SOURCES),
        Option("kind", "The paper's two classes, the partly possible ones, or all.", "paper", KINDS),
        transfer.OPTION,
        Option("why", "After a no, ask why.", default=True),
        Option("plain", "Ask in one plain text, for base models.", default=False),
        Option("votes", "The judge's votes per ballot; an odd number.", 3, least=1),
        Option("corruption_types", "What unknown values in the release mean: X=utterance_removal.", ""),
    ),
    roles=("extractor", "judge"),
    datasets=datasets,
    plan=plan,
    measures=(*MEASURES, *TRANSFER),
    tables=(*TABLES, TRANSFERRED.table, people),
    figures=(*FIGURES, TRANSFERRED.figure),
    summary_lines=summary_lines,
    headline=HEADLINE,
    terms=load_terms("knowact.suites.ict"),
    compared=("implicit", "explicit"),
    traits={
        Trait.ASKS: Evidence.on("implicit", **LACKS_WORDS).under("definition"),
        Trait.ADMITS: Evidence.on("implicit", **LACKS_A_TOOL).under("definition"),
    },
    answers=all_or_none,
    about=ABOUT,
    asked_by_rules=(
        "The published rules ask for a reason only after a right no, ask another question after a call, and "
        "leave out what the paper has not."
    ),
    demo=tuple(Scene(agent, {"limit": DEMO_PAIRS}) for agent in ("oracle", "always-no", "always-act")),
    statistics=STATISTICS,
    audit=load_audit(
        "knowact.suites.ict",
        {
            "feasible": lambda task: LACKING[str(task.provenance[LACKS])],
            "way": lambda task: LEFT[str(task.provenance[LACKS])],
        },
    ),
    baseline=BASELINE,
)
"""What shared code knows of this suite."""

__all__ = ["MEASURES", "SUITE"]
