"""The two rejection lists of the paper, as far as a machine can decide (spec ict.md, section 3.3).

There, two authors read every instance; here, every pair is checked against each point of their lists, and
`knowact human audit` asks people the rest. Each check returns "" or what speaks against the pair.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from knowact.core.proof import Possibility
from knowact.core.task import Task
from knowact.suites.ict.cases import Pair
from knowact.suites.ict.proving import prove_incomplete
from version_1.ict.requests import rivals
from version_1.proofs import BY_NAME, leak

_SLIPS: Final = {
    "an unfilled slot": re.compile(r"[⟦⟧{}]"),
    "two spaces": re.compile(r"\S  +\S"),
    "a space before a stop": re.compile(r"\s[.,;?!](?:\s|$)"),
    "two stops": re.compile(r"[^.]\.\.(?:\s|$)|[?!]\.(?:\s|$)|,\."),
    "a word twice": re.compile(r"\b(a|an|and|at|for|from|in|is|my|of|on|or|the|to|with) \1\b", re.IGNORECASE),
    "two articles": re.compile(r"\b(?:a|an|my|our|your|the) (?:the|an?|my)\b", re.IGNORECASE),
}
"""What no sentence has, whatever it says."""


def unfit(pair: Pair) -> str:
    """Say why a pair is rejected; "" if nothing speaks against it."""
    checks = [*COMMON, *(REMOVAL if pair.lost else REPLACEMENT)]
    return next((why for check in checks if (why := check(pair))), "")


def another_tool_could_do_it(pair: Pair) -> str:
    """A tool that is offered, replaced or not, could do the job: by what it reports, or by a formula."""
    verdict = prove_incomplete(pair, BY_NAME).possibility
    if verdict is not pair.possibility:
        return f"the incomplete version is {verdict.value}"
    for gone in pair.gone:
        for name in pair.incomplete_version.offered:
            if rivals(name, gone.tool):
                return f"{name} can do the job of {gone.tool}"
    return ""


def not_every_tool_is_replaced(pair: Pair) -> str:
    """A required tool is still there, except where one of two requests is to be served."""
    kept = pair.task.required - {gone.tool for gone in pair.gone}
    if bool(kept) != (pair.possibility is Possibility.PARTLY):
        return f"still offered: {', '.join(sorted(kept)) or 'nothing that is needed'}"
    return ""


def dialogue_names_what_is_gone(pair: Pair) -> str:
    """An earlier call was one of the replaced tool."""
    called = {call.tool for call in pair.past} & {gone.tool for gone in pair.gone}
    return f"{', '.join(sorted(called))} was called before" if called else ""


def only_something_inessential_is_lost(pair: Pair) -> str:
    """The call is still possible: the argument has a default, or the proof finds another way."""
    assert pair.lost is not None
    if pair.lost.what == "value" and pair.lost.parameter not in BY_NAME[pair.lost.tool].required:
        return f"{pair.lost.tool} needs no {pair.lost.parameter}"
    verdict = prove_incomplete(pair, BY_NAME).possibility
    return "" if verdict is not Possibility.POSSIBLE else "the incomplete version is possible"


def a_remaining_request_can_be_served(pair: Pair) -> str:
    """One of several requests was removed, except where that is what the third class is for."""
    verdict = prove_incomplete(pair, BY_NAME).possibility
    return "" if verdict is pair.possibility else f"the incomplete version is {verdict.value}"


def equals_the_original(pair: Pair) -> str:
    """Nothing was removed."""
    return "both openings are equal" if pair.incomplete == pair.task.opening else ""


def the_user_has_not_the_last_word(pair: Pair) -> str:
    """Calling a tool after the assistant's own words would be odd."""
    assert pair.incomplete is not None
    return "" if pair.incomplete.utterances[-1].role == "user" else "the last message is the assistant's"


def ungrammatical(pair: Pair) -> str:
    """A message has what no sentence has, or quotation marks that don't close."""
    for text in _texts(pair):
        for what, pattern in _SLIPS.items():
            if found := pattern.search(text):
                return f"{what} in {text[max(0, found.start() - 20) : found.end() + 20]!r}"
        if text.count("“") != text.count("”"):
            return f"quotation marks that don't close in {text!r}"
    return ""


def names_a_tool(pair: Pair) -> str:
    """A message of the user names a tool, or speaks of tools."""
    for task in _tasks(pair):
        for one in task.opening.utterances:
            if one.role == "user" and (why := leak(one.text)):
                return why
    return ""


def _tasks(pair: Pair) -> tuple[Task, Task]:
    one, other = pair.versions
    return one.task, other.task


def _texts(pair: Pair) -> Iterator[str]:
    return (one.text for task in _tasks(pair) for one in task.opening.utterances if one.text)


Check = Callable[[Pair], str]
COMMON: Final[tuple[Check, ...]] = (ungrammatical, names_a_tool)
REPLACEMENT: Final[tuple[Check, ...]] = (
    another_tool_could_do_it,
    not_every_tool_is_replaced,
    dialogue_names_what_is_gone,
)
REMOVAL: Final[tuple[Check, ...]] = (
    only_something_inessential_is_lost,
    a_remaining_request_can_be_served,
    equals_the_original,
    the_user_has_not_the_last_word,
)
