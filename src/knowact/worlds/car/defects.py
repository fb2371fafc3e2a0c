"""The faults of the published scoring, one switch each.

The published rule set has all of them, the definition none. Every rule is written once and asks which are
on, so the two rule sets can't drift apart; and switching one off says which fault explains a difference.
"""

from enum import StrEnum
from typing import Self

from knowact.worlds.car.rules import Rules


class Defect(StrEnum):
    """A fault that can change a score; rescoring names it by its number.

    Attributes:
        meaning: What the published scoring does, as a clause.
    """

    meaning: str

    def __new__(cls, number: str, meaning: str) -> Self:
        """Make a member of its number, with its meaning beside it."""
        member = str.__new__(cls, number)
        member._value_, member.meaning = number, meaning
        return member

    FINAL_STATE = "D-01", "a call is judged by the state at the end of the conversation, not at its own time"
    FIRST_CALL = "D-02", "only the first call of a tool in a message is checked"
    LOOSE_EVIDENCE = "D-03", "any earlier call of the right name counts as a check, whatever its result"
    REWARDED_IGNORANCE = "D-04", "switching on the air conditioning without reading its state is not flagged"
    WRONG_TOOL_NAMES = "D-05", "parallel deletions are searched for under tool names that don't exist"
    LOOSE_SUNSHADE = "D-06", "a half-open sunshade, or any sunshade call in the batch, is accepted"
    FOG_LIGHTS_UNWATCHED = "D-08", "fog lights may be switched on without checking the weather"
    STATE_SETTER = "D-10", "a route that starts elsewhere from the beginning counts against every later edit"
    LATE_TRIGGER = "D-11", "differing zones are judged only if they differ at the end"
    ONE_ORDER = "D-16", "correct steps in another order than the reference's fail across turns"
    TOOL_NAMES = "D-17", "every tool of the reference must be called, also where another one did the same"
    FAILED_CALLS_COUNT = "D-18", "a look-up counts even if it failed or was about something else"
    LATE_READS = "D-19", "a correct guess followed by a look-up counts as found out"
    LISTS_IN_ORDER = "D-20", "addresses in another order, or a number with other spaces, differ"
    WORDS_UNCHECKED = "D-21", "what the agent tells the driver is not compared with the world"
    TRUNK_WORDS = "D-22", "closing a closed trunk changes the state"
    SLOPPY_IS_FREE = "D-25", "unknown tools and malformed arguments are no errors"
    MISSES_ARE_FATAL = "D-27", "one look-up without a match, or one refusal by the car, fails the trial"
    HARM_UNSEEN = "D-28", "if a part is missing, neither the car's state nor the policies are checked"
    CALL_ENDS_WELL = "D-30", "a phone call ends the trial as a success, though nothing was acknowledged"
    SUCCESS_BY_DEFAULT = "D-31", "a trial without a failure succeeds, acknowledged or not"
    ALL_IS_FAILURE = "D-32", "failures of provider and driver count as the agent's"
    SCRIPT_DECIDES = "D-35", "a user who is out of script fails the agent"
    LUCK_COUNTS = "D-36", "a correct guess of what only the driver knows succeeds without asking"
    BLIND_JUDGE = "D-37", "the judge is asked about windows even if neither they nor the AC changed"
    MASKING_CRASHES = "D-68", "a tool whose result lacks a part must not raise: the trial crashes and fails"
    NO_CHANGE_COUNTS = "D-70", "a call that failed or changed nothing counts like one that did"
    UNREAD_CRASHES = "D-76", "arguments that are not a JSON object crash the trial, which fails"


def defects(rules: Rules) -> frozenset[Defect]:
    """Return the faults of a rule set: all of them, or none."""
    return frozenset(Defect) if rules is Rules.PUBLISHED else frozenset()
