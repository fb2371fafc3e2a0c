"""Know-to-act transfer in FAIL-TaLMs: the gold verdicts, the neutral questions, and how results are shown."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from knowact.core.prompts import Prompt, load_prompt
from knowact.core.suite import Item
from knowact.core.table import Run
from knowact.measures.run_tables import Head
from knowact.measures.transfer import Transfer
from knowact.probes import transfer
from knowact.probes.probe import Probe, tools_as_text
from knowact.suites.fail_talms.asked import INFORMATION, TOOLS, AskedItem
from knowact.suites.fail_talms.figures import USUAL
from knowact.suites.fail_talms.probes import request_of
from knowact.suites.fail_talms.run_groups import SETTINGS, groups

LONG_REQUEST = 200
"""Characters; the neutral question about the request asks whether it has more."""


def _heads(runs: Sequence[Run]) -> list[Head]:
    return [Head(group.keys, [r for some in group.settings.values() for r in some]) for group in groups(runs)]


TRANSFERRED = Transfer(_heads, "setting", SETTINGS, USUAL)


@cache
def neutral_prompts() -> Mapping[str, Prompt]:
    """By the awareness question in whose place each stands, in the same form."""
    package = "knowact.suites.fail_talms"
    return {name: load_prompt(package, f"neutral-{name}") for name in (TOOLS, INFORMATION)}


def prompts_of(options: Mapping[str, Any]) -> tuple[Prompt, ...]:
    """The prompts that a run takes beside the suite's own."""
    return tuple(neutral_prompts().values()) if options.get("transfer") else ()


def probes(questions: Sequence[Probe], act: Probe) -> list[Probe]:
    """What is asked beside the awareness questions, which both stand before the request, and acting."""

    def neutral(question: Probe) -> Probe:
        def words(item: Item) -> str:
            values = {"request": request_of(item), "tools": tools_as_text(item.tools)}
            return neutral_prompts()[question.name].fill(values)

        return transfer.neutral(act, question.name, words, _ANSWERS[question.name])

    def gold(item: Item) -> Sequence[str]:
        assert isinstance(item, AskedItem)
        return [_verdict(item, question.name) for question in questions]

    return transfer.probes(act, questions, list(map(neutral, questions)), gold)


_NOTHING_MISSING = {
    TOOLS: "Yes. No tool is missing.",
    INFORMATION: "Yes. No piece of information is missing.",
}


def _verdict(item: AskedItem, question: str) -> str:
    """The right answer, with what is missing in the words of its parts."""
    if question not in item.lacks:
        return _NOTHING_MISSING[question]
    words = {part.id: part.words for part in item.parts}
    missing = "; ".join(words.get(one, one) for one in sorted(item.missing))
    return f"No. This is missing: {missing}."


def _long_name(item: Item) -> str:
    long = next((name for name, found in transfer.long_names(item).items() if found), "")
    return f"Yes. {long} has more." if long else "No. All names are shorter."


def _long_request(item: Item) -> str:
    length = len(request_of(item))
    return f"{'Yes' if length > LONG_REQUEST else 'No'}. It has {length} characters."


_ANSWERS = {TOOLS: _long_name, INFORMATION: _long_request}
