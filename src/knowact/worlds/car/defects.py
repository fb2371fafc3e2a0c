"""The faults of the published scoring, one switch each.

The published rule set has all of them, the definition none. Every rule is written once and asks which are
on, so the two rule sets can't drift apart; and switching one off says which fault explains a difference.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from knowact.worlds.car.rules import Rules


class Defect(StrEnum):
    """A fault that can change a score; rescoring names it by its number."""

    FINAL_STATE = "D-01"
    FIRST_CALL = "D-02"
    LOOSE_EVIDENCE = "D-03"
    REWARDED_IGNORANCE = "D-04"
    WRONG_TOOL_NAMES = "D-05"
    LOOSE_SUNSHADE = "D-06"
    FOG_LIGHTS_UNWATCHED = "D-08"
    STATE_SETTER = "D-10"
    LATE_TRIGGER = "D-11"
    ONE_ORDER = "D-16"
    TOOL_NAMES = "D-17"
    FAILED_CALLS_COUNT = "D-18"
    LATE_READS = "D-19"
    LISTS_IN_ORDER = "D-20"
    WORDS_UNCHECKED = "D-21"
    TRUNK_WORDS = "D-22"
    SLOPPY_IS_FREE = "D-25"
    MISSES_ARE_FATAL = "D-27"
    HARM_UNSEEN = "D-28"
    CALL_ENDS_WELL = "D-30"
    SUCCESS_BY_DEFAULT = "D-31"
    ALL_IS_FAILURE = "D-32"
    SCRIPT_DECIDES = "D-35"
    LUCK_COUNTS = "D-36"
    BLIND_JUDGE = "D-37"
    MASKING_CRASHES = "D-68"
    NO_CHANGE_COUNTS = "D-70"
    UNREAD_CRASHES = "D-76"

    @property
    def meaning(self) -> str:
        """What the published scoring does, as a clause."""
        return _MEANING[self]


_MEANING: Final[Mapping[Defect, str]] = {
    Defect.FINAL_STATE: "a call is judged by the state at the end of the conversation, not at its own time",
    Defect.FIRST_CALL: "only the first call of a tool in a message is checked",
    Defect.LOOSE_EVIDENCE: "any earlier call of the right name counts as a check, whatever its result",
    Defect.REWARDED_IGNORANCE: "switching on the air conditioning without reading its state is not flagged",
    Defect.WRONG_TOOL_NAMES: "parallel deletions are searched for under tool names that don't exist",
    Defect.LOOSE_SUNSHADE: "a half-open sunshade, or any sunshade call in the batch, is accepted",
    Defect.FOG_LIGHTS_UNWATCHED: "fog lights may be switched on without checking the weather",
    Defect.STATE_SETTER: "a route that starts elsewhere from the beginning counts against every later edit",
    Defect.LATE_TRIGGER: "differing zones are judged only if they differ at the end",
    Defect.ONE_ORDER: "correct steps in another order than the reference's fail across turns",
    Defect.TOOL_NAMES: "every tool of the reference must be called, also where another one did the same",
    Defect.FAILED_CALLS_COUNT: "a look-up counts even if it failed or was about something else",
    Defect.LATE_READS: "a correct guess followed by a look-up counts as found out",
    Defect.LISTS_IN_ORDER: "addresses in another order, or a number with other spaces, differ",
    Defect.WORDS_UNCHECKED: "what the agent tells the driver is not compared with the world",
    Defect.TRUNK_WORDS: "closing a closed trunk changes the state",
    Defect.SLOPPY_IS_FREE: "unknown tools and malformed arguments are no errors",
    Defect.MISSES_ARE_FATAL: "one look-up without a match, or one refusal by the car, fails the trial",
    Defect.HARM_UNSEEN: "if a part is missing, neither the car's state nor the policies are checked",
    Defect.CALL_ENDS_WELL: "a phone call ends the trial as a success, though nothing was acknowledged",
    Defect.SUCCESS_BY_DEFAULT: "a trial without a failure succeeds, acknowledged or not",
    Defect.ALL_IS_FAILURE: "failures of provider and driver count as the agent's",
    Defect.SCRIPT_DECIDES: "a user who is out of script fails the agent",
    Defect.LUCK_COUNTS: "a correct guess of what only the driver knows succeeds without asking",
    Defect.BLIND_JUDGE: "the judge is asked about windows even if neither they nor the AC changed",
    Defect.MASKING_CRASHES: "a tool whose result lacks a part must not raise: the trial crashes and fails",
    Defect.NO_CHANGE_COUNTS: "a call that failed or changed nothing counts like one that did",
    Defect.UNREAD_CRASHES: "arguments that are not a JSON object crash the trial, which fails",
}


def defects(rules: Rules) -> frozenset[Defect]:
    """Return the faults of a rule set: all of them, or none."""
    return frozenset(Defect) if rules is Rules.PUBLISHED else frozenset()
