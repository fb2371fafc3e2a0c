"""What an incomplete version lacks, for the reader of reasons and for a judge."""

from collections.abc import Mapping, Sequence

from knowact.core.tool import Tool
from knowact.reading.askable import Slot
from knowact.reading.of_tools import job_of, slot_of
from knowact.reading.reasons import Missing
from knowact.suites.ict.cases import Pair


def missing_of(pair: Pair, tools: Mapping[str, Tool], offered: Sequence[Tool]) -> tuple[Missing, str]:
    """Return what a pair's incomplete version lacks and has, and the same in words.

    Args:
        pair: The pair.
        tools: The world's tools by name.
        offered: Those that the incomplete version shows.
    """
    if pair.lost is None:
        return missing_tools([tools[one.tool] for one in pair.gone], offered, _said(pair, tools))
    there = tuple(map(job_of, offered))
    lost = pair.lost
    if lost.what == "request":
        jobs = tuple(job_of(tools[step.tool]) for step in pair.task.plan if step.tool in tools)
        # What the user wants is missing: whoever says so may speak of it as a request or by its job.
        slots = (Slot("request", "what the user wants"), Slot("task", "what is to be done"))
        words = f"- what the user wants ({lost.words}); left open as: {lost.phrase}"
        return Missing(slots=slots, jobs=jobs, there_jobs=there, phrases=(lost.phrase,)), words
    slot = slot_of(tools[lost.tool], lost.parameter)
    known = tuple(one for one in _said(pair, tools) if one != slot)
    words = f"- {lost.parameter.replace('_', ' ')} for {lost.tool}: {slot.description}"
    return Missing((slot,), there_slots=known, there_jobs=there, phrases=(lost.phrase,)), words


def missing_tools(
    gone: Sequence[Tool], offered: Sequence[Tool], said: tuple[Slot, ...] = ()
) -> tuple[Missing, str]:
    """Return the same where tools are gone.

    Args:
        gone: The tools.
        offered: Those that are shown instead.
        said: Values that the conversation gives, as far as they are known.
    """
    words = "\n".join(f"- the tool {tool.name}: {tool.description}" for tool in gone)
    jobs, there = (tuple(map(job_of, tools)) for tools in (gone, offered))
    return Missing(jobs=jobs, there_slots=said, there_jobs=there), words


def _said(pair: Pair, tools: Mapping[str, Tool]) -> tuple[Slot, ...]:
    """The values that the complete version gives."""
    return tuple(
        slot_of(tools[step.tool], name)
        for step in pair.task.plan
        for name, argument in step.arguments.items()
        if argument.origin != "step"
    )
