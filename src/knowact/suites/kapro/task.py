"""KAPRO as a task of the engine: `inspect eval knowact/kapro`."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from inspect_ai import Task, task
from inspect_ai.scorer import Metric, SampleScore, Value, metric

from knowact.core.options import options_of
from knowact.core.record import Ending, Record
from knowact.core.suite import Item
from knowact.core.task import user_turns
from knowact.core.world import Session
from knowact.engine.assemble import Trials, described, engine_task
from knowact.engine.metrics import group_scores, mean_by, mean_of
from knowact.measures.kas import kas as harmonic
from knowact.people.extractor import Reading, extraction_prompt
from knowact.people.judge import Ballot, reference_of
from knowact.probes.outcome import Judged, Outcome
from knowact.probes.probe import Probe
from knowact.reading.answer_form import AnswerForm
from knowact.suites.kapro.items import DEFAULT_DATA, asked, plan
from knowact.suites.kapro.probes import ACT, ROUNDS, act, prompts, tools_needed
from knowact.suites.kapro.scoring import record_of
from knowact.suites.kapro.suite import MEASURES, SUITE, VERSION
from knowact.worlds.registry import open_world


@metric(name="kas")
def kas() -> Metric:
    """KAS of each subspace and over all items (KAPRO, equation 7).

    The engine shows the keys of a metric alone, so each carries the metric's name.
    """

    def compute(scores: list[SampleScore]) -> Value:
        return {f"kas_{name}": _kas_of(group) for name, group in group_scores(scores, "boundary").items()}

    return compute


def _kas_of(group: Sequence[SampleScore]) -> float:
    """NaN unless both were measured: with one probe, or when every trial was spoilt."""
    means = mean_of(group, "acc_know"), mean_of(group, "acc_act")
    return math.nan if any(map(math.isnan, means)) else harmonic(*means)


def _trials(options: Mapping[str, Any], votes: int) -> Trials:
    """What the engine has to know of a run under these options."""
    planned = plan(options)
    rules = str(options["rules"])

    def probes(item: Item) -> Sequence[Probe]:
        know, does = asked(item, str(options["probe"]))
        return [*([tools_needed()] if know else []), *([act(int(options["rounds"]))] if does else [])]

    def session(item: Item) -> Session:
        return open_world(item.task.world, planned.world_seed, silent_gaps=rules == "published")

    def record(item: Item, epoch: int, judged: Judged) -> Record:
        return record_of(item, epoch, judged, rules)

    def readings(item: Item, outcomes: Mapping[str, Outcome]) -> Sequence[Reading]:
        acted = _fairly_acted(item, outcomes)
        if acted is None or not item.task.facts or rules == "published":
            return ()
        form, request = AnswerForm.from_facts(item.task.facts), user_turns(item.task.opening)
        words = acted.words if acted.ending is Ending.ANSWERED else ""
        return (Reading(ACT, form, request, words, acted.declared),)

    def ballots(item: Item, judged: Judged) -> Sequence[Ballot]:
        acted = _fairly_acted(item, judged.outcomes)
        if acted is None:
            return ()
        if acted.ending is not Ending.ANSWERED:
            return (Ballot(ACT, (), votes=0),)  # it takes no vote to be wrong
        task, reference = item.task.opening.text, reference_of(item.task)
        prompt = prompts()["judge"].fill({"task": task, "reference": reference, "answer": acted.reply})
        return (Ballot(ACT, (prompt,), votes=votes, told=(acted.reply,)),)

    return Trials(
        *(planned, probes, session, record, MEASURES, ballots, int(options["seed"])), readings=readings
    )


def _fairly_acted(item: Item, outcomes: Mapping[str, Outcome]) -> Outcome | None:
    """What came of acting, where the agent had a fair chance to get it right; nothing else is read."""
    acted = outcomes.get(ACT)
    unfair = bool(item.task.replay_gap and item.tools)
    if acted is None or unfair or acted.ending.instrument or acted.ending is Ending.NOT_RUN:
        return None
    return acted


@task
def kapro(  # noqa: PLR0917 - the engine passes task arguments by name
    data: str = DEFAULT_DATA,
    seed: int = 0,
    limit_tasks: int = 0,
    trials: int = 1,
    rules: str = "definition",
    probe: str = "both",
    subspace: str = "all",
    topology: str = "all",
    distractors: int = 0,
    rounds: int = ROUNDS,
    solo: bool = False,  # noqa: FBT001, FBT002
    votes: int = 3,
) -> Task:
    """Does the agent know which tools a task needs, and then use exactly those?

    The arguments are the options of `knowact run kapro`; `limit_tasks` is its `--limit` (0: all), so that
    the engine's own `--limit` keeps its meaning.
    """
    options = options_of(SUITE, locals())
    run = _trials(options, votes)
    about = described("kapro", run.plan, options, trials, (*prompts().values(), extraction_prompt()))
    return engine_task(
        run,
        metrics=[kas(), *(mean_by(name, "boundary") for name in ("acc_know", "acc_act", "pass"))],
        epochs=trials,
        version=VERSION,
        metadata=about,
    )
