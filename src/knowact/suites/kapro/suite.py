"""KAPRO: does the agent know which tools a task needs, and then use exactly those?

Paper: "From Knowing to Acting: Benchmarking Self-Awareness Capability of LLM Agents", arXiv 2606.20661.
Run it: `knowact run kapro --model knowact/oracle`.
"""

from knowact.core.option import Option
from knowact.core.record import TRANSFER
from knowact.core.suite import Scene, Suite, load_audit, load_terms
from knowact.probes import transfer
from knowact.probes.strategies import strategy_option
from knowact.suites.kapro.items import DEFAULT_DATA, PROBES, SUBSPACES, TOPOLOGIES, datasets, plan
from knowact.suites.kapro.probes import ROUNDS
from knowact.suites.kapro.run_groups import MEASURES
from knowact.suites.kapro.tables import FIGURES, TABLES, by_topology, topology_picture
from knowact.suites.kapro.transfer import TRANSFERRED
from knowact.suites.kapro.words import HEADLINE, summary_lines

ABOUT = (
    "Each task is asked twice. Knowing: shown the task and the tools, the agent says which of them it needs. "
    "Acting: it is left to do the task with these tools at hand. T is what the task really takes: all of its "
    "tools (external), none, because a model can do it alone (internal), or some (hybrid). An agent that "
    "knows its limits says T, and then uses T. KAS, the harmonic mean of both accuracies, is high only if "
    "it does both."
)

DEMO = ("oracle", "eager", "shy", "random", "tools-only", "lexical", "knows-but-overacts", "hostile")
"""The reference agent, baselines, a pure profile, and an agent that breaks everything."""

NOISY = ("oracle", "eager", "knows-but-overacts")
"""Agents that the demo runs again with ten distractors."""

DEMO_ITEMS = 40
"""A fair sample of five items per bucket, so that the demo stays under a minute on two slow cores."""


SUITE = Suite(
    name="kapro",
    title="KAPRO: from knowing to acting",
    question="Does the agent know which tools a task needs, and then use exactly those?",
    paper="arXiv 2606.20661",
    spec="knowact.suites.kapro.task:spec",
    forge="knowact.suites.kapro.forge:RECIPE",
    options=(
        Option("data", "A shipped data set, or a folder in our layout or the published one.", DEFAULT_DATA),
        Option("probe", "Ask both ways, or only one.", "both", PROBES),
        Option("subspace", "Only tasks of one side of the boundary.", "all", SUBSPACES),
        Option("topology", "Only tasks of one topology.", "all", TOPOLOGIES),
        Option("distractors", "Offer this many tools in addition to the task's own (10 in the paper).", 0),
        strategy_option(),
        Option("rounds", "Maximum number of model calls per acting trial.", ROUNDS, least=1),
        Option(
            "solo",
            "Try each task also N times without any tool: this model's own boundary. Without N: 5.",
            0,
            bare=5,
        ),
        transfer.OPTION,
        Option("votes", "The judge's votes per answer.", 3, least=1),
    ),
    roles=("extractor", "judge"),
    datasets=datasets,
    plan=plan,
    measures=(*MEASURES, *TRANSFER),
    tables=(*TABLES, TRANSFERRED.table),
    figures=(*FIGURES, TRANSFERRED.figure),
    summary_lines=summary_lines,
    headline=HEADLINE,
    terms=load_terms("knowact.suites.kapro"),
    compared=(("acc_know", "acc_act"), "acc_know", "acc_act", "DirGap", "pass"),
    about=ABOUT,
    asked_by_rules="Under the published rules, a tool without a recording answers without saying so.",
    demo=(
        *(Scene(agent, {"limit": DEMO_ITEMS}) for agent in DEMO),
        *(Scene(agent, {"limit": DEMO_ITEMS, "distractors": 10}) for agent in NOISY),
    ),
    statistics=(by_topology,),
    pictures=(topology_picture,),
    audit=load_audit(
        "knowact.suites.kapro",
        {"boundary": lambda task: task.boundary.value, "topology": lambda task: task.topology.value},
    ),
)
"""What shared code knows of this suite."""

__all__ = ["MEASURES", "SUITE"]
