"""FAIL-TaLMs: what does an agent do when a detail or a tool is missing, and does it ask a person?

Paper: "Benchmarking Failures in Tool-Augmented Language Models" (NAACL 2025), arXiv 2412.03679.
Run it: `knowact run fail-talms --model knowact/oracle`.
"""

from knowact.core.option import Option
from knowact.core.record import TRANSFER
from knowact.core.suite import Scene, load_audit, load_terms
from knowact.core.traits import Evidence, Trait
from knowact.probes import transfer
from knowact.probes.declared_suite import DeclaredSuite
from knowact.probes.strategies import strategy_option
from knowact.suites.fail_talms.asked import LEFT, MISSING
from knowact.suites.fail_talms.cases import DEFAULT_DATA
from knowact.suites.fail_talms.figures import FIGURES
from knowact.suites.fail_talms.items import (
    AFTER_NO,
    BREAKS,
    HELPERS,
    PROBES,
    REPLIES,
    SETTINGS,
    datasets,
    plan,
)
from knowact.suites.fail_talms.probes import QUESTIONS_ANSWERED, ROUNDS
from knowact.suites.fail_talms.scoring import MEASURES
from knowact.suites.fail_talms.tables import STATISTICS, TABLES
from knowact.suites.fail_talms.transfer import TRANSFERRED
from knowact.suites.fail_talms.words import HEADLINE, summary_lines

ABOUT = (
    "Each request takes two tools. In some, a detail is missing; in some, a tool is; in some, nothing. First "
    "the agent is asked whether it has what it takes: the information, and the tools. Then it acts. "
    "Conduct: it goes ahead where everything is there, and where something is missing it asks, holds back or "
    "names that, and fabricates nothing. Right is success: all that can be done is done as well. "
    "Refusing everything and trying everything both score 0 on minimal pairs: one item of each is complete, "
    "the other is not."
)

DEMO_BASES = 6
"""Base items of each scene in the demo: some twenty-five items with all their settings."""

SUITE = DeclaredSuite(
    name="fail_talms",
    title="FAIL-TaLMs: when something is missing",
    question="What does the agent do when a detail or a tool is missing, and does it ask?",
    paper="arXiv 2412.03679",
    spec="knowact.suites.fail_talms.task:spec",
    labelled="knowact.suites.fail_talms.labelled:sets",
    forge="knowact.suites.fail_talms.forge:RECIPE",
    options=(
        Option("data", "A shipped data set, or a folder in our layout or the published one.", DEFAULT_DATA),
        Option("setting", "Only items of one setting.", "all", SETTINGS),
        Option("probe", "Ask the agent about its limits, have it act, or both.", "both", PROBES),
        strategy_option(),
        Option("helper", "Who answers the tool ask_human.", "nobody", HELPERS),
        Option(
            "max_questions", "Maximum number of questions answered per trial.", QUESTIONS_ANSWERED, least=1
        ),
        Option("broken", "Break a tool of the perfect setting, in one way or in every way.", "none", BREAKS),
        Option("distractors", "Offer this many tools in addition to the item's own.", 0),
        Option(
            "rounds",
            "Maximum number of model calls per acting trial; questions don't count.",
            ROUNDS,
            least=1,
        ),
        transfer.OPTION,
        Option("after_no", "After a 'no': act all the same, or skip the item.", "act", AFTER_NO),
        Option("votes", "The judge's votes per answer; an odd number.", 5, least=1),
        Option("win_rate", "Compare answers without tools to the agent's own with tools.", default=False),
        Option("cassette", "Recorded replies for published tools (JSON Lines).", ""),
        Option("replies", "Answer calls of published tools with the data's sketches.", "none", REPLIES),
    ),
    roles=("extractor", "judge", "helper"),
    datasets=datasets,
    plan=plan,
    measures=(*MEASURES, *TRANSFER),
    tables=(*TABLES, TRANSFERRED.table),
    figures=(*FIGURES, TRANSFERRED.figure),
    summary_lines=summary_lines,
    headline=HEADLINE,
    terms=load_terms("knowact.suites.fail_talms"),
    compared=("conduct", "right", "pass", "aware"),
    traits={
        Trait.ASKS: Evidence.on("conduct", missing="value"),
        Trait.ADMITS: Evidence.on("conduct", missing=("tool", "tools")),
    },
    about=ABOUT,
    asked_by_rules=(
        "The published rules ask only the setting's own questions, in milder words, skip after a no, offer a "
        "person only where something is missing and charge a round for each question, and act at "
        "temperature 1."
    ),
    demo=tuple(Scene(agent, {"limit": DEMO_BASES}) for agent in ("oracle", "always-act", "always-no")),
    statistics=STATISTICS,
    dropped={"gate": "--gate is now --after-no: --after-no act (before: record) or --after-no skip."},
    audit=load_audit(
        "knowact.suites.fail_talms",
        {
            "missing": lambda task: str(task.provenance[MISSING]),
            "left": lambda task: str(task.provenance[LEFT]),
        },
    ),
)
"""What shared code knows of this suite."""

__all__ = ["MEASURES", "SUITE"]
