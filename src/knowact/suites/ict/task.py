"""ICT as a task of the engine: `inspect eval knowact/ict`."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, cast

from knowact.core.record import Record
from knowact.core.suite import Item, Plan
from knowact.engine.metrics import mean_by
from knowact.probes.probe import Probe
from knowact.probes.response import Judged, Response
from knowact.probes.spec import TaskSpec
from knowact.probes.strategies import told, under
from knowact.probes.transfer import read_behind, with_transfer
from knowact.roles.extractor import Reading
from knowact.roles.judge import Ballot
from knowact.suites.ict import transfer
from knowact.suites.ict.answers import Manner, explicit_response, reason_ballots
from knowact.suites.ict.asked import EXPLICIT, FIRST, IMPLICIT, WHY, AskedItem
from knowact.suites.ict.conduct import conduct_ballots, readings_of
from knowact.suites.ict.items import asked, shot_pool
from knowact.suites.ict.probes import SELF, Examples, check, explicit, feedback, implicit, of_acting, prompts
from knowact.suites.ict.probes import why as why_not
from knowact.suites.ict.scoring import record_of, says_no


def spec(planned: Plan, options: Mapping[str, Any]) -> TaskSpec:
    """What the engine has to know of a run under these options."""
    examples = Examples(shot_pool(planned, options), int(options["seed"]))
    asks, goes_on_talking, after_call = asked(options)
    manner, strategy = Manner.of(options), of_acting(options)

    def probes(item: Item) -> Sequence[Probe]:  # noqa: ARG001 - all items are asked alike
        found: list[Probe] = []
        if asks:
            found.append(explicit(str(options["strategy"]), examples.of, plain=bool(options["plain"])))
            found += [check()] if options["strategy"] == SELF else []
            found += [why_not()] if options["why"] else []
        going_on = under(strategy, implicit())
        found += [going_on] if goes_on_talking else []
        found += [feedback(published=manner.published)] if after_call else []
        return [*found, *(transfer.probes(found[0], going_on) if options.get("transfer") else [])]

    def goes_on(item: Item, probe: Probe, known: Mapping[str, Response]) -> bool:
        if probe.name == EXPLICIT and FIRST in known:
            return known[FIRST].readable
        if probe.name != WHY:
            return True
        # The paper asks only those who are right.
        wanted = not manner.published or cast("AskedItem", item).gold != "complete"
        return wanted and says_no(explicit_response(Judged(known)), manner)

    def readings(item: Item, responses: Mapping[str, Response]) -> Sequence[Reading]:
        if manner.published:
            return ()
        one = cast("AskedItem", item)
        return read_behind(
            lambda judged: readings_of(one, judged.response(IMPLICIT)), Judged(responses), IMPLICIT
        )

    def ballots(item: Item, judged: Judged) -> Sequence[Ballot]:
        one, votes = cast("AskedItem", item), int(options["votes"])
        conduct = partial(conduct_ballots, one, votes=votes)
        found = [] if manner.published else read_behind(conduct, judged, IMPLICIT)
        return [*found, *reason_ballots(one, judged, votes, manner)]

    def record(item: Item, epoch: int, judged: Judged) -> Record:
        score = partial(record_of, cast("AskedItem", item), epoch, manner=manner)
        return with_transfer(score, judged, IMPLICIT, IMPLICIT)

    return TaskSpec(
        plan=planned,
        probes=probes,
        record=record,
        ballots=ballots,
        readings=readings,
        goes_on=goes_on,
        prompts=(*prompts().values(), *told(strategy), *transfer.prompts_of(options)),
        metrics=[mean_by(name, "part", with_toolless=True) for name in ("implicit", "explicit")],
    )
