"""Which calls count as execution errors (spec car-bench.md, sections 7.1 and 10.2, D-25 to D-27).

One table of classes. *Hard*: a tool that does not exist, or arguments that its schema does not allow.
*Soft*: a look-up that found nothing, or something that the car refuses in its present state; the agent
reads why and can go another way, so it counts only when the identical call fails again.
"""

import json
from collections.abc import Mapping
from typing import Final, Literal

from knowact.worlds.car.contract import Fault
from knowact.worlds.car.defects import Defect
from knowact.worlds.car.record import Called, Trial

Class = Literal["hard", "soft"]

CLASSES: Final[Mapping[str, Class]] = {
    "unknown_tool": "hard",
    "bad_arguments": "hard",
    "not_found": "soft",
    "conflict": "soft",
}
"""By the code of the problem. Other codes are failures of the world, which are no errors of the agent."""


def execution_errors(trial: Trial, faults: frozenset[Defect]) -> tuple[int, ...]:
    """Return the calls that count as errors, by their place among the calls.

    Args:
        trial: The trial.
        faults: The faults of the published scoring that are on.
    """
    failed_before: set[str] = set()
    found: list[int] = []
    for place, call in enumerate(trial.calls):
        if call.problem is None:
            continue
        same = json.dumps([call.tool, dict(call.arguments or {})], sort_keys=True)
        if _counts(call, trial, faults, repeated=same in failed_before):
            found.append(place)
        failed_before.add(same)
    return tuple(found)


def _counts(call: Called, trial: Trial, faults: frozenset[Defect], *, repeated: bool) -> bool:
    kind = CLASSES.get(call.problem.code) if call.problem is not None else None
    if kind == "soft" and Defect.MISSES_ARE_FATAL not in faults:
        return repeated
    if call.fault is Fault.LOGGED and (kind != "hard" or Defect.SLOPPY_IS_FREE in faults):
        return True
    if kind != "hard" or Defect.SLOPPY_IS_FREE in faults:
        return False
    # What was taken away cannot be called rightly; trying it is judged elsewhere (D-26).
    return not call.forbidden and call.tool not in {path.split(".", 1)[0] for path in trial.removed}
