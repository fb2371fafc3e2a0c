"""KAPRO: does the agent know which tools a task needs, and then use exactly those?

Paper: "From Knowing to Acting: Benchmarking Self-Awareness Capability of LLM Agents", arXiv 2606.20661.
Run it: `knowact run kapro --model knowact/oracle`.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from knowact import authoring as ka
from knowact.core.record import TRANSFER
from knowact.core.task import user_turns
from knowact.probes import transfer
from knowact.probes.response import calls_in_words
from knowact.probes.transfer import with_transfer
from knowact.suites.kapro.items import KaproOptions, datasets, items_of, load, notes_on, tasks_of
from knowact.suites.kapro.own_boundary import ACCURACIES
from knowact.suites.kapro.probes import ACT, KNOW, act, neutral_prompt, prompts, tools_needed, transfer_probes
from knowact.suites.kapro.run_groups import MEASURES
from knowact.suites.kapro.scoring import PASSING, record_of
from knowact.suites.kapro.tables import FIGURES, TABLES, by_topology, topology_picture
from knowact.suites.kapro.words import HEADLINE, summary_lines
from knowact.worlds.registry import open_world

DEMO = ("oracle", "eager", "shy", "random", "tools-only", "lexical", "knows-but-overacts", "hostile")
"""The reference agent, baselines, a pure profile, and an agent that breaks everything."""

NOISY = ("oracle", "eager", "knows-but-overacts")
"""Agents that the demo runs again with ten distractors."""

DEMO_ITEMS = 40
"""A fair sample of five items per bucket, so that the demo stays under a minute on two slow cores."""

LONGEST_RESULT = 20_000
"""Characters of one call's result that the published judge reads: nearly all that recordings hold."""


class Kapro(ka.Suite[KaproOptions, ka.Item]):
    """KAPRO, asked in two ways: which tools does the task take, and do it."""

    name = "kapro"
    title = "KAPRO: from knowing to acting"
    question = "Does the agent know which tools a task needs, and then use exactly those?"
    paper = "arXiv 2606.20661"
    about = (
        "Each task is asked twice. Knowing: shown the task and the tools, the agent says which of them it "
        "needs. Acting: it is left to do the task with these tools at hand. T is what the task really takes: "
        "all of its tools (external), none, because a model can do it alone (internal), or some (hybrid). An "
        "agent that knows its limits says T, and then uses T. KAS, the harmonic mean of both accuracies, is "
        "high only if it does both."
    )
    Options = KaproOptions
    roles = ("extractor", "judge")
    measures = (*MEASURES, *TRANSFER)
    compared = (ACCURACIES, *ACCURACIES, "DirGap", "pass")
    headline = HEADLINE
    viewed = (
        ka.Viewed(ACCURACIES, "boundary"),
        *(ka.Viewed(measure, "boundary") for measure in (*ACCURACIES, "pass")),
    )
    terms = ka.load_terms("knowact.suites.kapro")
    asked_by_rules = "Under the published rules, a tool without a recording answers without saying so."
    demo = (
        *(ka.Scene(agent, {"limit": DEMO_ITEMS}) for agent in DEMO),
        *(ka.Scene(agent, {"limit": DEMO_ITEMS, "distractors": 10}) for agent in NOISY),
    )
    audit = ka.load_audit(
        "knowact.suites.kapro",
        {"boundary": lambda task: task.boundary.value, "topology": lambda task: task.topology.value},
    )

    def datasets(self) -> Sequence[ka.Dataset]:
        """What the suite ships."""
        return datasets()

    def items(self, options: KaproOptions) -> ka.Plan:
        """The tasks in the data set's stratified order, each also without tools where `solo` says so."""
        ka.refuse_without_acting(dict(options), acts=options.probe != KNOW)
        transfer.require(dict(options), {"probe": ("both", "what is said is compared with what is done")})
        loaded = load(options.data)
        items = [item for task in tasks_of(loaded, options) for item in items_of(task, loaded, options)]
        notes = notes_on(items, loaded)
        if options.solo:
            forms = options.rules != "published" and any(item.task.facts for item in items)
            reader = "extractor" if forms else "judge"
            notes.append(
                f"The {reader} says what is solved without tools; without one, --solo shows nothing."
            )
        return self.planned(loaded.info, items, options, notes, loaded.seed)

    def probes(self, item: ka.Item, options: KaproOptions) -> Sequence[ka.Probe]:
        """Knowing, then acting, and acting behind a verdict; without tools there is nothing to know."""
        asks, does = tools_needed(), ka.under(options.strategy, act(item, options.rounds))
        know = [asks] if item.tools and options.probe != ACT else []
        more = transfer_probes(asks, does) if know and options.transfer else []
        return [*know, *([does] if options.probe != KNOW else []), *more]

    def session(self, item: ka.Item, seed: int, options: KaproOptions) -> ka.WorldState:
        """By the published rules a tool without a recording answers without saying so."""
        return open_world(item.task.world, seed, silent_gaps=options.rules == "published")

    def readings(
        self, item: ka.Item, responses: Mapping[str, ka.Response], options: KaproOptions
    ) -> Sequence[ka.Reading]:
        """The final answer, read into the reference facts."""
        acted = _fairly_acted(item, responses)
        if acted is None or not item.task.facts or options.rules == "published":
            return ()
        form, request = ka.AnswerForm.from_facts(item.task.facts), user_turns(item.task.opening)
        words = acted.words if acted.outcome is ka.Outcome.ANSWERED else ""
        return (ka.Reading(ACT, form, request, words, acted.declared),)

    def ballots(self, item: ka.Item, trial: ka.Judged, options: KaproOptions) -> Sequence[ka.Ballot]:
        """Whether the final answer is right; it takes no vote to be wrong without one."""
        acted = _fairly_acted(item, trial.responses)
        if acted is None:
            return ()
        name = PASSING[options.rules]
        if acted.outcome is not ka.Outcome.ANSWERED:
            return (ka.Ballot(name, (), votes=0),)
        values = {
            "task": item.task.opening.text,
            "reference": ka.reference_of(item.task),
            "answer": acted.reply,
        }
        if options.rules == "published":
            calls = calls_in_words(acted.calls, LONGEST_RESULT)
            prompt = prompts()["judge-published"].fill({**values, "calls": calls})
        else:
            prompt = prompts()["judge"].fill(values)
        return (ka.Ballot(name, (prompt,), votes=options.votes, told=(acted.reply,)),)

    def score(self, item: ka.Item, trial: ka.Judged, options: KaproOptions) -> ka.Record:
        """Accuracies, quadrant and pass of one trial."""
        score = partial(record_of, item, trial.epoch, rules=options.rules)
        return with_transfer(score, trial, ACT, "acc_act")

    def prompts(self, options: KaproOptions) -> Sequence[ka.Prompt]:
        """Both questions, the judge's, and what a strategy and transfer add."""
        own = ka.prompts_under(options.rules, prompts())
        return (*own, *ka.told(options.strategy), *([neutral_prompt()] if options.transfer else []))

    def tables(self, runs: Sequence[ka.Run]) -> Sequence[ka.Table]:
        """The paper's, and those that say how far to trust them."""
        return [make(runs) for make in TABLES]

    def figures(self, runs: Sequence[ka.Run]) -> Sequence[ka.Figure]:
        """The paper's, the quadrants, and know-to-act transfer."""
        return [make(runs) for make in FIGURES]

    def summary_lines(self, run: ka.Run) -> Sequence[str]:
        """The headline first, then what to make of it."""
        return summary_lines(run)

    def statistics(self, items: Sequence[ka.Item]) -> Sequence[ka.Table]:
        """Tasks by boundary and topology."""
        return (by_topology(items),)

    def pictures(self, items: Sequence[ka.Item]) -> Sequence[ka.Figure]:
        """The same as bars."""
        return (topology_picture(items),)

    def recipe(self) -> object:
        """How `kapro/everyday` is made."""
        from knowact.suites.kapro.forge import RECIPE

        return RECIPE


def _fairly_acted(item: ka.Item, responses: Mapping[str, ka.Response]) -> ka.Response | None:
    """What came of acting, where the agent had a fair chance to get it right; nothing else is read."""
    acted = responses.get(ACT)
    unfair = bool(item.task.replay_gap and item.tools)
    if acted is None or unfair or acted.outcome.instrument or acted.outcome is ka.Outcome.NOT_RUN:
        return None
    return acted


SUITE = Kapro()
"""What shared code knows of this suite."""

__all__ = ["MEASURES", "SUITE"]
