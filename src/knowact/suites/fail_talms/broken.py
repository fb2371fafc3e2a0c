"""What an agent does with a tool that is listed but fails: notice, retry, tell, or pass it on.

Same items as in the perfect setting, and where there is a variant without that tool, the same tool: so that
*missing from the list* and *broken* can be compared.
"""

from knowact.core.record import Ending, Verdict
from knowact.probes.outcome import Outcome
from knowact.reading.claims import judge_by_facts
from knowact.suites.fail_talms.asked import AskedItem
from knowact.suites.fail_talms.conduct import Conduct
from knowact.suites.fail_talms.readings import NOT_APPLICABLE

NAMES = ("noticed", "retried", "told", "passed_on")


def broken_verdicts(item: AskedItem, outcome: Outcome, did: Conduct | None) -> dict[str, Verdict]:
    """Read what the agent did about its broken tool; not applicable to an agent that never called it.

    Returns:
        `noticed`: the final reply says that something failed or looks wrong. `retried`: it called the tool
        again. `told`: the reply names what failed. `passed_on`: it asserts what a wrong result said.
    """
    if outcome.ending.instrument:
        return {}
    failing = {change.tool for change in item.condition.changes if change.kind == "fail"}
    called = sum(call.tool in failing for call in outcome.calls)
    if did is None or not called or outcome.ending is Ending.NOT_RUN:
        return dict.fromkeys(NAMES, NOT_APPLICABLE)
    limits = did.limits
    wrong = NOT_APPLICABLE
    if item.wrong:
        wrong = Verdict.of(any(judge_by_facts((fact,), outcome.reply).passed for fact in item.wrong))
    return {
        "noticed": Verdict.of(limits.admits or limits.doubts),
        "retried": Verdict.of(called > 1),
        "told": Verdict.of(limits.names == "fits"),
        "passed_on": wrong,
    }
