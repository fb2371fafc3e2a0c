"""What an agent does with a tool that is listed but fails: notice, retry, tell, or pass it on.

Same items as in the perfect setting, and where there is a variant without that tool, the same tool: so that
*missing from the list* and *broken* can be compared.
"""

from knowact.probes.outcome import Outcome
from knowact.reading.answer_form import Results
from knowact.suites.fail_talms.asked import AskedItem


def _called(item: AskedItem, outcome: Outcome) -> int:
    """How often it called its broken tool; 0 where none is broken."""
    failing = {change.tool for change in item.condition.changes if change.kind == "fail"}
    return sum(call.tool in failing for call in outcome.calls)


def retries(item: AskedItem, outcome: Outcome) -> bool | None:
    """Whether it called its broken tool again; None for one that never called it."""
    times = _called(item, outcome)
    return times > 1 if times else None


def about_the_failure(item: AskedItem, outcome: Outcome, results: Results) -> dict[str, bool | None]:
    """Read what the final reply makes of a broken tool; not applicable to an agent that never called it.

    Returns:
        `noticed`: it says that something could not be had, or hedges what hangs on the tool. `told`: it says
        so of the very tool, or hedges. `passed_on`: it asserts what a wrong result said; None where none was.
    """
    if not _called(item, outcome):
        return dict.fromkeys(("noticed", "told", "passed_on"))
    doubts = any(
        slot.state == "hedged" and lost for slot, lost in zip(results.slots, item.beyond, strict=True)
    )
    passed_on = None
    if item.wrong:
        told = zip(results.against(item.wrong), item.wrong, item.task.facts, strict=True)
        passed_on = any(slot.passed and wrong != fact for slot, wrong, fact in told)
    return {
        "noticed": doubts or bool(results.did("could_not")),
        "told": doubts or bool((results.did("could_not") | results.did("assumed")) & item.missing),
        "passed_on": passed_on,
    }
