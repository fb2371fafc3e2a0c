"""KAPRO as a task of the engine: `inspect eval knowact/kapro`."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from inspect_ai.scorer import Metric, SampleScore, Value, metric

from knowact.core.prompts import prompts_under
from knowact.core.record import Outcome, Record
from knowact.core.suite import Item, Plan
from knowact.core.task import user_turns
from knowact.core.world import WorldState
from knowact.engine.metrics import ALL, group_scores, mean_by, mean_of
from knowact.measures.kas import kas as harmonic
from knowact.probes.probe import Probe
from knowact.probes.response import Judged, Response, calls_in_words
from knowact.probes.spec import TaskSpec
from knowact.probes.strategies import STRATEGY, told, under
from knowact.probes.transfer import with_transfer
from knowact.reading.answer_form import AnswerForm
from knowact.roles.extractor import Reading
from knowact.roles.judge import Ballot, reference_of
from knowact.suites.kapro import transfer
from knowact.suites.kapro.items import asked, rounds_of
from knowact.suites.kapro.own_boundary import ACCURACIES
from knowact.suites.kapro.probes import ACT, ALONE_TEMPERATURE, act, prompts, tools_needed
from knowact.suites.kapro.scoring import PASSING, record_of
from knowact.worlds.registry import open_world

LONGEST_RESULT = 20_000
"""Characters of one call's result that the published judge reads: nearly all that recordings hold."""


@metric(name="kas")
def kas() -> Metric:
    """KAS of each subspace (KAPRO, equation 7); of all of them the headline is the average.

    The engine shows the keys of a metric alone, so each carries the metric's name.
    """

    def compute(scores: list[SampleScore]) -> Value:
        found = group_scores(scores, "boundary")
        return {f"kas_{name}": _kas_of(group) for name, group in found.items() if name != ALL}

    return compute


def _kas_of(group: Sequence[SampleScore]) -> float:
    """NaN unless both were measured: with one probe, or when every trial was spoilt."""
    both = [one for one in group if not any(math.isnan(mean_of([one], name)) for name in ACCURACIES)]
    means = mean_of(both, "acc_know"), mean_of(both, "acc_act")
    return math.nan if any(map(math.isnan, means)) else harmonic(*means)


def spec(planned: Plan, options: Mapping[str, Any]) -> TaskSpec:
    """What the engine has to know of a run under these options."""
    rules, votes, strategy = str(options["rules"]), int(options["votes"]), str(options[STRATEGY])

    def probes(item: Item) -> Sequence[Probe]:
        know, does = asked(item, str(options["probe"]))
        doing = under(strategy, act(rounds_of(item, options), None if item.tools else ALONE_TEMPERATURE))
        asks = tools_needed()
        more = transfer.probes(asks, doing) if know and options.get("transfer") else []
        return [*([asks] if know else []), *([doing] if does else []), *more]

    def session(item: Item) -> WorldState:
        return open_world(item.task.world, planned.world_seed, silent_gaps=rules == "published")

    def record(item: Item, epoch: int, judged: Judged) -> Record:
        return with_transfer(partial(record_of, item, epoch, rules=rules), judged, ACT, "acc_act")

    def readings(item: Item, responses: Mapping[str, Response]) -> Sequence[Reading]:
        acted = _fairly_acted(item, responses)
        if acted is None or not item.task.facts or rules == "published":
            return ()
        form, request = AnswerForm.from_facts(item.task.facts), user_turns(item.task.opening)
        words = acted.words if acted.outcome is Outcome.ANSWERED else ""
        return (Reading(ACT, form, request, words, acted.declared),)

    def ballots(item: Item, judged: Judged) -> Sequence[Ballot]:
        acted = _fairly_acted(item, judged.responses)
        if acted is None:
            return ()
        name = PASSING[rules]
        if acted.outcome is not Outcome.ANSWERED:
            return (Ballot(name, (), votes=0),)  # it takes no vote to be wrong
        values = {
            "task": item.task.opening.text,
            "reference": reference_of(item.task),
            "answer": acted.reply,
        }
        if rules == "published":
            calls = calls_in_words(acted.calls, LONGEST_RESULT)
            prompt = prompts()["judge-published"].fill({**values, "calls": calls})
        else:
            prompt = prompts()["judge"].fill(values)
        return (Ballot(name, (prompt,), votes=votes, told=(acted.reply,)),)

    return TaskSpec(
        plan=planned,
        probes=probes,
        session=session,
        record=record,
        ballots=ballots,
        readings=readings,
        prompts=(*prompts_under(rules, prompts()), *told(strategy), *transfer.prompts_of(options)),
        metrics=[kas(), *(mean_by(name, "boundary") for name in ("acc_know", "acc_act", "pass"))],
    )


def _fairly_acted(item: Item, responses: Mapping[str, Response]) -> Response | None:
    """What came of acting, where the agent had a fair chance to get it right; nothing else is read."""
    acted = responses.get(ACT)
    unfair = bool(item.task.replay_gap and item.tools)
    if acted is None or unfair or acted.outcome.instrument or acted.outcome is Outcome.NOT_RUN:
        return None
    return acted
